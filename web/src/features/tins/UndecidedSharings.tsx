import { Link } from '@tanstack/react-router';
import * as paths from '@/shared/paths';
import { Button } from '@/ui/Button';
import { formatCount } from '@/ui/format';
import { useUndecided } from './sharing';
import styles from './tins.module.css';

/** The number of shared TINs that need a decision, for those who decide. Empty without any. */
export function UndecidedSharings() {
  const undecided = useUndecided();
  if (undecided.isError && !undecided.data)
    return (
      <p className={styles.word} role="status">
        Couldn't check for TIN sharings pending a decision.{' '}
        <Button variant="link" onClick={() => void undecided.refetch()}>
          Try again
        </Button>
      </p>
    );
  const count = undecided.data?.count ?? 0;
  if (count === 0) return null;
  return (
    <p>
      <Link to={paths.tinSharing}>
        {count === 1
          ? '1 TIN sharing pending a decision'
          : `${formatCount(count)} TIN sharings pending a decision`}
      </Link>
    </p>
  );
}
