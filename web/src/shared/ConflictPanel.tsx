import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import styles from './ConflictPanel.module.css';
import type { Difference } from './editConflict';

export interface ConflictProps {
  differences: readonly Difference[];
  busy?: boolean;
  /** Copies their values into the form for review and saving. */
  onTheirs: () => void;
  /** Saves this user's changes over theirs. */
  onMine: () => void;
}

/**
 * Asks which values win when another user saved first. The form's input stays until the user
 * decides.
 */
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
