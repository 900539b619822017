import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { RemittanceLink } from '@/shared/BillLink';
import { billStates } from '@/shared/billStates.gen';
import { FollowBills } from '@/shared/FollowBills';
import { OpenBillsLink } from '@/shared/OpenBillsLink';
import * as paths from '@/shared/paths';
import { BillCode } from '@/shared/ReasonChip';
import { getColumnName } from '@/shared/tableColumns';
import { makeTinColumn, useOfficeNames } from '@/shared/tins';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatDate, formatLocalDateTime } from '@/ui/dates';
import { ResultRegion } from '@/ui/form/SearchCard';
import { formatCount, formatMoney, formatTin } from '@/ui/format';
import { DownloadIcon } from '@/ui/icons';
import { Failed, Loading } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { makeMoneyColumn } from '@/ui/table/columns';
import { DataTable } from '@/ui/table/DataTable';
import type { Column, TableState } from '@/ui/table/state';
import styles from './bulklookup.module.css';
import { type Criteria, getLines } from './criteria';
import { type Answered, type Found, formatFailure, isTooMany, type Line, useExport } from './queries';

interface Props {
  criteria: Criteria;
  run: number;
  answers: UseQueryResult<Answered>;
  table: TableState;
  onTable: (table: TableState) => void;
  /** For more lines than can be answered directly. Undefined while mirroring. */
  onSendAsFile?: () => void;
  sending: boolean;
}

/** Each line's result next to the office's own columns. */
export function Answers({ criteria, run, answers, table, onTable, onSendAsFile, sending }: Props) {
  const { data, error, isFetching, refetch } = answers;
  const rows = useMemo(() => (data ? toRows(criteria, data) : []), [criteria, data]);
  const offices = useOfficeNames(
    useMemo(() => [...new Set(rows.flatMap(({ bill }) => bill?.ftin ?? []))], [rows]),
  );
  const columns = useMemo(() => getColumns(criteria, offices), [criteria, offices]);
  const save = useExport();
  return (
    <ResultRegion run={run} ready={data !== undefined || (error !== null && !isFetching)}>
      {isFetching && (
        <div className="card">
          <Loading>Looking up your lines…</Loading>
        </div>
      )}
      {error && !isFetching && (
        <section className="card">
          <h2 className="visually-hidden">Results</h2>
          {isTooMany(error) ? (
            <div className={`card-body ${styles.refused}`}>
              <Banner kind="error">{error.message}</Banner>
              {onSendAsFile && (
                <Button busy={sending} onClick={onSendAsFile}>
                  Send as a file
                </Button>
              )}
            </div>
          ) : (
            <Failed message={formatFailure(error)} onRetry={() => void refetch()} />
          )}
        </section>
      )}
      {data && (
        <div className={styles.answers}>
          <DataTable
            title="Results"
            counted={data.lines.length === 1 ? 'line' : 'lines'}
            columns={columns}
            rows={rows}
            rowId={({ line }) => String(line)}
            controlled={{ state: table, onChange: onTable }}
            detail={listMatches}
            notice={<Tiles counts={data.counts} asOf={data.asOf} table={table} onTable={onTable} />}
            toolbar={[
              <FollowBills key="watch" bills={rows.flatMap(({ bill }) => bill?.id ?? [])} />,
              ...(['xlsx', 'csv'] as const).map((format) => (
                <Button
                  key={format}
                  size="small"
                  busy={save.isPending && save.variables.format === format}
                  disabled={save.isPending && save.variables.format !== format}
                  onClick={() =>
                    save.mutate(
                      { criteria, format },
                      {
                        onError: (problem) =>
                          toast.error(formatFailure(problem, "Couldn't create the file.")),
                      },
                    )
                  }
                >
                  <DownloadIcon width="1rem" height="1rem" />
                  Download {format.toUpperCase()}
                </Button>
              )),
            ]}
          />
          <OpenBillsLink pages={rows.flatMap(({ bill }) => bill?.id ?? [])} />
        </div>
      )}
    </ResultRegion>
  );
}

/** A line: the office's cells and the result. */
interface Row extends Line {
  own: readonly string[];
  /** The bill if there is exactly one. */
  bill: Found | null;
}

const toRows = ({ list, headerRows }: Criteria, { lines }: Answered): Row[] => {
  const own = getLines(list).slice(headerRows);
  return lines.map((line, at) => ({
    ...line,
    own: own[at] ?? [],
    bill: line.answer === 'found' ? (line.bills[0] ?? null) : null,
  }));
};

// The wording of the server's file, which has the number of matches instead of "Multiple".
const foundTexts: Record<Line['answer'], string> = {
  found: '1',
  several: 'Multiple',
  none: 'None',
  unreadable: 'Unreadable',
};

const statuses: readonly Found['status'][] = ['paid', 'denied', 'takenBack', 'priced', 'received', 'other'];

// A column with longer texts wraps them.
const maxCell = 16;

const getColumns = (
  { list, columns }: Criteria,
  offices: ReturnType<typeof useOfficeNames>,
): Column<Row>[] => [
  ...columns.map((column): Column<Row> => {
    const wrap = getLines(list).some((cells) => (cells[column.index] ?? '').length > maxCell);
    return {
      id: `own-${column.index}`,
      header: getColumnName(column),
      value: ({ own }) => own[column.index],
      cell: (row) => <OwnCell row={row} index={column.index} />,
      ...(wrap && { wrap, minWidth: '9rem' }),
    };
  }),
  {
    id: 'found',
    header: 'Found',
    value: ({ answer }) => foundTexts[answer],
    choices: Object.values(foundTexts),
    cell: (row) => <FoundCell row={row} />,
  },
  ...(offices.size > 0 ? [makeTinColumn('Tax ID', ({ bill }: Row) => bill?.ftin, offices)] : []),
  {
    id: 'status',
    header: 'Status',
    value: ({ bill }) => bill && billStates[bill.status],
    choices: statuses.map((status) => billStates[status]),
    cell: ({ bill }) => bill && <Status bill={bill} />,
    wrap: true,
    minWidth: '10rem',
  },
  {
    id: 'received',
    header: 'Received',
    value: ({ bill }) => bill?.receivedOn,
    text: ({ bill }) => formatDate(bill?.receivedOn),
  },
  makeMoneyColumn('allowance', 'Network allowance', ({ bill }) => bill?.allowance),
  makeMoneyColumn('paid', 'Paid', ({ bill }) => bill?.paid),
  {
    id: 'paidOn',
    header: 'Paid on',
    value: ({ bill }) => bill?.paidOn,
    text: ({ bill }) => formatDate(bill?.paidOn),
  },
  {
    id: 'check',
    header: 'Check or EFT',
    value: ({ bill }) => bill?.checkNumber,
    cell: ({ bill }) =>
      bill?.remittanceId ? (
        <RemittanceLink page={bill.remittanceId}>{bill.checkNumber}</RemittanceLink>
      ) : (
        bill?.checkNumber
      ),
  },
  {
    id: 'reasons',
    header: 'Reason codes',
    value: ({ bill }) => bill?.reasons.join(' '),
    cell: ({ bill }) =>
      bill &&
      bill.reasons.length > 0 && (
        <span className={styles.reasons}>
          {bill.reasons.map((code) => (
            <BillCode key={code} code={code} jurisdiction={bill.jurisdiction} compact />
          ))}
        </span>
      ),
    wrap: true,
    minWidth: '5.5rem',
  },
  { id: 'nextStep', header: 'Next step', value: ({ bill }) => bill?.nextStep, wrap: true, minWidth: '9rem' },
];

/** A cell of the office's list, with its problem below. */
function OwnCell({ row: { own, cells }, index }: { row: Row; index: number }) {
  const problems = cells.filter((cell) => cell.index === index);
  return (
    <>
      {own[index]}
      {problems.map(({ message }) => (
        <span key={message} className={styles.damage}>
          {message}
        </span>
      ))}
    </>
  );
}

// The server counts up to this many.
const maxCounted = 100;
const formatMatchCount = (matches: number) => (matches < maxCounted ? String(matches) : `${maxCounted}+`);

function FoundCell({ row: { answer, matches, bill } }: { row: Row }) {
  if (bill) return <BillLink bill={bill} />;
  if (answer === 'several') return <Chip kind="info">{formatMatchCount(matches)} matches</Chip>;
  return <Chip kind={answer === 'unreadable' ? 'warning' : 'neutral'}>{foundTexts[answer]}</Chip>;
}

const BillLink = ({ bill }: { bill: Found }) => (
  <Link {...paths.toBill(bill.id)} aria-label={`Bill ${bill.billControlNumber}`}>
    {bill.billControlNumber}
  </Link>
);

export function Status({ bill: { status, state, tone } }: { bill: Found }) {
  const word = billStates[status];
  // "Other" adds nothing, so show only the status.
  if (status === 'other' || state === word) return <Chip kind={tone}>{state}</Chip>;
  return (
    <>
      <Chip kind={tone}>{word}</Chip>
      <span className={styles.state}>{state}</span>
    </>
  );
}

const listMatches = ({ answer, matches, bills }: Row) =>
  answer === 'several' ? <MatchList matches={matches} bills={bills} /> : null;

/** Several matching bills of a line, to select from. */
export function MatchList({ matches, bills }: Pick<Line, 'matches' | 'bills'>) {
  return (
    <div className={styles.matches}>
      <p>
        {matches > bills.length
          ? `Showing the ${bills.length} latest of ${formatMatchCount(matches)} bills:`
          : 'Matching bills:'}
      </p>
      <ul>
        {bills.map((bill) => (
          <li key={bill.id}>
            <BillLink bill={bill} /> <Chip kind={bill.tone}>{bill.state}</Chip>
            <span>
              {[
                `${bill.patientFirstName} ${bill.patientLastName}`.trim(),
                bill.beginServiceDate && `service ${formatDate(bill.beginServiceDate)}`,
                bill.allowance !== null && `allowance ${formatMoney(bill.allowance)}`,
                bill.paid !== null && `paid ${formatMoney(bill.paid)}`,
                `TIN ${formatTin(bill.ftin)}`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

type Count = keyof Answered['counts'];

/** What each tile counts, and the column that it filters. */
const tiles: [Count, string, { status: string } | { found: string }][] = [
  ['paid', 'paid', { status: billStates.paid }],
  ['denied', 'denied', { status: billStates.denied }],
  ['takenBack', 'payment reversed', { status: billStates.takenBack }],
  ['priced', 'repriced, unpaid', { status: billStates.priced }],
  ['received', 'not repriced', { status: billStates.received }],
  ['other', 'void or other', { status: billStates.other }],
  ['several', 'with multiple matches', { found: foundTexts.several }],
  ['notFound', 'not found', { found: foundTexts.none }],
  ['unreadable', 'unreadable', { found: foundTexts.unreadable }],
];

interface TilesProps {
  counts: Answered['counts'];
  asOf: string;
  table: TableState;
  onTable: (table: TableState) => void;
}

/** The result summary. Each count filters its lines. */
function Tiles({ counts, asOf, table, onTable }: TilesProps) {
  const { status, found } = table.filters;
  return (
    <div className={styles.outcome}>
      <ul className={styles.tiles} aria-label="Results summary">
        {tiles
          .filter(([count]) => counts[count] > 0)
          .map(([count, label, filter]) => {
            const shown = 'status' in filter ? status === filter.status : found === filter.found;
            return (
              <li key={count}>
                <button
                  type="button"
                  className={styles.tile}
                  aria-pressed={shown}
                  onClick={() => {
                    const { status: _, found: __, ...others } = table.filters;
                    onTable({ ...table, page: 0, filters: shown ? others : { ...others, ...filter } });
                  }}
                >
                  <strong>{formatCount(counts[count])}</strong> {label}
                </button>
              </li>
            );
          })}
      </ul>
      {asOf && (
        <p className={styles.asOf}>
          As of <time dateTime={asOf}>{formatLocalDateTime(asOf)}</time>
        </p>
      )}
    </div>
  );
}
