import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSession } from '@/api/session';
import { useAccessReviews } from '@/shared/accessReviews';
import { BillLink } from '@/shared/BillLink';
import { changeNames } from '@/shared/billChanges';
import { FailedFeeSchedules } from '@/shared/FailedFeeSchedules';
import { useSearchState } from '@/shared/historyState';
import { LinkedListContext } from '@/shared/listPosition';
import { MyTins } from '@/shared/MyTins';
import { useOpenBillSummary } from '@/shared/openBillSummary';
import * as paths from '@/shared/paths';
import { useTinNumbers } from '@/shared/tins';
import { useToday } from '@/shared/today';
import { ActionMenu } from '@/ui/ActionMenu';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatBusinessDate, formatDate, formatSince } from '@/ui/dates';
import { formatMoney, formatTin } from '@/ui/format';
import { Failed, Loading } from '@/ui/PageState';
import { pluralize } from '@/ui/pluralize';
import { toast } from '@/ui/Toasts';
import { makeMoneyColumn } from '@/ui/table/columns';
import { DataTable } from '@/ui/table/DataTable';
import type { Column, TableState } from '@/ui/table/state';
import styles from './alerts.module.css';
import { Charts } from './Charts';
import { FollowedItems } from './FollowedItems';
import { figures, type Kind, read } from './figures';
import { hasQuestions, listNeeds, NeedRow, QuestionsRow } from './needs';
import {
  type AlertBill,
  type Alerts,
  fetchAllBills,
  formatFailure,
  useFigureBills,
  useMarkSeen,
  useMarkUnseen,
} from './queries';
import { Welcome } from './Welcome';

/** The changes to the user's bills since the last visit, and followed items. */
export default function TodayPage() {
  return (
    <div className="page">
      <header>
        <h1>Today</h1>
        <p className="page-lead">What needs you, and what changed since your last visit.</p>
      </header>
      <ReviewOverdue />
      <FailedFeeSchedules />
      <MyTins ofUsers="Updates are listed by a user's Tax IDs.">{() => <News />}</MyTins>
    </div>
  );
}

/** Warns the group's administrators of an overdue access review. */
function ReviewOverdue() {
  const { data } = useAccessReviews();
  const open = data?.reviews.find(({ finishedAt }) => !finishedAt);
  if (!data?.overdue || !open) return null;
  return (
    <Banner kind="warning">
      <p>
        Your access review was due {formatDate(open.dueOn)}. {pluralize(data.unanswered, 'user')} left to
        review. <Link to={paths.accessReview}>Open access review</Link>
      </p>
    </Banner>
  );
}

function News() {
  const { mirroredUser } = useSession();
  const search = useSearchState(read, { pageSize: 25 });
  const [history, setHistory] = useState(search.search?.criteria.history ?? false);
  const { data, isPending, isPlaceholderData, refetch } = useToday(history);
  const openBills = useOpenBillSummary();
  const { mutate: see } = useMarkSeen();
  // The first visit sets the starting point for later changes.
  const begins = data?.first && !history && !mirroredUser ? data.window : '';
  useEffect(() => {
    if (begins) see(begins);
  }, [begins, see]);
  if (isPending) return <Loading />;
  if (!data) return <Failed onRetry={() => void refetch()} />;
  const chosen = isPlaceholderData
    ? undefined
    : data.counts.find(({ kind }) => kind === search.search?.criteria.kind);
  return (
    <div className={styles.news}>
      <StoppedMailboxes stopped={data.stopped} />
      <div className={styles.today}>
        <NeedsYou openBills={openBills} alerts={data} />
        <Changes
          alerts={data}
          history={history}
          chosen={chosen?.kind}
          onHistory={(wanted) => {
            setHistory(wanted);
            search.clear();
          }}
          onChoose={(kind) => (kind ? search.start({ kind, history }) : search.clear())}
        />
      </div>
      {chosen && (
        <FigureBills
          key={chosen.kind}
          kind={chosen.kind}
          window={data.window}
          count={chosen.bills}
          table={search.table}
          onTable={search.setTable}
        />
      )}
      <Charts summary={openBills.data} />
      <FollowedItems />
      {!data.asked && <Welcome />}
    </div>
  );
}

const StoppedMailboxes = ({ stopped }: Pick<Alerts, 'stopped'>) =>
  stopped.map(({ id, email, why, at }) => (
    <Banner key={id} kind="warning">
      <p>
        We stopped sending email to {email}.{' '}
        {why === 'link'
          ? `Someone unsubscribed on ${formatBusinessDate(at)}.`
          : `An email bounced on ${formatBusinessDate(at)}.`}{' '}
        To remove it or add it again, go to <Link to={paths.emailSettings}>Email settings</Link>.
      </p>
    </Banner>
  ));

/** The open bills and questions that need the office, each with a link to its list. */
function NeedsYou({
  openBills,
  alerts,
}: {
  openBills: ReturnType<typeof useOpenBillSummary>;
  alerts: Alerts;
}) {
  const { data: summary, isPending, refetch } = openBills;
  const needs = summary ? listNeeds(summary).filter(({ bills }) => bills > 0) : [];
  return (
    <section className={`card ${styles.part}`} aria-labelledby="needs">
      <h2 id="needs">Needs you</h2>
      {!summary && (isPending ? <Loading /> : <Failed onRetry={() => void refetch()} />)}
      {summary && needs.length === 0 && !hasQuestions(alerts) && (
        <p className={styles.nothing}>You're all caught up.</p>
      )}
      <ul className={styles.rows}>
        {needs.map((need) => (
          <li key={need.name}>
            <NeedRow need={need} />
          </li>
        ))}
        {hasQuestions(alerts) && (
          <li>
            <QuestionsRow alerts={alerts} />
          </li>
        )}
      </ul>
    </section>
  );
}

interface ChangesProps {
  alerts: Alerts;
  history: boolean;
  chosen?: Kind;
  onHistory: (wanted: boolean) => void;
  onChoose: (kind: Kind | null) => void;
}

/** The counted changes. A click shows their bills. */
function Changes({ alerts: { counts, since, window }, history, chosen, onHistory, onChoose }: ChangesProps) {
  const { mirroredUser, can } = useSession();
  const { mutate: see, isPending } = useMarkSeen();
  const { mutate: unsee } = useMarkUnseen();
  const showError = (error: Error) => toast.error(formatFailure(error));
  const markSeen = () =>
    see(window, {
      onSuccess: ({ undo }) => {
        onChoose(null);
        toast.success(
          'All marked as seen',
          undo ? { label: 'Undo', run: () => unsee(undo, { onError: showError }) } : undefined,
        );
      },
      onError: showError,
    });
  return (
    <section className={`card ${styles.part}`} aria-labelledby="changes">
      <div className={styles.head}>
        <h2 id="changes">
          {history ? 'Last 30 days' : since ? `Since ${formatSince(since)}` : 'New updates'}
        </h2>
        <div className="button-row">
          {counts.length > 0 && !history && !mirroredUser && (
            <Button size="small" busy={isPending} onClick={markSeen}>
              Mark all as seen
            </Button>
          )}
          <Button size="small" variant="quiet" onClick={() => onHistory(!history)}>
            {history ? 'Since your last visit' : 'Last 30 days'}
          </Button>
        </div>
      </div>
      {counts.length === 0 && (
        <p className={styles.nothing} role="status">
          {since ? 'No changes to your bills.' : 'No updates yet. Changes to your bills will appear here.'}
        </p>
      )}
      <ul className={styles.rows} aria-label="Bill updates">
        {counts.map(({ kind, bills, amount }) => (
          <li key={kind}>
            <button
              type="button"
              className={styles.row}
              aria-pressed={chosen === kind}
              onClick={() => onChoose(chosen === kind ? null : kind)}
            >
              <span>{figures[kind].title}</span>
              <span className={styles.number}>{pluralize(bills, 'bill')}</span>
              <strong className={styles.number}>{amount > 0 && formatMoney(amount)}</strong>
            </button>
          </li>
        ))}
      </ul>
      {can('digest.own') && (
        <p className={styles.small}>
          <Link to={paths.emailSettings}>Get these updates by email</Link>
        </p>
      )}
    </section>
  );
}

interface BehindProps {
  kind: Kind;
  window: string;
  count: number;
  table: TableState;
  onTable: (table: TableState) => void;
}

/** A figure's bills. */
function FigureBills({ kind, window, count, table, onTable }: BehindProps) {
  const found = useFigureBills(kind, window, table);
  const { actingUser } = useSession();
  const { data: tins = [] } = useTinNumbers(actingUser.userNm);
  const rows = found.data?.bills ?? none;
  const linked = {
    name: 'Today',
    to: paths.today,
    ids: rows.map(({ id }) => id),
    before: table.page * table.pageSize,
    count,
  };
  return (
    <LinkedListContext value={linked}>
      <DataTable
        title={`Bills: ${figures[kind].title.toLowerCase()}`}
        // With several Tax IDs, each bill shows its own.
        columns={tins.length > 1 ? columnsWithTin : columns}
        rows={rows}
        server={{ count, exportRows: () => fetchAllBills(kind, window) }}
        rowId={({ ftin, billControlNumber, change, at }) => `${ftin} ${billControlNumber} ${change} ${at}`}
        status={found.status}
        onRetry={() => void found.refetch()}
        controlled={{ state: table, onChange: onTable }}
        exportMenu={{ menu: ActionMenu, fileName: 'Today' }}
      />
    </LinkedListContext>
  );
}

const none: AlertBill[] = [];

const plain = { sortable: false, filterable: false } as const;

const columns: Column<AlertBill>[] = [
  {
    ...plain,
    id: 'bill',
    header: 'Bill',
    lead: true,
    value: ({ billControlNumber }) => billControlNumber,
    cell: ({ id, billControlNumber }) => <BillLink page={id}>{billControlNumber}</BillLink>,
  },
  {
    ...plain,
    id: 'what',
    header: 'Change',
    value: ({ change }) => changeNames[change][0],
    cell: ({ change }) => <Chip kind={changeNames[change][1]}>{changeNames[change][0]}</Chip>,
  },
  {
    ...plain,
    id: 'on',
    header: 'Date',
    value: ({ on, at }) => on ?? at,
    text: ({ on, at }) => (on ? formatDate(on) : formatBusinessDate(at)),
  },
  {
    ...plain,
    id: 'claimant',
    header: 'Claimant',
    value: ({ patientLastName, patientFirstName }) =>
      [patientLastName, patientFirstName].filter(Boolean).join(', '),
    wrap: true,
    minWidth: '8rem',
  },
  {
    ...plain,
    id: 'service',
    header: 'Service',
    value: ({ beginServiceDate }) => beginServiceDate,
    text: ({ beginServiceDate }) => formatDate(beginServiceDate),
  },
  {
    ...plain,
    id: 'payer',
    header: 'Payer',
    value: ({ payerName }) => payerName,
    wrap: true,
    minWidth: '10rem',
  },
  { ...plain, ...makeMoneyColumn('charge', 'Charge', ({ charge }) => charge) },
  { ...plain, ...makeMoneyColumn('allowance', 'Allowance', ({ allowance }) => allowance) },
  { ...plain, ...makeMoneyColumn('paid', 'Paid', ({ paid }) => paid) },
];

const columnsWithTin: Column<AlertBill>[] = [
  ...columns.slice(0, 1),
  { ...plain, id: 'tin', header: 'TIN', value: ({ ftin }) => ftin, text: ({ ftin }) => formatTin(ftin) },
  ...columns.slice(1),
];
