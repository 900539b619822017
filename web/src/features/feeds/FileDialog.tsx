import { useSession } from '@/api/session';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { Dialog } from '@/ui/Dialog';
import { formatBusinessDateTime } from '@/ui/dates';
import { Facts } from '@/ui/Facts';
import { formatCount } from '@/ui/format';
import { DownloadIcon } from '@/ui/icons';
import { Failed, Loading } from '@/ui/PageState';
import { Progress } from '@/ui/Progress';
import { toast } from '@/ui/Toasts';
import { ShortTable } from '@/ui/table/ShortTable';
import styles from './feeds.module.css';
import { type FeedFile, formatError, useErrorLocations, useFile, useReimport } from './queries';
import { formatArrival, formatDuration, formatPhase, formatStatus, getKindName } from './wording';

/** One file: its progress, its result and its problems. */
export function FileDialog({
  id,
  takes,
  onOpen,
  onClose,
}: {
  id: number;
  takes: boolean;
  onOpen: (id: number) => void;
  onClose: () => void;
}) {
  const { can } = useSession();
  const file = useFile(id);
  const reimport = useReimport();
  const { data } = file;
  const canReimport = can('feeds.manage') && takes && data?.endedAt && !data.checkOnly && data.kind !== '';
  return (
    <Dialog
      open
      size="large"
      title={<span className={styles.name}>{data ? data.name : 'File'}</span>}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {canReimport && (
            <Button
              busy={reimport.isPending}
              onClick={() => reimport.mutate(id, { onSuccess: (next) => onOpen(next.id) })}
            >
              Re-import
            </Button>
          )}
        </>
      }
    >
      {reimport.isError && (
        <Banner kind="error" focusOn={formatError(reimport.error)} title={formatError(reimport.error)} />
      )}
      {data ? (
        <ImportStatus file={data} />
      ) : file.isError ? (
        <Failed onRetry={() => void file.refetch()} />
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}

function ImportStatus({ file }: { file: FeedFile }) {
  const { text, kind } = formatStatus(file);
  return (
    <div className={styles.found}>
      {!file.endedAt && (
        <p role="status">
          {file.stopped
            ? "The import isn't responding. The next attempt will resume where it stopped."
            : `${formatPhase(file)}…`}{' '}
          {file.total > 0 && <Progress label="Read, in bytes" done={file.bytes} of={file.total} />}
        </p>
      )}
      {file.refused && (
        <Banner kind="error" title="File rejected. No records were stored.">
          <p>{file.refused}</p>
        </Banner>
      )}
      {file.status === 'SAME' && (
        <Banner kind="info">
          <p>This content was already imported. The counts are from that import.</p>
        </Banner>
      )}
      {file.status === 'FAILED' && (
        <Banner kind="warning">
          <p>
            A system error interrupted the import. Imported records are kept, and the next attempt resumes.
          </p>
        </Banner>
      )}
      <Facts
        facts={[
          [
            'State',
            <Chip key="state" kind={kind}>
              {text}
            </Chip>,
          ],
          ['Type', getKindName(file.kind)],
          ['Source', formatArrival(file)],
          ['Started', formatBusinessDateTime(file.beganAt)],
          ['Duration', file.endedAt && formatDuration(file.beganAt, file.endedAt)],
          ['Records', formatCount(file.records)],
          ...(file.checkOnly
            ? []
            : ([
                ['Imported', formatCount(file.taken)],
                ['Updated', formatCount(file.updated)],
                ['Unchanged', formatCount(file.unchanged)],
              ] as const)),
          ['Rejected', formatCount(file.rejected)],
          ['Warnings', formatCount(file.warnings)],
        ]}
      />
      {file.endedAt && <Problems file={file} />}
    </div>
  );
}

function Problems({ file: { id, problems = [], more } }: { file: FeedFile }) {
  const places = useErrorLocations();
  if (problems.length === 0) return <p>No problems found.</p>;
  return (
    <section className={styles.found} aria-label="Problems">
      <ShortTable
        label="Problems by reason"
        rows={problems}
        rowId={({ severity, reason }) => `${severity} ${reason}`}
        columns={[
          {
            header: 'Type',
            cell: ({ severity }) => (
              <Chip kind={severity === 'error' ? 'error' : 'warning'}>
                {severity === 'error' ? 'Error' : 'Warning'}
              </Chip>
            ),
          },
          { header: 'Count', align: 'end', cell: ({ count }) => formatCount(count) },
          { header: 'Problem', cell: ({ reason }) => reason },
          { header: 'Element', cell: ({ element }) => element },
          { header: 'First location', cell: ({ first }) => first },
        ]}
      />
      {more > 0 && <p>And {formatCount(more)} more without a saved location.</p>}
      <div>
        <Button
          size="small"
          busy={places.isPending}
          onClick={() =>
            places.mutate(id, {
              onError: () => toast.error("Couldn't load the error locations. Try again."),
            })
          }
        >
          <DownloadIcon width="1rem" height="1rem" />
          Error locations (CSV)
        </Button>
      </div>
    </section>
  );
}
