import { type ReactNode, useEffect, useRef } from 'react';
import { BillLink } from '@/shared/BillLink';
import { Banner } from '@/ui/Banner';
import { Button, LinkButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatDate, formatLocalDateTime } from '@/ui/dates';
import { formatCount, formatMoney, formatTin } from '@/ui/format';
import { Failed, Loading } from '@/ui/PageState';
import { Progress } from '@/ui/Progress';
import { pluralize } from '@/ui/pluralize';
import { Tiles, ToggleTile } from '@/ui/Tiles';
import { makeMoneyColumn } from '@/ui/table/columns';
import { DataTable } from '@/ui/table/DataTable';
import type { Column, TableState } from '@/ui/table/state';
import { MatchList, Status } from './Answers';
import styles from './bulklookup.module.css';
import type { SentClaims } from './criteria';
import {
  type Claim,
  type ClaimPage,
  formatFailure,
  getResultUrl,
  type Outcome,
  useClaims,
  useJob,
} from './queries';

interface Props {
  /** The 837 as sent. */
  claims: SentClaims;
  /** The lookup has just been requested, so the results take the focus. */
  arrived: boolean;
  table: TableState;
  onTable: (table: TableState) => void;
  onNewList: () => void;
}

/** The bills of an 837: on file or not, and what differs. */
export function ClaimResults({ claims: { id, name }, arrived, table, onTable, onNewList }: Props) {
  const job = useJob(id);
  const again = (
    <Button size="small" onClick={onNewList}>
      New list
    </Button>
  );
  if (job.data?.status === 'done')
    return (
      <Found arrived={arrived} job={id} name={name} table={table} onTable={onTable}>
        {again}
      </Found>
    );
  return (
    <section className="card" aria-label="Results">
      <div className={`card-body ${styles.refused}`}>
        {job.isError && !job.data ? (
          <Banner kind="error">{formatFailure(job.error)}</Banner>
        ) : job.data?.status === 'failed' ? (
          <Banner kind="error">Couldn't look up {name}. Send the file again.</Banner>
        ) : job.data ? (
          <p role="status" className={styles.running}>
            Looking up the bills of {name}
            <Progress label={`Lookup progress: ${name}`} done={job.data.done} of={job.data.rows} />
          </p>
        ) : (
          <Loading />
        )}
        {again}
      </div>
    </section>
  );
}

interface FoundProps {
  arrived: boolean;
  job: string;
  name: string;
  table: TableState;
  onTable: (table: TableState) => void;
  children: ReactNode;
}

function Found({ arrived, job, name, table, onTable, children }: FoundProps) {
  const outcome = (table.filters.outcome ?? '') as Outcome | '';
  const { data, isError, shown } = useClaims(job, table);
  const heading = useRef<HTMLHeadingElement>(null);
  const isHere = data !== undefined;
  useEffect(() => {
    if (arrived && isHere) heading.current?.focus();
  }, [arrived, isHere]);
  if (!data)
    return (
      <section className="card" aria-label="Results">
        {isError ? <Failed onRetry={shown.onRetry} /> : <Loading />}
        <div className="card-body">{children}</div>
      </section>
    );
  return (
    <div className={styles.claims}>
      <div className={styles.summary}>
        <h2 ref={heading} tabIndex={-1}>
          {summarize(data.counts)}
        </h2>
        <div className="button-row">
          {(['xlsx', 'csv'] as const).map((format) => (
            <LinkButton key={format} size="small" href={getResultUrl(job, format)} download>
              Download {format.toUpperCase()}
            </LinkButton>
          ))}
          {children}
        </div>
      </div>
      {data.warnings.map((text) => (
        <Banner key={text} kind="warning">
          {text}
        </Banner>
      ))}
      <Tiles label="Bills by result">
        {tiles.flatMap(([name, label]) => {
          const count = data.counts.find((count) => count.outcome === name);
          if (!count?.bills) return [];
          return (
            <ToggleTile
              key={name}
              pressed={outcome === name}
              onToggle={() =>
                onTable({ ...table, page: 0, filters: outcome === name ? {} : { outcome: name } })
              }
            >
              <span>{label}</span>
              <strong>{formatDollars(count.charges)}</strong>
              <span className={styles.small}>{pluralize(count.bills, 'bill')}</span>
            </ToggleTile>
          );
        })}
      </Tiles>
      <DataTable
        title={outcome ? labels[outcome] : 'All bills sent'}
        counted={data.count === 1 ? 'bill' : 'bills'}
        columns={columns}
        {...shown}
        rowId={({ line }) => String(line)}
        controlled={{ state: table, onChange: onTable }}
        detail={showDetail}
        empty={`No bills in ${name}`}
      />
      {data.asOf && (
        <p className={styles.asOf}>
          As of <time dateTime={data.asOf}>{formatLocalDateTime(data.asOf)}</time>
        </p>
      )}
    </div>
  );
}

const formatDollars = (amount: number) => `$${formatCount(Math.round(amount))}`;

const tiles: [Outcome, string][] = [
  ['none', 'Not on file'],
  ['different', 'On file, but different'],
  ['several', 'Multiple matches'],
  ['unreadable', 'Unreadable'],
  ['found', 'On file'],
];

const labels = Object.fromEntries(tiles) as Record<Outcome, string>;

/** You sent 300 bills. 291 are on file, 9 are not. */
export function summarize(counts: ClaimPage['counts']): string {
  const count = (...outcomes: Outcome[]) =>
    counts.reduce((sum, { outcome, bills }) => (outcomes.includes(outcome) ? sum + bills : sum), 0);
  const be = (n: number) => `${formatCount(n)} ${n === 1 ? 'is' : 'are'}`;
  const others = [
    count('several') > 0 && `${formatCount(count('several'))} with multiple matches`,
    count('unreadable') > 0 && `${formatCount(count('unreadable'))} unreadable`,
  ].filter(Boolean);
  const sent = counts.reduce((sum, { bills }) => sum + bills, 0);
  return [
    `You sent ${pluralize(sent, 'bill')}.`,
    `${be(count('found', 'different'))} on file, ${be(count('none'))} not.`,
    others.length > 0 && `${others.join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

const plain = { sortable: false, filterable: false } as const;

const formatDays = ({ beginServiceDate, endServiceDate }: Claim) =>
  [formatDate(beginServiceDate), endServiceDate !== beginServiceDate && formatDate(endServiceDate)]
    .filter(Boolean)
    .join(' – ');

const columns: Column<Claim>[] = [
  {
    ...plain,
    id: 'account',
    header: 'Patient account',
    lead: true,
    value: ({ patientControlNumber }) => patientControlNumber,
  },
  {
    ...plain,
    id: 'patient',
    header: 'Patient',
    value: ({ patientLastName, patientFirstName }) =>
      [patientLastName, patientFirstName].filter(Boolean).join(', '),
    wrap: true,
    minWidth: '8rem',
    brief: 'below',
  },
  {
    ...plain,
    id: 'service',
    header: 'Service',
    value: ({ beginServiceDate }) => beginServiceDate,
    text: formatDays,
    brief: 'below',
  },
  { ...plain, id: 'tin', header: 'Tax ID', value: ({ ftin }) => ftin, text: ({ ftin }) => formatTin(ftin) },
  { ...plain, ...makeMoneyColumn('charge', 'Charge', ({ charge }: Claim) => charge), brief: 'end' },
  {
    ...plain,
    id: 'outcome',
    header: 'On file',
    value: ({ outcome }) => labels[outcome],
    cell: (claim) => <OnFile claim={claim} />,
    brief: 'below',
  },
  {
    ...plain,
    id: 'status',
    header: 'Status',
    value: () => '',
    cell: ({ outcome, bills: [bill] }) => bill && outcome !== 'several' && <Status bill={bill} />,
    wrap: true,
    minWidth: '9rem',
  },
];

function OnFile({
  claim: {
    outcome,
    matches,
    bills: [bill],
  },
}: {
  claim: Claim;
}) {
  if (outcome === 'several') return <Chip kind="info">{matches < 100 ? matches : '100+'} matches</Chip>;
  if (bill) return <BillLink page={bill.id}>{bill.billControlNumber}</BillLink>;
  return <Chip kind="warning">{labels[outcome]}</Chip>;
}

const fields: Record<Claim['differences'][number]['field'], string> = {
  ftin: 'Tax ID',
  lastName: 'Last name',
  firstName: 'First name',
  dates: 'Service',
  charge: 'Charge',
};

const formatValue = (field: keyof typeof fields, value: string) =>
  field === 'charge' ? formatMoney(Number(value)) : value || 'None';

/** What's below a bill: its matches, the differing values side by side, or why it can't be read. */
function showDetail({ outcome, matches, bills, differences, problem }: Claim) {
  if (outcome === 'several') return <MatchList matches={matches} bills={bills} />;
  if (problem) return <p className={styles.damage}>{problem}</p>;
  if (differences.length === 0) return null;
  return (
    <dl className={styles.differences}>
      {differences.map(({ field, sent, onFile }) => (
        <div key={field}>
          <dt>{fields[field]}</dt>
          <dd>Sent {formatValue(field, sent)}</dd>
          <dd>
            On file <strong>{formatValue(field, onFile)}</strong>
          </dd>
        </div>
      ))}
    </dl>
  );
}
