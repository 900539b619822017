import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useReturnTo } from '@/shared/historyState';
import { Accordion } from '@/ui/Accordion';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatDate } from '@/ui/dates';
import { formatCount } from '@/ui/format';
import { Failed, Loading } from '@/ui/PageState';
import { LazyTable } from '@/ui/table/LazyTable';
import type { Column } from '@/ui/table/state';
import type { Visit } from './choice';
import styles from './directory.module.css';
import type { License } from './queries';
import { licensesError } from './texts';

/* Components that physician and facility pages share. */

const pageSize = 5;

interface PageProps {
  title: string;
  searchInfo: Visit['searchInfo'];
  record: UseQueryResult;
  loading: string;
  failure: string;
  /** The sections, once the record is loaded. */
  children: ReactNode;
}

export function ProviderPage({ title, searchInfo, record, loading, failure, children }: PageProps) {
  const back = <BackButton searchInfo={searchInfo} />;
  return (
    <div className="page">
      <header className={styles.head}>
        {back}
        <h1>{title}</h1>
      </header>
      {record.isPending ? (
        <Loading>{loading}</Loading>
      ) : !record.data ? (
        <Failed message={failure} onRetry={() => void record.refetch()} />
      ) : (
        <div className={styles.sections}>{children}</div>
      )}
      <div className="button-row">{back}</div>
    </div>
  );
}

function BackButton({ searchInfo }: Pick<Visit, 'searchInfo'>) {
  const lead = useReturnTo();
  return <Button onClick={() => lead({ to: '.', state: { searchInfo } })}>Back to Demographic Search</Button>;
}

/** A name, a value, and an abbreviation's meaning. */
type Fact = readonly [name: string, value: string, meaning?: string];

/** The provider's own data, expanded from the start. */
export function GeneralInformation({ facts }: { facts: readonly Fact[] }) {
  return (
    <Section title="General Information" open>
      <dl className={styles.facts}>
        {facts.map(([name, value, meaning]) => (
          <div key={name}>
            <dt>{meaning ? <abbr title={meaning}>{name}</abbr> : name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

interface PartProps<Row> {
  title: string;
  part: UseQueryResult<Row[]>;
  /** The error message when this part couldn't load. */
  failure: (error: Error) => string;
  columns: readonly Column<Row>[];
  rowId: (row: Row) => string;
  /** The initial sort column. */
  sortBy: string;
}

/** A table that loads, and can fail, independently of the others. */
export function Part<Row extends object>({ title, part, failure, columns, rowId, sortBy }: PartProps<Row>) {
  const [retried, setRetried] = useState(false);
  const { data, error, isPending, isError } = part;
  const retry = () => {
    setRetried(true);
    void part.refetch();
  };
  if (isError && !data)
    return (
      <section className="card">
        <h2 className={styles.failed}>{title}</h2>
        <Failed message={failure(error)} onRetry={retry} />
      </section>
    );
  return (
    <Section title={title} hint={isPending ? 'Loading...' : describeCount(data?.length ?? 0)} open={retried}>
      <LazyTable
        title={title}
        titleHidden
        headingLevel={3}
        columns={columns}
        rows={data ?? []}
        rowId={rowId}
        status={isPending ? 'loading' : isError ? 'stale' : 'ready'}
        onRetry={retry}
        initial={{ sort: { id: sortBy, desc: false }, pageSize }}
      />
    </Section>
  );
}

const describeCount = (count: number) => (count === 0 ? 'None on file' : `${formatCount(count)} on file`);

interface SectionProps {
  title: string;
  hint?: string;
  /** Starts expanded. */
  open?: boolean;
  children: ReactNode;
}

/** Expands independently of the other sections. */
function Section({ title, hint, open: initial = false, children }: SectionProps) {
  const [open, setOpen] = useState(initial);
  return (
    <Accordion
      sections={[{ name: 'only', title, hint, content: children }]}
      open={open ? 'only' : null}
      onOpen={(name) => setOpen(name !== null)}
    />
  );
}

export const Licenses = ({ part }: { part: UseQueryResult<License[]> }) => (
  <Part
    title="Licenses"
    part={part}
    failure={() => licensesError}
    columns={licenseColumns}
    rowId={({ ltrLicenseType, plicStateCode, plicLicenseNbr }) =>
      `${ltrLicenseType} ${plicStateCode} ${plicLicenseNbr}`
    }
    sortBy="type"
  />
);

const licenseColumns: Column<License>[] = [
  { id: 'type', header: 'Type', value: ({ ltrLicenseType }) => ltrLicenseType },
  { id: 'state', header: 'State', value: ({ plicStateCode }) => plicStateCode },
  { id: 'number', header: 'License Number', value: ({ plicLicenseNbr }) => plicLicenseNbr },
  {
    id: 'issued',
    header: 'Issue Date',
    value: ({ plicIssueDate }) => plicIssueDate,
    text: ({ plicIssueDate }) => formatDate(plicIssueDate),
  },
  {
    id: 'expires',
    header: 'Expiration Date',
    value: ({ plicExpirationDate }) => plicExpirationDate,
    text: ({ plicExpirationDate }) => formatDate(plicExpirationDate),
  },
  { id: 'status', header: 'Status', value: ({ lsrStatus }) => lsrStatus },
];

/** An office's name. The primary office is marked. */
export const OfficeName = ({ name, primary }: { name: string; primary: 'Y' | 'N' }) => (
  <span className={styles.office}>
    {name}
    {primary === 'Y' && (
      <>
        {' '}
        <Chip kind="info" title="Primary">
          <span aria-hidden="true">P</span>
          <span className="visually-hidden">Primary</span>
        </Chip>
      </>
    )}
  </span>
);

const flags = { '': '', Y: 'Yes', N: 'No' };

export const yesOrNo = (flag: keyof typeof flags) => flags[flag];

export const ViewDetails = ({ of, onClick }: { of: string; onClick: () => void }) => (
  <Button variant="link" onClick={onClick}>
    View Details
    <span className="visually-hidden"> of {of}</span>
  </Button>
);

/** A small table of an office's services, one per row. */
export function Offers({ title, titleHidden, names }: OffersProps) {
  const [columns] = useState<Column<{ name: string }>[]>([
    { id: 'name', header: title, value: ({ name }) => name, wrap: true },
  ]);
  return (
    <LazyTable
      title={title}
      titleHidden={titleHidden}
      headingLevel={3}
      columns={columns}
      rows={names.map((name) => ({ name }))}
      rowId={({ name }) => name}
      initial={{ sort: { id: 'name', desc: false }, pageSize }}
    />
  );
}

interface OffersProps {
  /** Names the table and its only column. */
  title: string;
  titleHidden?: boolean;
  names: readonly string[];
}
