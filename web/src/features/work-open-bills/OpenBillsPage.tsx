import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { Problem } from '@/api/client';
import { useSession } from '@/api/session';
import { MyTins } from '@/shared/MyTins';
import { UnavailablePage } from '@/shared/UnavailablePage';
import { useSearchState } from '@/shared/useSearchState';
import { ActionMenu } from '@/ui/ActionMenu';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { formatCount, formatTin } from '@/ui/format';
import { DownloadIcon } from '@/ui/icons';
import { Loading } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { ColumnChooser } from '@/ui/table/ColumnChooser';
import { DataTable } from '@/ui/table/DataTable';
import { useTableShape } from '@/ui/table/shape';
import { useStableCallback } from '@/ui/useStableCallback';
import { BulkActions } from './BulkActions';
import { type Done, named, useChange, type WorkAction } from './change';
import { billColumns, dueColumns, SeveralTins, workColumns } from './columns';
import { type Criteria, noFilters, read, toCriteria, toFilter } from './criteria';
import { toDefinition, toShape } from './definition';
import { FilterForm } from './FilterForm';
import styles from './openbills.module.css';
import {
  type AssignmentLoss,
  type OpenBill,
  useCanWork,
  useOpenBills,
  useRefetch,
  useSummary,
  useUnassigned,
  useViews,
  type View,
} from './queries';
import { SavedViews } from './SavedViews';
import { Tiles } from './Tiles';
import { UnassignedAlert } from './UnassignedAlert';
import { useRowKeys } from './useRowKeys';

// Dialogs that a click opens load lazily.
const WorkDialog = lazy(() => import('./WorkDialog'));
const NotesDialog = lazy(() => import('@/shared/billNotes/NotesDialog'));
const ExportDialog = lazy(() => import('./ExportDialog'));
const ShortcutsDialog = lazy(() => import('./ShortcutsDialog'));

const maxSelected = 500;

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
  const { keeps, views, losses } = useViewsAndAlerts();
  if (views.isLoading || losses.isLoading) return <Loading />;
  const above = { tins, views: keeps ? views.data : undefined, losses: losses.data ?? [] };
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
      to="/work/bills"
    >
      All open bills
    </UnavailablePage>
  );
}

/** Content above the list, which would push the list down if it loaded later. */
function useViewsAndAlerts() {
  const { can, mirroredUser } = useSession();
  const keeps = useCanWork();
  return { keeps, views: useViews(keeps), losses: useUnassigned(can('work.lead') && !mirroredUser) };
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
  const works = useCanWork();
  const columns = useMemo(() => [...billColumns, ...dueColumns, ...(works ? workColumns : [])], [works]);
  const whole = useMemo(() => (view ? toCriteria(view.definition.filter) : noFilters), [view]);
  const { search, table, setTable, start } = useSearchState(read, {
    pageSize: 50,
    sort: { id: 'service', desc: view?.definition.order === 'newest' },
  });
  const asked = search ?? { criteria: whole, run: 0 };
  const [ownShape, setOwnShape] = useTableShape('open bills');
  const [viewShape, setViewShape] = useState(() => view && toShape(view.definition, columns));
  const shape = viewShape ?? ownShape;
  const found = useOpenBills(asked, table);
  const newest = table.sort?.desc ?? false;
  const shownColumns = useMemo(() => {
    const shown = columns.map(({ id }) => id).filter((id) => !shape.hidden.includes(id));
    return shown.length < columns.length ? shown : undefined;
  }, [columns, shape]);
  const { criteria } = asked;
  const { bills, lost } = criteria;
  const now = useMemo(
    () =>
      criteria.bills.length === 0 && criteria.lost === null
        ? toDefinition(criteria, shownColumns, newest, shape)
        : null,
    [criteria, shownColumns, newest, shape],
  );
  const changed =
    view !== undefined &&
    JSON.stringify(now) !==
      JSON.stringify(
        toDefinition(
          toCriteria(view.definition.filter),
          view.definition.columns,
          view.definition.order === 'newest',
          {
            compact: view.definition.compact ?? false,
          },
        ),
      );
  const [exporting, setExporting] = useState(false);
  const askAgain = useRefetch();
  const sums = useSummary(toFilter(asked.criteria), asked.run);
  const rows = found.data?.bills ?? noBills;
  const [marked, setMarked] = useState<ReadonlyMap<string, OpenBill>>(new Map());
  const [asking, setAsking] = useState<{
    what: 'assign' | 'followUp' | 'park';
    bills: readonly OpenBill[];
  } | null>(null);
  const [noted, setNoted] = useState<OpenBill | null>(null);
  const [helping, setHelping] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  // The selected bills from any page, updated where this page shows them.
  const chosen = useMemo(() => {
    const shown = new Map(rows.map((bill) => [bill.id, bill]));
    return [...marked.values()].map((bill) => shown.get(bill.id) ?? bill);
  }, [marked, rows]);
  const choose = (ids: ReadonlySet<string>) => {
    const known = new Map([...marked, ...rows.map((bill) => [bill.id, bill] as const)]);
    setMarked(new Map([...known].filter(([id]) => ids.has(id))));
  };
  /** The bill being worked on, and its position. */
  const worked = useRef<{ id: string; at: number } | null>(null);
  // After finishing a bill, the focus moves to the one that took its place.
  useEffect(() => {
    const { current } = worked;
    worked.current = null;
    if (!current || document.activeElement !== document.body) return;
    if (rows.some(({ id }) => id === current.id)) return;
    const left = [...(place.current?.querySelectorAll<HTMLElement>('tbody tr') ?? [])];
    left[Math.min(current.at, left.length - 1)]?.querySelector('a')?.focus();
  }, [rows]);
  const [off, setOff] = useState<readonly OpenBill[]>([]);
  const finish = ({ ids, off }: Done) => {
    setAsking(null);
    // Bills that still need follow-up stay selected.
    setMarked((marked) => new Map([...marked].filter(([id]) => !ids.includes(id))));
    setOff(off);
  };
  const { change, isPending } = useChange(finish);
  // The work version of each changed bill. The list has the old version until it's refetched.
  const sent = useRef(new Map<string, number>());
  // Stable, so that the content above the list doesn't rerender with it.
  const filterBy = useStableCallback((criteria: Criteria) => {
    setMarked(new Map());
    setOff([]);
    start(criteria);
  });

  const act = async (what: WorkAction, bills: readonly OpenBill[]) => {
    if (bills.length === 0) return toast.error('Select a bill first.');
    const [bill] = bills;
    worked.current = bill && bills.length === 1 ? { id: bill.id, at: rows.indexOf(bill) } : null;
    if (bills.length > maxSelected) return toast.error(`Select up to ${maxSelected} bills.`);
    if (what !== 'done' && what !== 'open') return setAsking({ what, bills });
    const due = bills.filter(({ id, work }) => sent.current.get(id) !== work.version);
    if (due.length === 0) return;
    for (const { id, work } of due) sent.current.set(id, work.version);
    const problem = await change(due, { marked: what }, what === 'done' ? 'Marked as done' : 'Reopened');
    if (!problem) return;
    for (const { id } of due) sent.current.delete(id);
    toast.error(problem);
  };
  const { marked: listed } = criteria;
  const actions = (bill: OpenBill) => [
    { label: 'Assign', onSelect: () => void act('assign', [bill]) },
    { label: 'Set follow-up date', onSelect: () => void act('followUp', [bill]) },
    { label: 'Notes', onSelect: () => setNoted(bill) },
    ...(listed === 'open'
      ? [
          { label: 'Mark as done', onSelect: () => void act('done', [bill]) },
          { label: 'Snooze until', onSelect: () => void act('park', [bill]) },
        ]
      : [{ label: 'Reopen', onSelect: () => void act('open', [bill]) }]),
  ];

  /** The selection, or the current row. */
  const getTargets = (at: number) => (chosen.length > 0 ? chosen : rows.slice(at, at + 1));
  useRowKeys(place, {
    '?': () => setHelping(true),
    ...(works && {
      x: (at) => {
        const bill = rows[at];
        const next = new Map(marked);
        if (bill && !next.delete(bill.id)) next.set(bill.id, bill);
        setMarked(next);
      },
      e: (at) => void act(listed === 'open' ? 'done' : 'open', getTargets(at)),
      a: (at) => void act('assign', getTargets(at)),
      n: (at) => setNoted(rows[at] ?? null),
    }),
  });

  return (
    <div ref={place} className={styles.work}>
      {mirroredUser && (
        <Banner kind="info">
          <p>
            While mirroring, you don't see the group's assignments, notes, snoozed bills or done bills. The
            user's own list may be shorter.
          </p>
        </Banner>
      )}
      {losses.length > 0 && (
        <UnassignedAlert losses={losses} onShow={(loss) => filterBy({ ...noFilters, lost: loss.id })} />
      )}
      {views && <SavedViews {...{ tins, views, view, now, changed }} run={found.dataUpdatedAt} />}
      {view && view.dropped.length > 0 && (
        <Banner kind="warning">
          <p>Some of this view's settings are no longer supported: {view.dropped.join(', ')}.</p>
        </Banner>
      )}
      {(bills.length > 0 || lost !== null) && (
        <Banner kind="info">
          <div className={styles.told}>
            <p>{describeChosen(asked.criteria, sums.data?.all.bills, losses)}</p>
            <Button size="small" onClick={() => filterBy(whole)}>
              Show all open bills
            </Button>
          </div>
        </Banner>
      )}
      <Tiles criteria={asked.criteria} run={asked.run} onChoose={filterBy} />
      <FilterForm
        tins={tins}
        kept={asked.criteria}
        whole={whole}
        searching={found.isFetching}
        onSearch={filterBy}
      />
      <DataTable
        title="Bills"
        columns={columns}
        rows={rows}
        server={{
          count: sums.data?.all.bills ?? rows.length,
          counting: sums.isPending || sums.isPlaceholderData,
        }}
        shape={shape}
        onShapeChange={viewShape ? setViewShape : setOwnShape}
        chooser={ColumnChooser}
        // Without its count most of the list would be unreachable.
        status={sums.isError && !sums.isFetching ? 'failed' : found.status}
        onRetry={askAgain}
        rowId={({ id }) => id}
        state={table}
        onStateChange={setTable}
        empty="You're all caught up."
        notice={
          off.length > 0 && (
            <p className={styles.off}>
              {`Removed from the list: ${named(off)}.`}
              <Button size="small" busy={isPending} onClick={() => void act('open', off)}>
                Undo
              </Button>
            </p>
          )
        }
        selection={
          works
            ? {
                selected: new Set(marked.keys()),
                onChange: choose,
                label: ({ billControlNumber }) => billControlNumber,
              }
            : undefined
        }
        menu={ActionMenu}
        rowActions={works ? actions : undefined}
        rowLabel={({ billControlNumber }) => billControlNumber}
        toolbar={
          <>
            {works && chosen.length > 0 && (
              <BulkActions
                {...{ chosen, rows, listed, isPending }}
                onAct={(what) => void act(what, chosen)}
                onMarkNone={() => setMarked(new Map())}
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
        {asking && <WorkDialog {...asking} onClose={() => setAsking(null)} onDone={finish} />}
        {noted && <NotesDialog bill={noted} onClose={() => setNoted(null)} />}
        {exporting && (
          <ExportDialog
            bills={sums.data?.all.bills ?? 0}
            filter={toFilter(asked.criteria)}
            newest={newest}
            columns={shownColumns}
            onClose={() => setExporting(false)}
          />
        )}
        {helping && <ShortcutsDialog works={works} onClose={() => setHelping(false)} />}
      </Suspense>
    </div>
  );
}

const noBills: OpenBill[] = [];

/** Describes which bills are shown, and how many of them are finished. */
function describeChosen(
  { bills, lost }: Criteria,
  open: number | undefined,
  losses: readonly AssignmentLoss[],
) {
  if (lost !== null) {
    const loss = losses.find(({ id }) => id === lost);
    return loss
      ? `Showing bills left unassigned when ${loss.name} lost access to ${formatTin(loss.ftin)}.`
      : 'Showing bills left unassigned when a colleague lost access to a Tax ID.';
  }
  const rest = open === undefined ? 0 : bills.length - open;
  const chosen = `Showing only the ${bills.length === 1 ? 'bill' : `${formatCount(bills.length)} bills`} you selected.`;
  return rest > 0
    ? `${chosen} ${formatCount(rest)} of ${formatCount(bills.length)} ${rest === 1 ? "isn't" : "aren't"} open.`
    : chosen;
}
