import { useSession } from '@/api/session';
import type { View } from '@/shared/savedViews';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { formatCount, formatTin } from '@/ui/format';
import { type Criteria, noFilters } from './criteria';
import { InHeader } from './HeaderSlot';
import styles from './openbills.module.css';
import type { AssignmentLoss } from './queries';
import { SavedViews } from './SavedViews';
import { UnassignedAlert } from './UnassignedAlert';
import type { useBillList } from './useBillList';

interface Props {
  tins: readonly string[];
  /** The user's own views and the group's; undefined for users who can't save views. */
  views: readonly View[] | undefined;
  losses: readonly AssignmentLoss[];
  list: ReturnType<typeof useBillList>;
  onFilter: (criteria: Criteria) => void;
}

/** The saved views, and what restricts the list or needs attention. */
export function Notices({ tins, views, losses, list, onFilter }: Props) {
  const { mirroredUser } = useSession();
  const { view, setView, criteria, definition, changed, results, sums, initialCriteria } = list;
  return (
    <>
      {mirroredUser && (
        <Banner kind="info">
          <p>
            While mirroring, you don't see the group's assignments, notes, snoozed bills or done bills. The
            user's own list may be shorter.
          </p>
        </Banner>
      )}
      {losses.length > 0 && (
        <UnassignedAlert losses={losses} onShow={(loss) => onFilter({ ...noFilters, lost: loss.id })} />
      )}
      {views && (
        <InHeader>
          <SavedViews
            {...{ tins, views, view, definition, changed }}
            run={results.dataUpdatedAt}
            onSaved={setView}
          />
        </InHeader>
      )}
      {view && view.dropped.length > 0 && (
        <Banner kind="warning">
          <p>Some of this view's settings are no longer supported: {view.dropped.join(', ')}.</p>
        </Banner>
      )}
      {(criteria.bills.length > 0 || criteria.lost !== null) && (
        <Banner kind="info">
          <div className={styles.told}>
            <p>{describeRestriction(criteria, sums.data?.all.bills, losses)}</p>
            <Button size="small" onClick={() => onFilter(initialCriteria)}>
              Show all open bills
            </Button>
          </div>
        </Banner>
      )}
    </>
  );
}

/** Describes which bills are shown, and how many of them are finished. */
function describeRestriction(
  criteria: Criteria,
  open: number | undefined,
  losses: readonly AssignmentLoss[],
) {
  const { bills, lost } = criteria;
  if (lost !== null) {
    const loss = losses.find(({ id }) => id === lost);
    return loss
      ? `Showing bills left unassigned when ${loss.name} lost access to ${formatTin(loss.ftin)}.`
      : 'Showing bills left unassigned when a colleague lost access to a Tax ID.';
  }
  // Another filter also leaves out open bills.
  const isOnly = JSON.stringify({ ...criteria, bills: [] }) === JSON.stringify(noFilters);
  const rest = open === undefined || !isOnly ? 0 : bills.length - open;
  const chosen = `Showing only the ${bills.length === 1 ? 'bill' : `${formatCount(bills.length)} bills`} you selected.`;
  return rest > 0
    ? `${chosen} ${formatCount(rest)} of ${formatCount(bills.length)} ${rest === 1 ? "isn't" : "aren't"} open.`
    : chosen;
}
