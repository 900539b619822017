import { useEffect, useRef, useState } from 'react';
import { useSession } from '@/api/session';
import { useSearchState } from '@/shared/historyState';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { cx } from '@/ui/cx';
import { countDays, formatBusinessDateTime, formatDate, formatSince } from '@/ui/dates';
import { SelectInput } from '@/ui/form/inputs';
import { formatCount } from '@/ui/format';
import { DownloadIcon } from '@/ui/icons';
import { Empty, Failed, Loading, NotPermitted, Stale } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { Trend } from '@/ui/Trend';
import { type ShortColumn, ShortTable } from '@/ui/table/ShortTable';
import { useFold } from '@/ui/useFold';
import { FileDialog } from './FileDialog';
import styles from './feeds.module.css';
import { measureNames, measureNotes } from './measures.gen';
import {
  type Measure,
  type Quality,
  type QualityScope,
  type Source,
  useDays,
  useQuality,
  useSources,
  useWorstFiles,
} from './queries';
import { formatChange, formatShare, formatShareCount, getKindName, getShare } from './wording';

/**
 * The share of good data in imported files, and whether the last day is worse than earlier ones.
 */
export default function DeskQualityPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Data quality</h1>
        <p className="page-lead">
          Data quality by file. Shows the share of valid bills, payments and codes, and any drop from all
          earlier days.
        </p>
      </header>
      {can('feeds.watch') ? <FileQuality /> : <NotPermitted />}
    </div>
  );
}

/** The selected files, and the measure and day to list them by. */
interface QualityFilter extends QualityScope {
  measure: string;
  day: string;
}

const initialFilter: QualityFilter = { kind: '', sourceId: 0, measure: '', day: '' };

function readFilter(stored: unknown): QualityFilter | null {
  const { kind, sourceId, measure, day } = (stored ?? {}) as Partial<QualityFilter>;
  return typeof kind === 'string' &&
    typeof sourceId === 'number' &&
    typeof measure === 'string' &&
    typeof day === 'string'
    ? { kind, sourceId, measure, day }
    : null;
}

function FileQuality() {
  const { search, start } = useSearchState(readFilter, {});
  const { kind, sourceId, measure, day } = search?.criteria ?? initialFilter;
  const of = { kind, sourceId };
  const quality = useQuality(of);
  const sources = useSources();
  const { data } = quality;
  const listed = data?.measures.find((m) => m.measure === measure && m.days.some((d) => d.day === day));
  if (!data) return quality.isError ? <Failed onRetry={() => void quality.refetch()} /> : <Loading />;
  return (
    <>
      <Worse list={data.measures} />
      {quality.isError && <Stale onRetry={() => void quality.refetch()} />}
      <section className="card" aria-labelledby="measures">
        <Head
          data={data}
          of={of}
          sources={sources.data?.sources ?? []}
          onChoose={(of) => start({ ...initialFilter, ...of })}
        />
        {data.measures.every(({ days }) => days.length === 0) ? (
          <Empty title="No data in the past 90 days">
            {data.countedAt
              ? 'Select other files, or check Imports for new files.'
              : 'Totals update every 15 minutes.'}
          </Empty>
        ) : (
          <Measures data={data} onList={(measure, day) => start({ ...of, measure, day })} />
        )}
      </section>
      {listed && (
        <Worst
          key={measure}
          of={of}
          measure={listed}
          day={day}
          run={search?.run ?? 0}
          onDay={(day) => start({ ...of, measure, day })}
        />
      )}
    </>
  );
}

function Worse({ list }: { list: Measure[] }) {
  const worse = list.filter(isWorse);
  if (worse.length === 0) return null;
  return (
    <Banner
      kind="warning"
      title={worse.length === 1 ? '1 measure got worse' : `${formatCount(worse.length)} measures got worse`}
    >
      <ul>
        {worse.map(({ measure, days, before }) => {
          const last = days.at(-1);
          return (
            last && (
              <li key={measure}>
                {formatMeasure(measure)}: {formatShare(last)} on {formatDate(last.day)}, {formatShare(before)}{' '}
                before
              </li>
            )
          );
        })}
      </ul>
    </Banner>
  );
}

const formatMeasure = (measure: string) => measureNames[measure] ?? measure;

function Head({
  data,
  of,
  sources,
  onChoose,
}: {
  data: Quality;
  of: QualityScope;
  sources: Source[];
  onChoose: (of: QualityScope) => void;
}) {
  const days = useDays();
  return (
    <div className={styles.head}>
      <div>
        <h2 id="measures">Measures</h2>
        <p className={styles.small}>
          {formatDate(data.from)} to {formatDate(data.to)}
          {data.countedAt && `, updated ${formatSince(data.countedAt)}`}
        </p>
      </div>
      <div className={styles.tools}>
        <SelectInput
          id="quality-of"
          label="Files"
          value={of.sourceId ? `source ${of.sourceId}` : of.kind && `kind ${of.kind}`}
          onChange={({ target: { value } }) => {
            const [what, which = ''] = value.split(' ');
            onChoose(
              what === 'source' ? { kind: '', sourceId: Number(which) } : { kind: which, sourceId: 0 },
            );
          }}
          options={[
            { value: '', label: 'All files' },
            ...data.kinds.map((kind) => ({
              value: `kind ${kind}`,
              label: `All ${getKindName(kind)} files`,
            })),
            ...sources
              .filter(({ kind }) => data.kinds.includes(kind))
              .map(({ id, name }) => ({ value: `source ${id}`, label: name })),
          ]}
        />
        <Button
          size="small"
          busy={days.isPending}
          onClick={() =>
            days.mutate(of, {
              onError: () => toast.error("Couldn't load the daily data. Try again."),
            })
          }
        >
          <DownloadIcon width="1rem" height="1rem" />
          Daily data (CSV)
        </Button>
      </div>
    </div>
  );
}

type ListFiles = (measure: string, day: string) => void;

/** The measures, those that got worse first. */
function Measures({ data, onList }: { data: Quality; onList: ListFiles }) {
  const { rows, toggle } = useFold(data.measures, (measure) => !isWorse(measure), 'measures');
  return (
    <>
      {rows.length > 0 ? (
        <ShortTable
          label="Measures"
          rows={rows}
          rowId={({ measure }) => measure}
          columns={getMeasureColumns(data, onList)}
        />
      ) : (
        <Empty title="No measure got worse" />
      )}
      {toggle && <div className={cx('button-row', styles.fold)}>{toggle}</div>}
      <p className={styles.foot}>
        Counts include new records only, on the day they were imported. Rejected records are listed with their
        file. Worse and better mean a change of 1 percentage point or more from all earlier days, beyond
        chance.
      </p>
    </>
  );
}

const isWorse = ({ verdict }: Measure) => verdict === 'WORSE';

function getMeasureColumns(data: Quality, onList: ListFiles): ShortColumn<Measure>[] {
  const steps = countDays(data.from, data.to);
  return [
    {
      header: 'Measure',
      cell: ({ measure }) => (
        <>
          <strong>{formatMeasure(measure)}</strong>
          {measureNotes[measure] && <span className={styles.of}>{measureNotes[measure]}</span>}
        </>
      ),
    },
    {
      header: 'Last day',
      align: 'end',
      cell: ({ measure, days }) => {
        const last = days.at(-1);
        return (
          last && (
            <>
              {formatShare(last)}
              <span className={styles.of}>{formatShareCount(last)}</span>
              <Button variant="link" onClick={() => onList(measure, last.day)}>
                Files of {formatDate(last.day)}
                <span className="visually-hidden"> for {formatMeasure(measure)}</span>
              </Button>
            </>
          )
        );
      },
    },
    {
      header: 'Change',
      cell: (measure) => {
        const { text, kind } = formatChange(measure);
        return <Chip kind={kind}>{text}</Chip>;
      },
    },
    { header: '7 days', align: 'end', cell: ({ week }) => formatShare(week) },
    { header: '90 days', align: 'end', cell: ({ all }) => formatShare(all) },
    {
      header: 'Trend',
      cell: ({ measure, days }) =>
        days[0] && (
          <Trend
            label={`${formatMeasure(measure)} over 90 days`}
            steps={steps}
            points={days.map((d) => ({ at: countDays(data.from, d.day), value: getShare(d) }))}
          />
        ),
    },
  ];
}

/** A day's files with the lowest share for a measure. */
function Worst({
  of,
  measure: { measure, days },
  day,
  run,
  onDay,
}: {
  of: QualityScope;
  measure: Measure;
  day: string;
  run: number;
  onDay: (day: string) => void;
}) {
  const worst = useWorstFiles(of, measure, day);
  const [opened, setOpened] = useState(0);
  const { data } = worst;
  const canUpload = useSources().data?.takes ?? false;
  const heading = useRef<HTMLHeadingElement>(null);
  const [first] = useState(run);
  // Scrolls to a list that a click requested, but not to one restored from the history.
  useEffect(() => {
    if (first > 0) heading.current?.focus();
  }, [first]);
  return (
    <section className="card" aria-labelledby="worst">
      <div className={styles.head}>
        <div>
          <h2 id="worst" ref={heading} tabIndex={-1}>
            Files: {formatMeasure(measure)}
          </h2>
          <p className={styles.small}>
            {data && data.count > data.files.length
              ? `The ${formatCount(data.files.length)} worst of ${formatCount(data.count)} files.`
              : 'Worst first.'}
          </p>
        </div>
        <SelectInput
          id="worst-day"
          label="Day"
          value={day}
          onChange={({ target: { value } }) => onDay(value)}
          options={days
            .map((d) => ({ value: d.day, label: `${formatDate(d.day)}: ${formatShare(d)}` }))
            .reverse()}
        />
      </div>
      {data ? (
        <ShortTable
          label="Files"
          rows={data.files}
          rowId={({ id }) => id}
          columns={[
            {
              header: 'File',
              cell: ({ id, name }) => (
                <Button variant="link" onClick={() => setOpened(id)}>
                  {name}
                </Button>
              ),
            },
            { header: 'Share', align: 'end', cell: (share) => formatShare(share) },
            { header: 'Counted', align: 'end', cell: (share) => formatShareCount(share) },
            { header: 'Missing', align: 'end', cell: ({ good, counted }) => formatCount(counted - good) },
            { header: 'Type', cell: ({ kind }) => getKindName(kind) },
            { header: 'Received', cell: ({ beganAt }) => formatBusinessDateTime(beganAt) },
          ]}
        />
      ) : worst.isError ? (
        <Failed onRetry={() => void worst.refetch()} />
      ) : (
        <Loading />
      )}
      {opened !== 0 && (
        <FileDialog
          key={opened}
          id={opened}
          takes={canUpload}
          onOpen={setOpened}
          onClose={() => setOpened(0)}
        />
      )}
    </section>
  );
}
