import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import styles from './ConflictPanel.module.css';
import type { Difference } from './stale';

export interface ConflictProps {
  differences: readonly Difference[];
  busy?: boolean;
  /** Puts their values on the form, to be looked at and saved. */
  onTheirs: () => void;
  /** Saves what was changed here over theirs. */
  onMine: () => void;
}

/** Asks whose values count where someone else saved first. What was typed stays on the form until it is answered. */
export default function ConflictPanel({ differences, busy = false, onTheirs, onMine }: ConflictProps) {
  return (
    <Banner
      kind="warning"
      focusOn={differences.map(({ name, theirs }) => `${name} ${theirs}`).join()}
      title="Someone else saved changes while you were editing."
    >
      <table className={styles.differences}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Theirs</th>
            <th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ name, label, theirs, mine }) => (
            <tr key={name}>
              <th scope="row">{label}</th>
              <td>{theirs || 'Blank'}</td>
              <td>{mine === null ? "You didn't change this" : mine || 'Blank'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        Use theirs to load their values into the form. Apply mine to overwrite theirs with the fields you
        changed.
      </p>
      <div className="button-row">
        <Button disabled={busy} onClick={onTheirs}>
          Use theirs
        </Button>
        <Button variant="primary" busy={busy} onClick={onMine}>
          Apply mine
        </Button>
      </div>
    </Banner>
  );
}
