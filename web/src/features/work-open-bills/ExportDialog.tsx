import { whyFailed } from '@/shared/whyFailed';
import { Banner } from '@/ui/Banner';
import { Button, LinkButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { counted } from '@/ui/counted';
import { Dialog } from '@/ui/Dialog';
import { formatMoment } from '@/ui/dates';
import { formatCount } from '@/ui/format';
import { Progress } from '@/ui/Progress';
import { toast } from '@/ui/Toasts';
import styles from './openbills.module.css';
import {
  type Definition,
  type ExportFile,
  fileAt,
  mostExported,
  useExport,
  useFiles,
  useRemoveFile,
} from './queries';

interface Props {
  /** How many bills the list has. */
  bills: number;
  filter: Definition['filter'];
  newest: boolean;
  /** Those that are shown; all without them. */
  columns: string[] | undefined;
  onClose: () => void;
}

const failed = 'Error: The file cannot be made. Please try again.';

/** What became of the file that was asked for here. */
const told = {
  waiting: 'The file is being made.',
  done: 'The file is ready.',
  failed: 'Error: The file could not be made. Please try again.',
};

/** Has a file made of the list as it is filtered, and gives one's own files. */
export default function ExportDialog({ bills, filter, newest, columns, onClose }: Props) {
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
            disabled={bills === 0 || bills > mostExported}
            onClick={() => make.mutate({ filter, newest, ...(columns && { columns }) })}
          >
            Make the file
          </Button>
        </>
      }
    >
      <div className={styles.ask}>
        {make.error && (
          <Banner kind="error">
            <p>{whyFailed(make.error, failed)}</p>
          </Banner>
        )}
        {bills > mostExported ? (
          <Banner kind="warning">
            <p>
              A file has at most {formatCount(mostExported)} bills, and this list has {formatCount(bills)}.
              Narrow the list first.
            </p>
          </Banner>
        ) : (
          <p>
            {counted(bills, 'bill')} as the list is filtered now, with{' '}
            {columns
              ? columns.length === 1
                ? 'the column shown'
                : `the ${columns.length} columns shown`
              : 'all columns'}
            , as XLSX and CSV. You can go on with your work meanwhile.
          </p>
        )}
        {/* There before it says something, or screen readers would miss that. */}
        <p role="status" className={styles.by}>
          {mine && told[mine.status]}
        </p>
        {files.length > 0 && (
          <section aria-labelledby="own-files">
            <h3 id="own-files">Your files</h3>
            <p className={styles.by}>Each stays for seven days.</p>
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
  const name = `${counted(bills, 'bill')} of ${formatMoment(createdAt)}`;
  return (
    <li>
      <span>{name}</span>
      {status === 'waiting' && <Progress label={`Bills in the file of ${name}`} done={done} of={bills} />}
      {status === 'failed' && <Chip kind="error">Failed</Chip>}
      {withheld && <span className={styles.by}>Your Tax IDs have changed since. Export the list again.</span>}
      <span className={styles.tools}>
        {status === 'done' &&
          !withheld &&
          (['xlsx', 'csv'] as const).map((format) => (
            <LinkButton key={format} size="small" href={fileAt(id, format)} download>
              {format.toUpperCase()}
              <span className="visually-hidden">, {name}</span>
            </LinkButton>
          ))}
        <Button
          size="small"
          variant="quiet"
          busy={remove.isPending}
          onClick={() =>
            remove.mutate(id, {
              onError: (error) =>
                toast.error(whyFailed(error, 'Error: Nothing was changed. Please try again.')),
            })
          }
        >
          {status === 'waiting' ? 'Cancel' : 'Delete'}
          <span className="visually-hidden">, {name}</span>
        </Button>
      </span>
    </li>
  );
}
