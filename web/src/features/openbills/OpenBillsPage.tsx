import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { Problem } from '@/api/client';
import { useSession } from '@/api/session';
import { MyTins } from '@/shared/MyTins';
import * as paths from '@/shared/paths';
import { UnavailablePage } from '@/shared/UnavailablePage';
import { ActionMenu } from '@/ui/ActionMenu';
import { Button } from '@/ui/Button';
import { DownloadIcon } from '@/ui/icons';
import { Loading } from '@/ui/PageState';
import { ColumnChooser } from '@/ui/table/ColumnChooser';
import { DataTable } from '@/ui/table/DataTable';
import { useStableCallback } from '@/ui/useStableCallback';
import { BulkActions } from './BulkActions';
import { formatBills } from './change';
import { SeveralTins } from './columns';
import { type Criteria, toFilter } from './criteria';
import { FilterForm } from './FilterForm';
import { Notices } from './Notices';
import styles from './openbills.module.css';
import {
  type AssignmentLoss,
  type OpenBill,
  useCanWork,
  useUnassigned,
  useViews,
  type View,
} from './queries';
import { Tiles } from './Tiles';
import { useBillActions } from './useBillActions';
import { useBillList } from './useBillList';
import { useRowKeys } from './useRowKeys';
import { useSelection } from './useSelection';

// Dialogs that a click opens load lazily.
const WorkDialog = lazy(() => import('./WorkDialog'));
const NotesDialog = lazy(() => import('@/shared/billNotes/NotesDialog'));
const ExportDialog = lazy(() => import('./ExportDialog'));
const ShortcutsDialog = lazy(() => import('./ShortcutsDialog'));

/** The bills that need follow-up, and the group's work on them. */
export default function OpenBillsPage() {
  // Requested in parallel with the TINs, because nothing renders before them.
  useViewsAndAlerts();
  return (
    <div className="page">
      <header>
        <h1>Open bills</h1>
        <p className="page-lead">
          Bills that need follow-up. Bills from the second bill system aren't included.
        </p>
      </header>
      <MyTins ofUsers="Open bills are listed by a user's Tax IDs.">
        {(tins) => (
          <SeveralTins value={tins.length > 1}>
            <Views tins={tins} />
          </SeveralTins>
        )}
      </MyTins>
    </div>
  );
}

// Another group's view looks like a view that doesn't exist.
const notFound = new Problem(404, 'NOT_FOUND', "This doesn't exist, or you don't have permission to see it.");

/** The list, filtered by the view in the address. */
function Views({ tins }: { tins: readonly string[] }) {
  const { id } = useParams({ strict: false });
  const { canWork, views, losses } = useViewsAndAlerts();
  if (views.isLoading || losses.isLoading) return <Loading />;
  const above = { tins, views: canWork ? views.data : undefined, losses: losses.data ?? [] };
  if (!id) return <Work key="all" {...above} />;
  const view = views.data?.find((one) => one.id === id);
  if (view) return <Work key={id} {...above} view={view} />;
  return (
    <UnavailablePage
      query={{
        error: views.error ?? notFound,
        isPending: false,
        refetch: views.refetch,
      }}
      to={paths.openBills}
    >
      All open bills
    </UnavailablePage>
  );
}

/** Content above the list, which would push the list down if it loaded later. */
function useViewsAndAlerts() {
  const { can, mirroredUser } = useSession();
  const canWork = useCanWork();
  return { canWork, views: useViews(canWork), losses: useUnassigned(can('work.lead') && !mirroredUser) };
}

interface WorkProps {
  tins: readonly string[];
  /** The user's own views and the group's; undefined for users who can't save views. */
  views: readonly View[] | undefined;
  losses: readonly AssignmentLoss[];
  /** The open view. */
  view?: View;
}

function Work({ tins, views, losses, view }: WorkProps) {
  const { mirroredUser } = useSession();
  const canWork = useCanWork();
  const list = useBillList(view);
  const { criteria, rows, sums, table } = list;
  const page = useRef<HTMLDivElement>(null);
  const selection = useSelection(rows);
  const { act, removed, clearRemoved, isPending, question, cancel, finish } = useBillActions(
    rows,
    selection,
    page,
  );
  const [billWithNotes, setBillWithNotes] = useState<OpenBill | null>(null);
  const [exporting, setExporting] = useState(false);
  const [helping, setHelping] = useState(false);
  // Stable, so that the content above the list doesn't rerender with it.
  const filterBy = useStableCallback((criteria: Criteria) => {
    selection.clear();
    clearRemoved();
    list.start(criteria);
  });
  const listed = criteria.marked;
  const rowActions = (bill: OpenBill) => [
    { label: 'Assign', onSelect: () => act('assign', [bill]) },
    { label: 'Set follow-up date', onSelect: () => act('followUp', [bill]) },
    { label: 'Notes', onSelect: () => setBillWithNotes(bill) },
    ...(listed === 'open'
      ? [
          { label: 'Mark as done', onSelect: () => act('done', [bill]) },
          { label: 'Snooze until', onSelect: () => act('park', [bill]) },
        ]
      : [{ label: 'Reopen', onSelect: () => act('open', [bill]) }]),
  ];

  /** The selection, or the current row. */
  const getTargets = (at: number) => (selection.bills.length > 0 ? selection.bills : rows.slice(at, at + 1));
  useRowKeys(page, {
    '?': () => setHelping(true),
    ...(canWork && {
      x: (at) => {
        const bill = rows[at];
        if (bill) selection.toggle(bill);
      },
      e: (at) => act(listed === 'open' ? 'done' : 'open', getTargets(at)),
      a: (at) => act('assign', getTargets(at)),
      n: (at) => setBillWithNotes(rows[at] ?? null),
    }),
  });

  return (
    <div ref={page} className={styles.work}>
      <Notices {...{ tins, views, losses, view, list }} onFilter={filterBy} />
      <Tiles criteria={criteria} run={list.run} onChoose={filterBy} />
      <FilterForm
        tins={tins}
        criteria={criteria}
        initialCriteria={list.initialCriteria}
        searching={list.results.isFetching}
        onSearch={filterBy}
      />
      <DataTable
        title="Bills"
        columns={list.columns}
        rows={rows}
        server={{
          count: sums.data?.all.bills ?? rows.length,
          counting: sums.isPending || sums.isPlaceholderData,
        }}
        shape={list.shape}
        onShapeChange={list.setShape}
        chooser={ColumnChooser}
        // Without its count most of the list would be unreachable.
        status={sums.isError && !sums.isFetching ? 'failed' : list.results.status}
        onRetry={list.refetch}
        rowId={({ id }) => id}
        state={table}
        onStateChange={list.setTable}
        empty="You're all caught up."
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
          canWork
            ? {
                selected: selection.ids,
                onChange: selection.select,
                label: ({ billControlNumber }) => billControlNumber,
              }
            : undefined
        }
        menu={ActionMenu}
        rowActions={canWork ? rowActions : undefined}
        rowLabel={({ billControlNumber }) => billControlNumber}
        toolbar={
          <>
            {canWork && selection.bills.length > 0 && (
              <BulkActions
                selected={selection.bills}
                {...{ rows, listed, isPending }}
                onAct={(what) => act(what, selection.bills)}
                onClear={selection.clear}
              />
            )}
            {!mirroredUser && (
              <Button size="small" onClick={() => setExporting(true)}>
                <DownloadIcon width="1rem" height="1rem" />
                Export
              </Button>
            )}
            <Button size="small" variant="quiet" onClick={() => setHelping(true)}>
              Shortcuts
            </Button>
          </>
        }
      />
      <Suspense>
        {question && <WorkDialog {...question} onClose={cancel} onDone={finish} />}
        {billWithNotes && <NotesDialog bill={billWithNotes} onClose={() => setBillWithNotes(null)} />}
        {exporting && (
          <ExportDialog
            bills={sums.data?.all.bills ?? 0}
            filter={toFilter(criteria)}
            newest={list.newest}
            columns={list.shownColumns}
            onClose={() => setExporting(false)}
          />
        )}
        {helping && <ShortcutsDialog canWork={canWork} onClose={() => setHelping(false)} />}
      </Suspense>
    </div>
  );
}
