import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import { Breadcrumbs } from '@/shared/Breadcrumbs';
import { useSearchState } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { parseDate } from '@/ui/dates';
import { type Fact, Facts } from '@/ui/Facts';
import { DateField } from '@/ui/form/DateField';
import { SearchCard } from '@/ui/form/SearchCard';
import { formatCount } from '@/ui/format';
import { Empty, Failed, Loading, NotPermitted } from '@/ui/PageState';
import { ShortTable } from '@/ui/table/ShortTable';
import { type CaseSummary, topics } from './cases';
import styles from './cases.module.css';
import { useCaseTimes } from './queries';
import { type Days, daysSchema, formatHours, getDefaultDays, readDays } from './times';

type Figures = components['schemas']['CaseFigures'];

/** How fast staff answer questions. */
export default function TimesPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <Breadcrumbs name="Answer times" list={{ name: 'Questions', to: paths.deskCases }} />
      <header>
        <h1>Answer times</h1>
        <p className="page-lead">
          Questions answered for the first time in these days, in hours by the clock. Open and overdue
          questions are as of now, by who has taken them.
        </p>
      </header>
      {can('cases.lead') ? <Times /> : <NotPermitted />}
    </div>
  );
}

function Times() {
  const { search, start } = useSearchState(readDays, {});
  const days = search?.criteria ?? getDefaultDays();
  const { data, isError, isFetching, refetch } = useCaseTimes({
    from: parseDate(days.from) ?? '',
    to: parseDate(days.to) ?? '',
  });
  return (
    <>
      <DaysForm days={days} searching={isFetching} onSearch={start} />
      {!data ? (
        isError ? (
          <Failed onRetry={() => void refetch()} />
        ) : (
          <Loading />
        )
      ) : (
        <>
          <section className="card" aria-label="Calls">
            <Facts inset facts={describeCalls(data)} />
          </section>
          <FiguresTable
            title="Staff"
            column="Name"
            rows={data.staff}
            formatName={(name) => name || 'Unassigned'}
          />
          <FiguresTable
            title="Topics"
            column="Topic"
            rows={data.topics}
            formatName={(name) => topics[name as CaseSummary['topic']] ?? name}
          />
        </>
      )}
    </>
  );
}

/** Returns the calls of the days, and what they are per 1,000 new bills. */
function describeCalls({ topics: rows, newBills }: components['schemas']['CaseTimes']): Fact[] {
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  return [
    ['Calls', formatCount(calls)],
    ['New bills', formatCount(newBills)],
    ['Calls per 1,000 new bills', newBills > 0 ? ((1000 * calls) / newBills).toFixed(1) : 'None imported'],
  ];
}

interface FormProps {
  days: Days;
  searching: boolean;
  onSearch: (days: Days) => void;
}

function DaysForm({ days, searching, onSearch }: FormProps) {
  const { control, handleSubmit } = useForm<Days>({
    resolver: zodResolver(daysSchema),
    defaultValues: days,
  });
  return (
    <SearchCard searching={searching} searchLabel="Show" onSubmit={handleSubmit(onSearch)}>
      <div className={styles.days}>
        <DateField control={control} name="from" label="From" />
        <DateField control={control} name="to" label="To" />
      </div>
    </SearchCard>
  );
}

interface TableProps {
  title: string;
  column: string;
  rows: Figures[];
  formatName: (name: string) => string;
}

const FiguresTable = ({ title, column, rows, formatName }: TableProps) => (
  <section className="card" aria-label={title}>
    <h2 className={styles.title}>{title}</h2>
    {rows.length === 0 ? (
      <Empty title="No questions in these days." />
    ) : (
      <ShortTable
        label={title}
        rows={rows}
        rowId={({ name }) => name}
        columns={[{ header: column, cell: ({ name }) => formatName(name) }, ...columns]}
      />
    )}
  </section>
);

const count = (header: string, get: (figures: Figures) => number) => ({
  header,
  align: 'end' as const,
  cell: (figures: Figures) => formatCount(get(figures)),
});

const columns = [
  count('Open', ({ open }) => open),
  count('Overdue', ({ overdue }) => overdue),
  count('Answered', ({ answered }) => answered),
  { header: 'Half within', align: 'end' as const, cell: ({ median }: Figures) => formatHours(median) },
  { header: '90% within', align: 'end' as const, cell: ({ p90 }: Figures) => formatHours(p90) },
  count('Yes', ({ yes }) => yes),
  count('No', ({ no }) => no),
  count('Calls', ({ calls }) => calls),
];
