import { useState } from 'react';
import { addRetryTime, toProblem } from '@/shared/apiError';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { FilePicker } from '@/ui/form/FilePicker';
import { formatCount } from '@/ui/format';
import { pluralize } from '@/ui/pluralize';
import { type ImportResult, useImport } from './queries';
import styles from './reasoncodes.module.css';

const failed = "Error: Couldn't upload the file. Try again.";
// The server's limit, for the size as sent.
const maxBytes = 6 * 1024 ** 2;
const tooLarge = 'Error: Use a file of 6 MB or smaller';

/** Imports explanations from a CSV file. Problems are listed by line and column. */
export function ImportReasons({ onClose }: { onClose: () => void }) {
  const [files, setFiles] = useState<File[]>([]);
  const { mutate: send, data: taken, error, isPending, reset } = useImport();
  const [file] = files;
  const limit = file && file.size > maxBytes ? tooLarge : undefined;
  return (
    <Dialog
      open
      size="medium"
      title="Import CSV"
      onClose={isPending ? undefined : onClose}
      actions={
        <>
          <Button disabled={isPending} onClick={onClose}>
            Close
          </Button>
          <Button
            variant="primary"
            busy={isPending}
            disabled={!file || limit !== undefined || taken !== undefined}
            onClick={() => file && send(file)}
          >
            Import
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <p>
          Use the same columns as the export: list, code, jurisdiction, title, plain, advice, official,
          status, effective, ended. Only list and code are required. Blank cells aren't changed.
        </p>
        <FilePicker
          label="File"
          accept=".csv,text/csv"
          files={files}
          error={limit}
          disabled={isPending}
          onChange={(chosen) => {
            setFiles(chosen);
            reset();
          }}
        />
        {error && <Refused error={error} />}
        {taken && <Done taken={taken} />}
      </div>
    </Dialog>
  );
}

function Refused({ error }: { error: unknown }) {
  const problem = toProblem(error);
  const [field] = problem.fields;
  return (
    <Banner kind="error" focusOn="refused">
      {field ? `Error: ${problem.message} ${field.message}` : addRetryTime(failed, problem)}
    </Banner>
  );
}

const rows = (count: number) => pluralize(count, 'row');

function Done({ taken }: { taken: ImportResult }) {
  const { taken: added, updated, unchanged, rejected, problems, more } = taken;
  return (
    <>
      <Banner kind={rejected > 0 ? 'warning' : 'success'} focusOn="done">
        <p>
          {rows(taken.rows)}: {formatCount(added)} added, {formatCount(updated)} updated,{' '}
          {formatCount(unchanged)} unchanged, {formatCount(rejected)} rejected.
        </p>
      </Banner>
      {problems.length > 0 && (
        <ul className={styles.lines} aria-label="Rejected rows">
          {problems.map(({ line, column, message }) => (
            <li key={`${line} ${column} ${message}`}>
              Line {line}
              {column && `, ${column}`}: {message}
            </li>
          ))}
          {more > 0 && <li>and {formatCount(more)} more</li>}
        </ul>
      )}
    </>
  );
}
