import { Link } from '@tanstack/react-router';
import { useSession } from '@/api/session';
import { formatCount } from '@/ui/format';
import styles from './OpenTheseBills.module.css';
import { mostChosen, theseOpenBills } from './openBills';
import { ownerOf } from './owner';

/** Leads from bills that were found to what is left to do about them; nothing where there is no such page. */
export function OpenTheseBills({ pages }: { pages: readonly string[] }) {
  const session = useSession();
  const ids = [...new Set(pages)];
  if (!session.can('work.bills') || ids.length === 0) return null;
  const which =
    ids.length > mostChosen
      ? `the first ${mostChosen} bills`
      : ids.length === 1
        ? 'this bill'
        : `these ${formatCount(ids.length)} bills`;
  return (
    <p className={styles.lead}>
      <Link to="/work/bills" state={theseOpenBills(ownerOf(session), ids)}>
        View {which} in Open bills
      </Link>
    </p>
  );
}
