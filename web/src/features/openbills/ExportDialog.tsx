import { errorMessage } from '@/shared/errorMessage';
import { Banner } from '@/ui/Banner';
import { Button, LinkButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { Dialog } from '@/ui/Dialog';
import { formatLocalDateTime } from '@/ui/dates';
import { formatCount } from '@/ui/format';
import { onFirstClick } from '@/ui/onFirstClick';
import { Progress } from '@/ui/Progress';
import { pluralize } from '@/ui/pluralize';
import { toast } from '@/ui/Toasts';
import styles from './openbills.module.css';
import type { Order } from './order';
import {
  type Definition,
  type ExportFile,
  getFileUrl,
  maxExported,
  useExport,
  useFiles,
  useRemoveFile,
} from './queries';

interface Props {
  /** The number of bills in the list. */
  bills: number;
  filter: Definition['filter'];
  order: Order;
  /** The visible columns; all if undefined. */
  columns: string[] | undefined;
  onClose: () => void;
}

const failed = "Error: Couldn't create the file. Try again.";

/** The status of the file requested here. */
const statusTexts = {
  waiting: 'Creating the file…',
  done: 'Your file is ready.',
  failed: "Error: Couldn't create the file. Try again.",
};

/** Exports the filtered list to a file, and shows the user's own files. */
export default function ExportDialog({ bills, filter, order, columns, onClose }: Props) {
  const make = useExport();
  const { data: files = [] } = useFiles();
  const mine = files.find(({ id }) => id === make.data?.id);
  return (
    <Dialog
      open
      size="medium"
      title="Export"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            variant="primary"
            busy={make.isPending}
            disabled={bills === 0 || bills > maxExported}
            onClick={() => make.mutate({ filter, order, ...(columns && { columns }) })}
          >
            Create file
          </Button>
        </>
      }
    >
      <div className={styles.ask}>
        {make.error && (
          <Banner kind="error">
            <p>{errorMessage(make.error, failed)}</p>
          </Banner>
        )}
        {bills > maxExported ? (
          <Banner kind="warning">
            <p>
              You can export up to {formatCount(maxExported)} bills, but this list has {formatCount(bills)}.
              Add filters to narrow it down.
            </p>
          </Banner>
        ) : (
          <p>
            Exports {pluralize(bills, 'bill')} matching your current filters, with{' '}
            {columns
              ? columns.length === 1
                ? 'the visible column'
                : `the ${columns.length} visible columns`
              : 'all columns'}
            , as XLSX and CSV. You can keep working while we create the file.
          </p>
        )}
        {/* The region exists before its message, or screen readers would miss it. */}
        <p role="status" className={styles.by}>
          {mine && statusTexts[mine.status]}
        </p>
        {files.length > 0 && (
          <section aria-labelledby="own-files">
            <h3 id="own-files">Your files</h3>
            <p className={styles.by}>Files are kept for 7 days.</p>
            <ul className={styles.files}>
              {files.map((file) => (
                <File key={file.id} file={file} />
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  );
}

function File({ file: { id, status, bills, done, createdAt, withheld } }: { file: ExportFile }) {
  const remove = useRemoveFile();
  const name = `${pluralize(bills, 'bill')}, ${formatLocalDateTime(createdAt)}`;
  return (
    <li>
      <span>{name}</span>
      {status === 'waiting' && <Progress label={`Export progress: ${name}`} done={done} of={bills} />}
      {status === 'failed' && <Chip kind="error">Failed</Chip>}
      {withheld && <span className={styles.by}>Your Tax IDs have changed. Export the list again.</span>}
      <span className={styles.tools}>
        {status === 'done' &&
          !withheld &&
          (['xlsx', 'csv'] as const).map((format) => (
            <LinkButton key={format} size="small" href={getFileUrl(id, format)} download>
              {format.toUpperCase()}
              <span className="visually-hidden">, {name}</span>
            </LinkButton>
          ))}
        <Button
          size="small"
          variant="quiet"
          busy={remove.isPending}
          onClick={onFirstClick(() =>
            remove.mutate(id, {
              onError: (error) =>
                toast.error(errorMessage(error, "Error: Couldn't delete the file. Try again.")),
            }),
          )}
        >
          {status === 'waiting' ? 'Cancel' : 'Delete'}
          <span className="visually-hidden">, {name}</span>
        </Button>
      </span>
    </li>
  );
}
