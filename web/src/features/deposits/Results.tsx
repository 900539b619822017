import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useSetDepositSum } from '@/shared/depositSum';
import { errorMessage } from '@/shared/errorMessage';
import type { SavedSearch } from '@/shared/historyState';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { formatDate, formatLocalDateTime } from '@/ui/dates';
import { ResultRegion } from '@/ui/form/SearchCard';
import { formatCount, formatMoney } from '@/ui/format';
import { DownloadIcon } from '@/ui/icons';
import { Failed, Loading } from '@/ui/PageState';
import { pluralize } from '@/ui/pluralize';
import { Tiles, ToggleTile } from '@/ui/Tiles';
import { toast } from '@/ui/Toasts';
import { DataTable } from '@/ui/table/DataTable';
import type { TableState } from '@/ui/table/state';
import {
  answerNames,
  listUnposted,
  type Matched,
  type Remittance,
  sortDeposits,
  sumAnswers,
  sumDeposits,
} from './answers';
import { getDepositColumns, getRestColumns } from './columns';
import type { Criteria } from './criteria';
import styles from './deposits.module.css';
import { formatFailure, type List, type Marked, useCanPost, useExport, usePost } from './queries';

interface Props {
  criteria: Criteria;
  list: List;
  run: number;
  matches: UseQueryResult<Matched>;
  table: TableState;
  onTable: (table: TableState) => void;
  /** Shows the matches again, from Remittances. */
  search: SavedSearch;
}

/** What became of each deposit, and the remittances without one. */
export function Results({ criteria, list, run, matches, table, onTable, search }: Props) {
  const { data, error, isFetching, refetch } = matches;
  return (
    <ResultRegion run={run} ready={data !== undefined || (error !== null && !isFetching)}>
      {isFetching && (
        <div className="card">
          <Loading>Matching your deposits…</Loading>
        </div>
      )}
      {error && !isFetching && (
        <section className="card">
          <h2 className="visually-hidden">Results</h2>
          <Failed message={formatFailure(error)} onRetry={() => void refetch()} />
        </section>
      )}
      {data && !isFetching && (
        <div className={styles.results}>
          <DepositTable {...{ criteria, list, data, table, onTable, search }} />
          <RestTable data={data} />
        </div>
      )}
    </ResultRegion>
  );
}

interface TableProps extends Pick<Props, 'criteria' | 'list' | 'table' | 'onTable' | 'search'> {
  data: Matched;
}

function DepositTable({ criteria, list, data, table, onTable, search }: TableProps) {
  const rows = useMemo(() => sortDeposits(data.deposits), [data]);
  const columns = useMemo(() => getDepositColumns(rows), [rows]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [outcome, setOutcome] = useState<Marked | null>(null);
  const canPost = useCanPost();
  const save = useExport();
  const setSum = useSetDepositSum();
  const storeSum = useEffectEvent(() => {
    setSum({ ...sumDeposits(data.deposits), search });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each result
  useEffect(() => storeSum(), [data]);
  return (
    <DataTable
      title="Deposits"
      counted={rows.length === 1 ? 'deposit' : 'deposits'}
      columns={columns}
      rows={rows}
      rowId={({ line }) => String(line)}
      controlled={{ state: table, onChange: onTable }}
      selection={
        canPost
          ? {
              selected,
              onChange: setSelected,
              label: ({ line }) => `line ${line}`,
              disabled: (deposit) => listUnposted([deposit]).length === 0,
            }
          : undefined
      }
      notice={
        <div className={styles.outcome}>
          {outcome && <OutcomeBanner outcome={outcome} />}
          <Summary data={data} table={table} onTable={onTable} />
        </div>
      }
      toolbar={
        <>
          {canPost && (
            <PostButton
              criteria={criteria}
              rows={rows}
              selected={selected}
              onDone={(outcome) => {
                setSelected(new Set());
                setOutcome(outcome);
              }}
            />
          )}
          {(['xlsx', 'csv'] as const).map((format) => (
            <Button
              key={format}
              size="small"
              busy={save.isPending && save.variables.format === format}
              disabled={save.isPending && save.variables.format !== format}
              onClick={() =>
                save.mutate(
                  { criteria, list, format },
                  {
                    onError: (problem) => toast.error(formatFailure(problem, "Couldn't create the file.")),
                  },
                )
              }
            >
              <DownloadIcon width="1rem" height="1rem" />
              Download {format.toUpperCase()}
            </Button>
          ))}
        </>
      }
    />
  );
}

interface PostProps {
  criteria: Criteria;
  rows: Matched['deposits'];
  selected: ReadonlySet<string>;
  onDone: (outcome: Marked | null) => void;
}

/** Marks the matched remittances as posted, or the selected ones. */
function PostButton({ criteria, rows, selected, onDone }: PostProps) {
  const { mutate: post, isPending } = usePost(criteria);
  const chosen = rows.filter(({ line, answer }) =>
    selected.size > 0 ? selected.has(String(line)) : answer === 'matched',
  );
  const unposted = listUnposted(chosen);
  const undo = (rows: Remittance[]) =>
    post(
      { rows, posted: false },
      {
        onSuccess: ({ problem }) =>
          problem ? toast.error(formatProblem(problem)) : toast.success('Change undone'),
      },
    );
  const mark = () =>
    post(
      { rows: unposted, posted: true },
      {
        onSuccess: (outcome) => {
          const { done, changed, failed } = outcome;
          onDone(changed.length + failed.length > 0 ? outcome : null);
          // A remittance that was posted before keeps its earlier mark.
          const added = done.filter(({ posted }) => !posted);
          if (done.length > 0)
            toast.success(
              `${pluralize(done.length, 'remittance')} marked as posted`,
              added.length > 0 ? { label: 'Undo', run: () => undo(added) } : undefined,
            );
        },
      },
    );
  return (
    <Button
      size="small"
      variant={unposted.length > 0 ? 'primary' : 'secondary'}
      busy={isPending}
      disabled={unposted.length === 0}
      onClick={mark}
    >
      Mark {selected.size > 0 ? 'selected' : 'matched'} as posted ({formatCount(unposted.length)})
    </Button>
  );
}

const formatProblem = (problem: Error) => errorMessage(problem, "Error: Couldn't mark as posted. Try again.");

/** The remittances that weren't marked as they were matched. */
function OutcomeBanner({ outcome: { changed, failed, problem } }: { outcome: Marked }) {
  const listNumbers = (rows: Remittance[]) => rows.map(({ number }) => number || 'No number').join(', ');
  return (
    <Banner kind="warning">
      {changed.length > 0 && (
        <p>
          {pluralize(changed.length, 'remittance')} changed since you matched: {listNumbers(changed)}. Only
          the matched amounts are marked as posted.
        </p>
      )}
      {failed.length > 0 && problem && (
        <p>
          {pluralize(failed.length, 'remittance')} not marked: {listNumbers(failed)}. {formatProblem(problem)}
        </p>
      )}
    </Banner>
  );
}

interface SummaryProps extends Pick<Props, 'table' | 'onTable'> {
  data: Matched;
}

/** The sums by answer. Each one filters its deposits. */
function Summary({ data, table, onTable }: SummaryProps) {
  const { deposits, asOf, from, to } = data;
  const { deposited, matched } = sumDeposits(deposits);
  const sums = sumAnswers(deposits);
  return (
    <>
      <p className={styles.sum}>
        <strong>
          {formatMoney(matched)} of {formatMoney(deposited)}
        </strong>{' '}
        in deposits matched
      </p>
      {sums.length > 1 && (
        <Tiles label="Results summary">
          {sums.map(({ answer, count, amount }) => {
            const name = answerNames[answer];
            const pressed = table.filters.answer === name;
            return (
              <ToggleTile
                key={answer}
                pressed={pressed}
                onToggle={() => {
                  const { answer: _, ...others } = table.filters;
                  onTable({ ...table, page: 0, filters: pressed ? others : { ...others, answer: name } });
                }}
              >
                <span>{name}</span>
                <strong>{formatCount(count)}</strong>
                <span className={styles.small}>{formatMoney(amount)}</span>
              </ToggleTile>
            );
          })}
        </Tiles>
      )}
      <p className={styles.small}>
        Compared with remittances paid {formatDate(from)} to {formatDate(to)}
        {asOf && (
          <>
            , as of <time dateTime={asOf}>{formatLocalDateTime(asOf)}</time>
          </>
        )}
      </p>
    </>
  );
}

/** The remittances of these days that no deposit paid. */
function RestTable({ data: { remittances, unmatched, from, to } }: { data: Matched }) {
  const columns = useMemo(() => getRestColumns(), []);
  const count = unmatched.reduce((total, { count }) => total + count, 0);
  return (
    <DataTable
      title="Remittances without a deposit"
      counted={count === 1 ? 'remittance' : 'remittances'}
      columns={columns}
      rows={remittances}
      rowId={({ remittance }) => remittance.id}
      initial={{ pageSize: 10 }}
      empty="Every remittance of these days has a deposit."
      notice={
        count > remittances.length && (
          <Banner kind="info">
            <p>
              Showing {formatCount(remittances.length)} of {formatCount(count)}. Search Remittances from{' '}
              {formatDate(from)} to {formatDate(to)} to see all.
            </p>
          </Banner>
        )
      }
    />
  );
}
