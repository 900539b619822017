import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod/mini';
import { toProblem } from '@/shared/apiError';
import { EditDialog } from '@/shared/EditDialog';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextAreaField } from '@/ui/form/fields';
import { formatCount } from '@/ui/format';
import { Failed, Loading } from '@/ui/PageState';
import { DataTable } from '@/ui/table/DataTable';
import { type Column, createTableState } from '@/ui/table/state';
import { Figure, FileReport } from './CheckReport';
import { Files } from './History';
import {
  type DeskRoster,
  type ProviderChange,
  useChanges,
  useDeskRoster,
  useSetRosterStatus,
  useUpdateDirectory,
} from './queries';
import { type FileCheck, formatRowCount, formatSent, type ReceivingState, receivingNames } from './roster';
import styles from './rosters.module.css';

interface Props {
  id: number;
  onClose: () => void;
}

/** A group's roster with its files, check results, changes and processing status. */
export function OpenedRoster({ id, onClose }: Props) {
  const opened = useDeskRoster(id);
  const [returning, setReturning] = useState(false);
  if (returning && opened.data)
    return <SendBack roster={opened.data.roster} onClose={() => setReturning(false)} />;
  const title = opened.data
    ? `${opened.data.roster.providerGroup || opened.data.roster.providerGroupId}: roster ${id}`
    : `Roster ${id}`;
  return (
    <Dialog
      open
      size="large"
      title={title}
      onClose={onClose}
      actions={opened.data && <Steps roster={opened.data.roster} onReturn={() => setReturning(true)} />}
    >
      {opened.data ? (
        <Contents {...opened.data} />
      ) : opened.isError ? (
        <Failed message="Error: Couldn't load the roster. Try again." onRetry={() => void opened.refetch()} />
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}

function Contents({ roster, checks }: { roster: DeskRoster; checks: FileCheck[] }) {
  const {
    id,
    group,
    source,
    sentAt,
    sentBy,
    updateType,
    receiving,
    handledBy,
    handedAt,
    changes,
    directory,
  } = roster;
  return (
    <div className={styles.opened}>
      <p>
        {sentBy} of {group} sent this {updateType === 'full' ? 'full' : 'partial'} roster for {source} on{' '}
        {formatSent(sentAt)}.{handedAt && ` Delivered on ${formatSent(handedAt)}.`}
      </p>
      <p>
        {receivingNames[receiving.state]}
        {receiving.at ? ` on ${formatSent(receiving.at)} by ${handledBy}.` : '. Not claimed yet.'}
        {receiving.reason && ` ${receiving.reason}`}
      </p>
      <Files logId={id} files={roster.files} plain />
      {changes ? (
        <section aria-labelledby={`changes-${id}`} className={styles.opened}>
          <h3 id={`changes-${id}`}>Changes</h3>
          <dl className={styles.compared}>
            <Figure name="Providers in the last roster" value={changes.before} />
            <Figure name="Added" value={changes.added} />
            <Figure name="Changed" value={changes.changed} />
            <Figure name="Terminated" value={changes.ended} />
          </dl>
          {changes.before === 0 ? (
            <p>This is the provider group's first roster. It adds every listed provider.</p>
          ) : (
            <Changed id={id} />
          )}
        </section>
      ) : (
        <p>
          Not compared with the last roster. Every file must be a readable roster with the required columns.
        </p>
      )}
      {directory && <Directory roster={roster} directory={directory} />}
      {checks.map((file, n) => (
        <FileReport
          // biome-ignore lint/suspicious/noArrayIndexKey: file names can repeat, and the order is fixed
          key={n}
          file={file}
          corrected={`/roster/file/${id}/${n + 1}/corrected`}
          partial={updateType === 'delta'}
        />
      ))}
    </div>
  );
}

const changeNames = { ADDED: 'Added', CHANGED: 'Changed', ENDED: 'Terminated' };

const changeColumns: Column<ProviderChange>[] = [
  { id: 'npi', header: 'NPI', value: ({ npi }) => npi },
  {
    id: 'change',
    header: 'Change',
    value: ({ change }) => changeNames[change],
    choices: Object.values(changeNames),
  },
];

function Changed({ id }: { id: number }) {
  const [table, setTable] = useState(() => createTableState({ pageSize: 5 }));
  const { shown } = useChanges(id, table);
  return (
    <DataTable
      title="Providers"
      headingLevel={4}
      titleHidden
      columns={changeColumns}
      {...shown}
      rowId={({ npi }) => npi}
      empty="No provider changes"
      controlled={{ state: table, onChange: setTable }}
    />
  );
}

type DirectoryState = NonNullable<DeskRoster['directory']>;

function Directory({ roster, directory }: { roster: DeskRoster; directory: DirectoryState }) {
  const { mutate, isPending, error } = useUpdateDirectory(roster.id);
  const taken = roster.receiving.state === 'TAKEN' || roster.receiving.state === 'DONE';
  const all = roster.files.reduce((sum, { rows }) => sum + rows, 0);
  return (
    <section aria-labelledby={`directory-${roster.id}`} className={styles.opened}>
      <h3 id={`directory-${roster.id}`}>Directory</h3>
      {error && <Banner kind="error">{toProblem(error).message}</Banner>}
      {directory.state === '' && (
        <>
          {directory.problem && (
            <Banner kind="warning">The last directory update failed. {directory.problem}</Banner>
          )}
          <p>
            {taken
              ? "Adds this roster's offices and TINs to the directory. Ends listings from the group's earlier rosters that aren't in this one. Imported listings stay."
              : 'Claim this roster to update the directory from it.'}
          </p>
          {taken && (
            <div className="button-row">
              <Button busy={isPending} onClick={() => mutate()}>
                Update directory
              </Button>
            </div>
          )}
        </>
      )}
      {directory.state === 'WAITING' && (
        <div className={styles.progress} role="status">
          <progress aria-label="Directory update" max={all} value={directory.rows} />
          <span className={styles.facts}>
            {formatCount(directory.rows)} of {formatRowCount(all)}
          </span>
        </div>
      )}
      {directory.state === 'DONE' && (
        <p role="status">
          Directory updated from {formatRowCount(directory.rows)}. {formatCount(directory.ended)} earlier
          listings ended.
          {directory.unknown > 0 &&
            ` ${formatRowCount(directory.unknown)} list a provider that isn't in the directory. Import NPPES to add them.`}
        </p>
      )}
    </section>
  );
}

function Steps({ roster, onReturn }: { roster: DeskRoster; onReturn: () => void }) {
  const { mutate, isPending, error } = useSetRosterStatus(roster.id);
  const { state } = roster.receiving;
  const to = (next: ReceivingState, label: string, main = false) => (
    <Button
      variant={main ? 'primary' : undefined}
      disabled={isPending}
      onClick={() => mutate({ seen: state, state: next })}
    >
      {label}
    </Button>
  );
  return (
    <>
      {error && <span role="alert">{toProblem(error).message}</span>}
      {(state === 'NEW' || state === 'TAKEN') && (
        <Button disabled={isPending} onClick={onReturn}>
          Return…
        </Button>
      )}
      {state === 'NEW' && to('TAKEN', 'Claim', true)}
      {state === 'TAKEN' && to('NEW', 'Release')}
      {state === 'TAKEN' && to('DONE', 'Mark as done', true)}
      {state === 'DONE' && to('TAKEN', 'Reopen')}
    </>
  );
}

const maxReason = 500;

const returnSchema = z.object({
  reason: z
    .string()
    .check(
      z.trim(),
      z.minLength(2, 'Error: Enter what the sender needs to fix'),
      z.maxLength(maxReason, `Error: Use ${maxReason} characters or fewer`),
    ),
});

function SendBack({ roster, onClose }: { roster: DeskRoster; onClose: () => void }) {
  const form = useForm({
    resolver: zodResolver(returnSchema),
    shouldFocusError: false,
    defaultValues: { reason: '' },
  });
  const { mutateAsync: handle } = useSetRosterStatus(roster.id);

  async function sendBack({ reason }: { reason: string }) {
    const { mailed } = await handle({ seen: roster.receiving.state, state: 'RETURNED', reason });
    return mailed
      ? 'Roster returned. We emailed the sender'
      : "Roster returned. The sender no longer has an account, so we didn't send an email";
  }

  return (
    <EditDialog
      form={form}
      size="medium"
      title={`Return roster ${roster.id}`}
      action="Return"
      save={sendBack}
      failed="Error: Couldn't return the roster. Try again."
      onClose={onClose}
    >
      <TextAreaField
        control={form.control}
        name="reason"
        label="Problem"
        hint={`We'll email this to ${roster.sentBy} and show it in Upload History. Refer to rows. Don't include personal numbers.`}
        rows={4}
        required
        data-autofocus
      />
    </EditDialog>
  );
}
