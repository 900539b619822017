import { Link } from '@tanstack/react-router';
import { useSession } from '@/api/session';
import { formatCount } from '@/ui/format';
import { mostChosen, theseOpenBills } from './openBills';
import { ownerOf } from './owner';

/** Leads from bills that were found to what is left to do about them; nothing where there is no such page. */
export function OpenTheseBills({ pages, className }: { pages: readonly string[]; className?: string }) {
  const session = useSession();
  const ids = [...new Set(pages)];
  if (!session.can('work.bills') || ids.length === 0) return null;
  const which =
    ids.length > mostChosen
      ? `the first ${mostChosen}`
      : ids.length === 1
        ? 'this bill'
        : `these ${formatCount(ids.length)}`;
  return (
    <p className={className}>
      <Link to="/work/bills" state={theseOpenBills(ownerOf(session), ids)}>
        Open {which} in Open Bills
      </Link>
    </p>
  );
}
