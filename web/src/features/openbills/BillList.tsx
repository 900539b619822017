import { createLink } from '@tanstack/react-router';
import { useRef } from 'react';
import { useSession } from '@/api/session';
import { useCanWork } from '@/shared/billWork';
import { createSearch } from '@/shared/historyState';
import { LinkedListContext } from '@/shared/listPosition';
import { getOwner } from '@/shared/owner';
import * as paths from '@/shared/paths';
import type { View } from '@/shared/savedViews';
import { ActionMenu } from '@/ui/ActionMenu';
import { Button, LinkButton } from '@/ui/Button';
import { formatTin } from '@/ui/format';
import { DownloadIcon } from '@/ui/icons';
import { ColumnChooser } from '@/ui/table/ColumnChooser';
import { DataTable } from '@/ui/table/DataTable';
import { useStableCallback } from '@/ui/useStableCallback';
import { BulkActions } from './BulkActions';
import { formatBills } from './change';
import { type Criteria, noFilters } from './criteria';
import { FilterBar } from './FilterBar';
import { ListDialogs, useListDialogs } from './ListDialogs';
import { Notices } from './Notices';
import styles from './openbills.module.css';
import type { AssignmentLoss, OpenBill } from './queries';
import { StateStrip } from './StateStrip';
import { useBillActions } from './useBillActions';
import { useBillList } from './useBillList';
import { useRowActions } from './useRowActions';
import { useSelection } from './useSelection';

interface Props {
  tins: readonly string[];
  /** The user's own views and the group's; undefined for users who can't save views. */
  views: readonly View[] | undefined;
  losses: readonly AssignmentLoss[];
  /** The open view. */
  view?: View;
}

/** The filtered bills, their totals, and the actions on them. */
export function BillList({ tins, views, losses, view: opened }: Props) {
  const session = useSession();
  const { can, mirroredUser } = session;
  const owner = getOwner(session);
  const canWork = useCanWork();
  const list = useBillList(opened);
  const { view, criteria, rows, sums } = list;
  const page = useRef<HTMLDivElement>(null);
  const linked = {
    name: view?.name ?? 'Open bills',
    ...(view ? paths.toOpenBillsView(view.id) : { to: paths.openBills }),
    ids: rows.map(({ id }) => id),
    before: list.table.page * list.table.pageSize,
    count: sums.data?.all.bills,
    rest: list.rest,
  };
  const selection = useSelection(rows);
  // Without a filter, the call sheet has its own.
  const sheet =
    selection.bills.length > 0
      ? { ...noFilters, marked: criteria.marked, bills: selection.bills.map(({ id }) => id) }
      : JSON.stringify(criteria) !== JSON.stringify(noFilters)
        ? criteria
        : undefined;
  const actions = useBillActions(rows, selection, page);
  const { act, removed, isPending } = actions;
  const dialogs = useListDialogs(rows, page);
  const rowActions = useRowActions({ page, rows, listed: criteria.marked, selection, act, dialogs });
  // Stable, so that the content above the list doesn't rerender with it.
  const filterBy = useStableCallback((criteria: Criteria) => {
    selection.clear();
    actions.clearRemoved();
    list.start(criteria);
  });

  return (
    <div ref={page} className={styles.work}>
      <Notices {...{ tins, views, losses, list }} onFilter={filterBy} />
      <StateStrip criteria={criteria} run={list.run} onChoose={filterBy} />
      <LinkedListContext value={linked}>
        <DataTable
          title="Bills"
          titleHidden
          filterBar={
            <FilterBar {...{ tins, criteria }} initialCriteria={list.initialCriteria} onFilter={filterBy} />
          }
          columns={list.columns}
          rows={rows}
          server={{
            count: sums.data?.all.bills ?? (rows.length > 0 ? linked.before + rows.length : 0),
            counting: sums.isPending || sums.isPlaceholderData,
          }}
          layout={{ shape: list.shape, onChange: list.setShape, chooser: ColumnChooser }}
          // Without its count most of the list would be unreachable.
          status={sums.isError && !sums.isFetching ? 'failed' : list.results.status}
          onRetry={list.refetch}
          rowId={({ id }) => id}
          controlled={{ state: list.table, onChange: list.setTable }}
          empty={
            criteria.tin && !tins.includes(criteria.tin)
              ? `You don't have access to Tax ID ${formatTin(criteria.tin)}.`
              : "You're all caught up."
          }
          notice={
            removed.length > 0 && (
              <p className={styles.off}>
                {`Removed from the list: ${formatBills(removed)}.`}
                <Button size="small" busy={isPending} onClick={() => act('open', removed)}>
                  Undo
                </Button>
              </p>
            )
          }
          selection={
            canWork ? { selected: selection.ids, onChange: selection.select, label: formatNumber } : undefined
          }
          toolbar={
            <>
              {canWork && selection.bills.length > 0 && (
                <BulkActions
                  selected={selection.bills}
                  {...{ rows, listed: criteria.marked, isPending }}
                  onAct={(what) => act(what, selection.bills)}
                  onClear={selection.clear}
                />
              )}
              {can('work.notes') && (
                <ButtonToRoute
                  size="small"
                  to={paths.callSheet}
                  state={sheet && { kept: createSearch(owner, sheet) }}
                >
                  Call sheet
                </ButtonToRoute>
              )}
              {!mirroredUser && (
                <Button size="small" onClick={() => dialogs.open({ name: 'export' })}>
                  <DownloadIcon width="1rem" height="1rem" />
                  Export
                </Button>
              )}
              <Button
                size="small"
                variant="quiet"
                className={styles.shortcuts}
                onClick={() => dialogs.open({ name: 'shortcuts' })}
              >
                Shortcuts
              </Button>
            </>
          }
          rowMenu={{ menu: ActionMenu, actions: canWork ? rowActions : undefined, label: formatNumber }}
        />
        <ListDialogs {...{ list, actions, dialogs, canWork }} />
      </LinkedListContext>
      <p className={styles.by}>Bills from the second bill system aren't included.</p>
    </div>
  );
}

const ButtonToRoute = createLink(LinkButton);

const formatNumber = ({ billControlNumber }: OpenBill) => billControlNumber;
