import { type ReactNode, useRef } from 'react';
import { getConfig } from '@/api/config';
import { getColumnName } from '@/shared/tableColumns';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatCount } from '@/ui/format';
import { Failed } from '@/ui/PageState';
import { pluralize } from '@/ui/pluralize';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { ChooseColumns } from './ChooseColumns';
import {
  type Comparison,
  countTerminated,
  type FileCheck,
  formatRowCount,
  formatSent,
  isReadable,
  isUnread,
  type Layout,
  type Layouts,
  listUnreadColumns,
  type RosterType,
  type RowProblem,
} from './roster';
import styles from './rosters.module.css';
import type { Check } from './useCheck';

/** The check's status in a line next to the form's buttons. Screen readers announce changes. */
export function CheckStatus({ check, waiting }: { check: Check; waiting: boolean }) {
  return (
    <p role="status" className={styles.note}>
      {waiting ? 'Select the provider group to check the files.' : formatStatus(check)}
    </p>
  );
}

function formatStatus(check: Check) {
  switch (check.step) {
    case 'running':
      return 'Checking the files. You can submit without waiting.';
    case 'done': {
      const { files } = check.report;
      const rows = files.reduce((sum, { rows }) => sum + rows, 0);
      const bad = files.reduce((sum, { badRows }) => sum + badRows, 0);
      if (files.some(({ unreadable, missing }) => unreadable !== '' || missing.length > 0))
        return "Some files couldn't be checked. See below. You can still submit them.";
      if (bad === 0 && files.some(isUnread))
        return `No problems in the ${formatRowCount(rows)} that we read. Some data wasn't read. See below.`;
      return bad === 0
        ? `No problems in ${formatRowCount(rows)}.`
        : `${formatCount(bad)} of ${formatRowCount(rows)} with problems. See below. Rows with problems are sent as they are.`;
    }
    default:
      return '';
  }
}

interface Props {
  check: Check;
  comparison: Comparison | null;
  rosterType: RosterType;
  files: readonly File[];
  /** The selected file layouts, which may not be checked yet. */
  layouts: Layouts;
  onChoose: (layouts: Layouts) => void;
  onCheck: (layouts: Layouts) => void;
  onRetry: () => void;
  /** Selects a corrected file; absent while nothing needs correction. */
  onCorrect?: () => void;
}

/** The problems in each file, and the changes that a full roster would make. */
export function CheckReport(props: Props) {
  const { check, comparison, rosterType, files, layouts, onChoose, onCheck, onRetry, onCorrect } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const others = files.filter((file) => !isReadable(file));
  const readable = files.filter(isReadable);
  if (check.step === 'none' && others.length === 0) return null;

  function renderChooser(found: FileCheck, file: File | undefined) {
    const template = check.step === 'done' ? check.report.template : undefined;
    if (!file || !template || !found.columns?.length) return undefined;
    const choose = (layout: Layout) => {
      const next = new Map(layouts).set(file, layout);
      onChoose(next);
      return next;
    };
    return (
      <ChooseColumns
        file={found}
        template={template}
        layout={layouts.get(file)}
        onChange={choose}
        onCheck={(layout) => {
          onCheck(choose(layout));
          heading.current?.focus();
        }}
      />
    );
  }

  return (
    <section className="card" aria-labelledby="roster-check">
      <div className={styles.report}>
        <header>
          <h2 id="roster-check" ref={heading} tabIndex={-1}>
            Roster check
          </h2>
          <p className={styles.note}>
            Rows with problems are sent as they are. Fix them first if you can. The network returns rows it
            can't use.
          </p>
          {onCorrect && (
            <Button variant="primary" onClick={onCorrect}>
              Choose corrected file
            </Button>
          )}
        </header>
        {check.step === 'running' && (
          <div className={styles.progress}>
            <progress aria-label="Roster check" />
            <span className={styles.facts}>
              {check.fileName}: {formatRowCount(check.rows)} read
            </span>
          </div>
        )}
        {check.step === 'failed' && (
          <Failed message={`Couldn't check the files. ${check.message}`} onRetry={onRetry} />
        )}
        {check.step === 'done' && (
          <>
            {rosterType === 'full' && <Compared comparison={comparison} />}
            {check.report.files.map((file, n) => (
              <FileReport
                // biome-ignore lint/suspicious/noArrayIndexKey: file names can repeat, and the order is fixed
                key={n}
                file={file}
                corrected={`/roster/check/${file.checkId}/corrected`}
                partial={rosterType === 'delta'}
                chooser={renderChooser(file, readable[n])}
              />
            ))}
          </>
        )}
        {others.map((file) => (
          <FileFrame key={`${file.name} ${file.size}`} name={file.name} state={<Chip>Not checked</Chip>}>
            <p>Accepted without a check. Only CSV, TXT and XLSX files are checked.</p>
          </FileFrame>
        ))}
      </div>
    </section>
  );
}

function Compared({ comparison }: { comparison: Comparison | null }) {
  if (!comparison)
    return (
      <p>
        Not compared with the last roster. Every file must be a readable roster with the required columns.
      </p>
    );
  const { before, add, change, end, mustConfirm } = comparison;
  return (
    <>
      <dl className={styles.compared}>
        <Figure name="Providers in the last roster" value={before} />
        <Figure name="Would be added" value={add} />
        <Figure name="Would change" value={change} />
        <Figure name="Would be terminated" value={end} />
      </dl>
      {mustConfirm && (
        <Banner kind="warning">
          {countTerminated(comparison)} We'll ask you to confirm when you submit.
        </Banner>
      )}
    </>
  );
}

export const Figure = ({ name, value }: { name: string; value: number }) => (
  <div>
    <dt>{name}</dt>
    <dd>{formatCount(value)}</dd>
  </div>
);

function FileFrame({ name, state, children }: { name: string; state: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.file} aria-label={name}>
      <div className={styles.heading}>
        <h3>{name}</h3>
        {state}
      </div>
      {children}
    </section>
  );
}

interface FileReportProps {
  file: FileCheck;
  /** The API path of the copy with errors. */
  corrected: string;
  partial: boolean;
  /** The sender's column selection. */
  chooser?: ReactNode;
}

/** The problems in a file. */
export function FileReport({ file, corrected, partial, chooser }: FileReportProps) {
  const { fileName, sheets, headerRow, sentBefore, found, problems, badRows, columns = [] } = file;
  const unread = listUnreadColumns(file);
  return (
    <FileFrame name={fileName} state={getState(file)}>
      <p>{listFacts(file, partial)}</p>
      {sentBefore && (
        <p>
          {sentBefore.by} sent the same content as {sentBefore.fileName} on {formatSent(sentBefore.at)}. You
          can send it again.
        </p>
      )}
      {headerRow > 1 && (
        <p>Row {formatCount(headerRow)} contains the column names. We didn't read the rows above it.</p>
      )}
      {sheets.length > 0 && (
        <p>We read only the first sheet. Send these sheets as separate files: {sheets.join(', ')}.</p>
      )}
      {unread.length > 0 && (
        <p>These columns aren't in the template, so we don't check them: {unread.join(', ')}.</p>
      )}
      {file.chosen && (
        <p>
          {chooser ? 'You' : 'The sender'} selected the columns:{' '}
          {columns
            .filter(({ kind }) => kind)
            .map((column) => `${getColumnName(column)} as ${column.kind}`)
            .join(', ')}
          .
        </p>
      )}
      {chooser}
      {badRows > 0 && (
        <>
          <a className={styles.link} href={`${getConfig().apiUrl}${corrected}`} download>
            Download the copy with an Errors column
            <span className="visually-hidden"> of {fileName}</span>
          </a>
          <DataTable
            title={`Problems in ${fileName}`}
            headingLevel={4}
            titleHidden
            columns={problemColumns}
            rows={problems}
            rowId={({ row, column, code }) => `${row} ${column} ${code}`}
            initial={{ pageSize: 5 }}
            notice={
              found > problems.length && (
                <p className={styles.note}>
                  The first {formatCount(problems.length)} of {formatCount(found)} problems. The copy with an
                  Errors column has them all.
                </p>
              )
            }
          />
        </>
      )}
    </FileFrame>
  );
}

function getState(file: FileCheck) {
  const { format, unreadable, missing, rows, badRows } = file;
  if (format === '') return <Chip>Not checked</Chip>;
  if (unreadable) return <Chip kind="error">Unreadable</Chip>;
  if (missing.length > 0) return <Chip kind="error">Columns missing</Chip>;
  if (badRows > 0) return <Chip kind="warning">{formatRowCount(badRows)} with problems</Chip>;
  if (rows === 0) return <Chip kind="warning">No rows</Chip>;
  if (isUnread(file)) return <Chip kind="warning">Partly read</Chip>;
  return <Chip kind="success">No problems</Chip>;
}

function listFacts(file: FileCheck, partial: boolean) {
  const { format, unreadable, missing, rows, badRows, providers, adds, changes, terms } = file;
  if (format === '') return "Accepted without a check. This isn't a real spreadsheet file.";
  if (unreadable) return unreadable;
  if (missing.length > 0) return `Rows not checked. Missing columns: ${missing.join('; ')}.`;
  if (rows === 0) return 'There are no rows below the column names.';
  const isSingle = rows - badRows === 1;
  const [summary, they] =
    badRows === 0
      ? [formatRowCount(rows), isSingle ? 'It' : 'They']
      : [
          `${formatRowCount(rows)}, ${formatCount(badRows)} with problems`,
          isSingle ? 'The other' : 'The others',
        ];
  const conjugate = (verb: string) => (isSingle ? `${verb}s` : verb);
  return partial
    ? `${summary}. ${they} ${conjugate('add')} ${formatCount(adds)}, ${conjugate('change')} ${formatCount(changes)} and ${conjugate('term')} ${formatCount(terms)}.`
    : `${summary}. ${they} ${conjugate('list')} ${pluralize(providers, 'provider')}.`;
}

const problemColumns: Column<RowProblem>[] = [
  { id: 'row', header: 'Row', value: ({ row }) => row, text: ({ row }) => String(row) },
  { id: 'provider', header: 'Provider', value: ({ provider }) => provider ?? '', wrap: true, lead: true },
  { id: 'column', header: 'Column', value: ({ column }) => column || 'Whole row' },
  { id: 'value', header: 'Value', value: ({ value }) => value ?? '', wrap: true },
  { id: 'problem', header: 'Problem', value: ({ message }) => message, wrap: true, minWidth: '16rem' },
];
