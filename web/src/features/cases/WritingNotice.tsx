import { Button } from '@/ui/Button';
import styles from './cases.module.css';
import { useWriting } from './queries';

interface Props {
  number: string;
  /** The version on the screen. */
  version: number;
  /** Whether this user has written something. */
  isWriting: boolean;
  onReload: () => void;
}

const list = new Intl.ListFormat('en-US');

/** Shows staff who else writes to a question, and that it changed while they were writing. */
export function WritingNotice({ number, version, isWriting, onReload }: Props) {
  const { data } = useWriting(number, isWriting);
  const names = data?.names ?? [];
  const isChanged = data !== undefined && data.version > version;
  return (
    <div role="status" className={styles.notice}>
      {names.length > 0 && (
        <p>
          {list.format(names)} {names.length === 1 ? 'is' : 'are'} replying.
        </p>
      )}
      {isChanged && (
        <p>
          This question has changed.{' '}
          <Button size="small" onClick={onReload}>
            Show the change
          </Button>
        </p>
      )}
    </div>
  );
}
