import { createLink } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '@/api/session';
import { errorMessage } from '@/shared/errorMessage';
import { useHistoryState } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { ActionMenu } from '@/ui/ActionMenu';
import { Banner } from '@/ui/Banner';
import { Button, LinkButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { FilePicker } from '@/ui/form/FilePicker';
import { ResultRegion } from '@/ui/form/SearchCard';
import { formatCount } from '@/ui/format';
import { Failed, Loading, NotPermitted } from '@/ui/PageState';
import { pluralize } from '@/ui/pluralize';
import { DataTable } from '@/ui/table/DataTable';
import { saveCsv } from '@/ui/table/export';
import { type ShortColumn, ShortTable } from '@/ui/table/ShortTable';
import type { Column } from '@/ui/table/state';
import { type FileRow, type UserFile, useCheckFile, useFileColumns, useImportFile } from './queries';
import styles from './users.module.css';

const failed = 'Error: An error has occurred. Please try again or contact Customer Service.';
const ButtonToRoute = createLink(LinkButton);

/** Adds many users from a file: first a preview, row by row, then the import. */
export default function UsersFilePage() {
  const { can, mirroredUser } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Import users</h1>
        <p className="page-lead">
          Each row adds 1 user, with the same rules as Add User. We check the file first. No users are added
          or emailed until you confirm.
        </p>
      </header>
      {!can('users.many') ? (
        <NotPermitted />
      ) : mirroredUser ? (
        <Banner kind="info">You can't make changes while mirroring. Use Revert first.</Banner>
      ) : (
        <Adding />
      )}
    </div>
  );
}

interface Shown {
  answer: UserFile;
  done: boolean;
  run: number;
}

function Adding() {
  const { routes } = useSession();
  const { searchInfo, groupId, list } = useHistoryState();
  const [file, setFile] = useState<File | null>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const check = useCheckFile();
  const take = useImportFile();
  const good = shown?.answer.rows.filter(({ state }) => state === 'good').length ?? 0;
  const hasUnprocessed = shown?.answer.rows.some(({ state }) => state === 'left');
  const show = (answer: UserFile, done: boolean) =>
    setShown((before) => ({ answer, done, run: (before?.run ?? 0) + 1 }));
  const start = (file: File) => check.mutate(file, { onSuccess: (answer) => show(answer, false) });

  const choose = (files: File[]) => {
    const chosen = files[0] ?? null;
    setFile(chosen);
    setShown(null);
    take.reset();
    check.reset();
    if (chosen) start(chosen);
  };
  const confirm = () =>
    file &&
    shown &&
    take.mutate({ file, checked: shown.answer.checked }, { onSuccess: (answer) => show(answer, true) });

  return (
    <>
      <section className="card" aria-labelledby="the-file">
        <div className={`card-body ${styles.form}`}>
          <h2 id="the-file">File</h2>
          <FilePicker
            label="User file"
            prompt="Drop a file here, or"
            hint="CSV (UTF-8), up to 500 users and 1 MB."
            accept=".csv,text/csv"
            files={file ? [file] : []}
            error={check.error ? errorMessage(check.error, failed) : undefined}
            onChange={choose}
            disabled={check.isPending || take.isPending}
          />
          {check.isPending && <p role="status">Checking {file?.name}</p>}
          <Columns />
        </div>
      </section>
      {take.error && (
        <Banner kind="error" focusOn={take.error.message}>
          {errorMessage(take.error, failed)}
        </Banner>
      )}
      {shown && (
        <ResultRegion run={shown.run} ready>
          <DataTable
            title={shown.done ? 'Results' : 'File contents'}
            counted="users"
            columns={columns}
            rows={shown.answer.rows}
            rowId={({ row }) => String(row)}
            initial={{ pageSize: 25 }}
            notice={
              <div className={styles.summary}>
                <p role="status">{formatSummary(shown)}</p>
                {!shown.done && good > 0 && (
                  <Button variant="primary" busy={take.isPending} onClick={confirm}>
                    {`Add ${pluralize(good, 'user')}`}
                  </Button>
                )}
              </div>
            }
            exportMenu={{ menu: ActionMenu, fileName: shown.done ? 'Users added' : 'Users checked' }}
          />
        </ResultRegion>
      )}
      {/* Not in the Add button's place, where the second click of a double click would open the next page. */}
      {shown?.done && (
        <div className="button-row">
          {hasUnprocessed && file && (
            <Button variant="primary" busy={check.isPending} onClick={() => start(file)}>
              Check the rest
            </Button>
          )}
          {routes.includes('UserSearch') ? (
            <ButtonToRoute to={paths.userSearch} state={{ searchInfo }}>
              User Search
            </ButtonToRoute>
          ) : (
            <ButtonToRoute to={paths.manageUsers} state={{ groupId, list }}>
              Manage Users
            </ButtonToRoute>
          )}
        </div>
      )}
    </>
  );
}

const words: Record<FileRow['state'], string> = {
  good: 'Ready to add',
  made: 'Added',
  refused: 'Rejected',
  left: 'Not processed',
};
const chipKinds = { good: 'info', made: 'success', refused: 'error', left: 'warning' } as const;

function formatSummary({ answer: { rows }, done }: Shown): string {
  const parts = (Object.keys(words) as FileRow['state'][]).flatMap((state) => {
    const count = rows.filter((row) => row.state === state).length;
    return count > 0 ? `${formatCount(count)} ${words[state].toLowerCase()}` : [];
  });
  const found = `Of ${pluralize(rows.length, 'user')}: ${parts.join(', ')}.`;
  return done || !rows.some(({ state }) => state === 'refused')
    ? found
    : `${found} Rejected users won't be added. Fix the file to add them.`;
}

const formatProblems = ({ problems }: FileRow) =>
  problems.map(({ column, reason }) => (column ? `${column}: ${reason}` : reason));

const columns: Column<FileRow>[] = [
  { id: 'row', header: 'Row', value: ({ row }) => row },
  {
    id: 'name',
    header: 'Name',
    value: ({ userFirstName, userLastName }) => `${userFirstName} ${userLastName}`.trim(),
    wrap: true,
    lead: true,
  },
  {
    id: 'email',
    header: 'Email Address',
    value: ({ emailAddr }) => emailAddr,
    wrap: true,
    minWidth: '12rem',
  },
  { id: 'type', header: 'Account Type', value: ({ typeDesc }) => typeDesc },
  {
    id: 'state',
    header: 'Result',
    value: ({ state }) => words[state],
    cell: ({ state }) => <Chip kind={chipKinds[state]}>{words[state]}</Chip>,
    choices: Object.values(words),
  },
  { id: 'userName', header: 'Username', value: ({ userNm }) => userNm },
  {
    id: 'problems',
    header: 'Problem',
    value: (row) => formatProblems(row).join(' '),
    cell: (row) => formatProblems(row).map((problem) => <p key={problem}>{problem}</p>),
    wrap: true,
    minWidth: '16rem',
  },
];

const described: ShortColumn<{ name: string; hint: string }>[] = [
  { header: 'Column', cell: ({ name }) => name },
  { header: 'Format', cell: ({ hint }) => hint },
];

/** The file's columns, and a template. */
function Columns() {
  const { data, isPending, isError, refetch } = useFileColumns();
  if (isPending) return <Loading />;
  if (isError) return <Failed onRetry={() => void refetch()} />;
  return (
    <>
      <div className="button-row">
        <Button onClick={() => saveCsv('Users', [data.map(({ name }) => name)])}>Download a template</Button>
      </div>
      <details>
        <summary>Column formats</summary>
        <ShortTable label="File columns" columns={described} rows={data} rowId={({ name }) => name} />
      </details>
    </>
  );
}
