import { useMemo, useState } from 'react';
import { useSession } from '@/api/session';
import { errorMessage } from '@/shared/errorMessage';
import { Button, LinkButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { ConfirmDialog } from '@/ui/Dialog';
import { formatLocalDateTime } from '@/ui/dates';
import { formatCount } from '@/ui/format';
import { Progress } from '@/ui/Progress';
import { pluralize } from '@/ui/pluralize';
import { toast } from '@/ui/Toasts';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { useStableCallback } from '@/ui/useStableCallback';
import { getResultUrl, isRunning, isStarted, type Job, useDeleteJob, useJobs } from './queries';

/** The user's lookups: progress, results and expiry. */
export function Files({ onShow }: { onShow: (job: Job) => void }) {
  const { mirroredUser } = useSession();
  const { data = [], isPending, isError, refetch } = useJobs();
  const [deleting, setDeleting] = useState<Job | null>(null);
  const remove = useDeleteJob();
  const show = useStableCallback(onShow);
  const columns = useMemo(
    () => getColumns(show, mirroredUser ? undefined : setDeleting),
    [show, mirroredUser],
  );
  const close = () => setDeleting(null);
  const running = data.filter(isRunning).length;
  return (
    <>
      <p role="status" className="visually-hidden">
        {running > 0 && `${pluralize(running, 'lookup')} in progress.`}
        {running === 0 && data.some(isStarted) && 'All lookups finished.'}
      </p>
      <DataTable
        title="Your files"
        counted={data.length === 1 ? 'file' : 'files'}
        columns={columns}
        rows={data}
        rowId={({ id }) => id}
        status={isPending ? 'loading' : !isError ? 'ready' : data.length > 0 ? 'stale' : 'failed'}
        onRetry={() => void refetch()}
        empty="No files yet. Files you send are kept for 7 days."
        pages={{ position: data.length > 10 ? 'bottom' : 'none' }}
      />
      <ConfirmDialog
        open={deleting !== null}
        title={`Delete ${deleting?.fileName}?`}
        confirmLabel="Delete"
        destructive
        cancelLabel="Keep file"
        busy={remove.isPending}
        onConfirm={() =>
          deleting &&
          remove.mutate(deleting.id, {
            onSuccess: () => toast.success(`${deleting.fileName} deleted`),
            onError: (error) =>
              toast.error(errorMessage(error, "Error: Couldn't delete the file. Try again.")),
            onSettled: close,
          })
        }
        onCancel={close}
      >
        <p>This deletes the file and its results right away.</p>
      </ConfirmDialog>
    </>
  );
}

const plain = { sortable: false, filterable: false } as const;

const getColumns = (onShow: (job: Job) => void, onDelete?: (job: Job) => void): Column<Job>[] => [
  { ...plain, id: 'file', header: 'File', value: ({ fileName }) => fileName, wrap: true, minWidth: '9rem' },
  {
    ...plain,
    id: 'status',
    header: 'Lines',
    value: ({ status }) => status,
    cell: (job) => <Lines job={job} />,
    wrap: true,
    minWidth: '12rem',
  },
  {
    ...plain,
    id: 'found',
    header: 'Found',
    align: 'end',
    value: ({ found, status }) => (status === 'done' ? found : null),
    text: ({ found, status }) => (status === 'done' ? formatCount(found) : ''),
  },
  { ...plain, id: 'sent', header: 'Sent', value: ({ createdAt }) => formatLocalDateTime(createdAt) },
  {
    ...plain,
    id: 'until',
    header: 'Available until',
    value: ({ expiresAt }) => formatLocalDateTime(expiresAt),
  },
  {
    ...plain,
    id: 'actions',
    header: 'Results',
    value: () => '',
    cell: (job) => (
      <div className="button-row">
        {job.claims && !job.withheld && isStarted(job) && job.status !== 'failed' && (
          <Button size="small" onClick={() => onShow(job)}>
            View<span className="visually-hidden"> results for {job.fileName}</span>
          </Button>
        )}
        {job.status === 'done' &&
          !job.withheld &&
          (['xlsx', 'csv'] as const).map((format) => (
            <LinkButton key={format} size="small" href={getResultUrl(job.id, format)} download>
              {format.toUpperCase()}
              <span className="visually-hidden"> results for {job.fileName}</span>
            </LinkButton>
          ))}
        {onDelete && (
          <Button size="small" onClick={() => onDelete(job)}>
            Delete<span className="visually-hidden"> {job.fileName}</span>
          </Button>
        )}
      </div>
    ),
    pinned: true,
  },
];

function Lines({ job: { fileName, status, rows, done, withheld } }: { job: Job }) {
  if (withheld) return 'Your Tax IDs have changed. Send the file again.';
  if (status === 'sent') return <Chip>Not started</Chip>;
  if (status === 'done') return formatCount(rows);
  if (status === 'failed')
    return (
      <>
        <Chip kind="error">Failed</Chip> Send the file again.
      </>
    );
  return <Progress label={`Lookup progress: ${fileName}`} done={done} of={rows} />;
}
