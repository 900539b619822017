import { Link } from '@tanstack/react-router';
import { useSession } from '@/api/session';
import { formatCount } from '@/ui/format';
import styles from './OpenBillsLink.module.css';
import { maxSelectedBills, showOpenBills } from './openBills';
import { getOwner } from './owner';
import * as paths from './paths';

/** Links from search results to the same bills in Open Bills. Empty if none of them has a page. */
export function OpenBillsLink({ pages }: { pages: readonly string[] }) {
  const session = useSession();
  const ids = [...new Set(pages)];
  if (!session.can('work.bills') || ids.length === 0) return null;
  const which =
    ids.length > maxSelectedBills
      ? `the first ${maxSelectedBills} bills`
      : ids.length === 1
        ? 'this bill'
        : `these ${formatCount(ids.length)} bills`;
  return (
    <p className={styles.lead}>
      <Link to={paths.openBills} state={showOpenBills(getOwner(session), ids)}>
        View {which} in Open bills
      </Link>
    </p>
  );
}
