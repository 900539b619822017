import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useRef, useState } from 'react';
import { useController, useForm, useWatch } from 'react-hook-form';
import { config } from '@/api/config';
import { useSession } from '@/api/session';
import { UnsavedChangesGuard } from '@/shared/UnsavedChangesGuard';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/Dialog';
import { fieldId } from '@/ui/form/bound';
import { FilePicker } from '@/ui/form/FilePicker';
import { FormBanner } from '@/ui/form/FormBanner';
import { RadioGroup, SelectField } from '@/ui/form/fields';
import { formatCount } from '@/ui/format';
import { CheckReport, CheckStatus } from './CheckReport';
import { useProviderGroups, useReloadGroups, useReloadHistory, useSourceIds } from './queries';
import {
  buildForm,
  countTerminated,
  findLimitProblem,
  groupLabel,
  isReadable,
  type Layouts,
  noRoster,
  type Roster,
  rosterSchema,
} from './roster';
import styles from './rosters.module.css';
import { useCheck } from './useCheck';
import { type Sending, useSending } from './useSending';

const returnAfter = 1_000;

/** The name of the form's stored input. */
export const keptAs = 'roster';

const updateTypes = [
  { value: 'full', label: 'Full' },
  { value: 'delta', label: 'Partial (Add/Change/Term)' },
];

export function UploadRoster({ groupId, onClose }: { groupId: number; onClose: () => void }) {
  const { actingUser, mirroredUser } = useSession();
  const mirroring = mirroredUser !== undefined;
  const sources = useSourceIds(groupId);
  const groups = useProviderGroups(groupId);
  const reloadHistory = useReloadHistory(groupId);
  const reloadGroups = useReloadGroups(groupId);
  const { sending, send, stop, clear } = useSending();

  const form = useForm<Roster>({
    resolver: zodResolver(rosterSchema),
    shouldFocusError: false,
    defaultValues: noRoster,
  });
  const { control, handleSubmit, reset, setError, clearErrors } = form;
  const { field, fieldState } = useController({ control, name: 'files' });
  const files = field.value;
  const [chosen, rosterType] = useWatch({ control, name: ['group', 'rosterType'] });
  const group = groups.data?.find(({ sourceGroupId }) => String(sourceGroupId) === chosen);
  const gone = chosen !== '' && groups.isSuccess && !group;
  const limit = findLimitProblem(files);
  // The selection is part of the upload. It's only checked on request.
  const [layouts, setLayouts] = useState<Layouts>(new Map());
  const [checkedBy, setCheckedBy] = useState(layouts);
  const { check, again } = useCheck({
    group,
    rosterType,
    files,
    layouts: checkedBy,
    username: actingUser.userNm,
    disabled: mirroring || limit !== undefined,
  });

  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const { step } = sending;
  const latest = useRef({ onClose, reloadHistory, reloadGroups });
  useEffect(() => {
    latest.current = { onClose, reloadHistory, reloadGroups };
  });
  useEffect(() => {
    if (step === 'none' || step === 'sending') return;
    latest.current.reloadHistory();
    if (step !== 'sent') return;
    const timer = setTimeout(() => latest.current.onClose(), returnAfter);
    return () => clearTimeout(timer);
  }, [step]);
  const failed = step === 'failed' || check.step === 'failed';
  useEffect(() => {
    if (failed) latest.current.reloadGroups();
  }, [failed]);

  function submit(confirmed = false) {
    if (!group) return setError('group', { message: 'Error: Select Provider Group' });
    const upload = buildForm({ group, rosterType, username: actingUser.userNm }, files, layouts);
    if (confirmed) upload.set('confirmed', 'true');
    void send(upload);
  }
  // A roster with an unreadable file isn't compared.
  const comparison =
    check.step === 'done' && rosterType === 'full' && files.every(isReadable)
      ? check.report.comparison
      : null;
  const [asking, setAsking] = useState('');
  const question = asking || (sending.step === 'ask' ? sending.message : '');

  const busy = step === 'sending' || step === 'sent';
  const noGroups = sources.data?.length === 0 || groups.data?.length === 0;
  return (
    <>
      <form
        className="card"
        noValidate
        onSubmit={handleSubmit(
          () =>
            comparison?.mustConfirm
              ? setAsking(`${countTerminated(comparison)} Confirm to continue.`)
              : submit(),
          clear,
        )}
      >
        <div className={styles.form}>
          <div className={styles.heading}>
            <h2 ref={heading} tabIndex={-1}>
              Upload Roster
            </h2>
            <a
              href={`${config().apiUrl}/roster/template`}
              download
              // The second click of a double click on UPLOAD... hits this link.
              onClick={(event) => event.detail > 1 && event.preventDefault()}
            >
              Download template
            </a>
          </div>
          <p className={styles.note}>Note: Fields marked with an asterisk(*) are required.</p>
          {mirroring && (
            <Banner kind="info">You can't check or send rosters while mirroring. Use Revert first.</Banner>
          )}
          <UnsavedChangesGuard form={form} keepAs={keptAs} />
          <FormBanner
            form={form}
            title={'An error has occurred. Please address all fields marked with "Error".'}
          />
          <Outcome sending={sending} />
          {sources.isError && (
            <Missing
              text="Error: Unable to retrieve provider source information. Please try again later."
              onRetry={() => void sources.refetch()}
            />
          )}
          {groups.isError && (
            <Missing
              text="Error: Unable to retrieve provider group information. Please try again later."
              onRetry={() => void groups.refetch()}
            />
          )}
          {noGroups && (
            <Banner kind="info">
              Your roster group doesn't have provider groups yet. Ask the network to add a roster hub source.
            </Banner>
          )}
          <fieldset className={styles.fields} disabled={busy}>
            <legend className="visually-hidden">Roster</legend>
            <SelectField
              control={control}
              name="group"
              label="Provider Group"
              placeholder="Select One"
              hint={
                groups.isPending
                  ? 'Loading the provider groups'
                  : gone
                    ? 'Your roster group no longer has the selected provider group.'
                    : undefined
              }
              options={(groups.data ?? []).map((each) => ({
                value: String(each.sourceGroupId),
                label: groupLabel(each),
              }))}
              required
            />
            <RadioGroup
              control={control}
              name="rosterType"
              label="Roster Update Type"
              hint={files.length > 0 ? 'Remove the files to select another type.' : undefined}
              options={updateTypes}
              disabled={files.length > 0}
            />
            <FilePicker
              id={fieldId(control, 'files')}
              label="Files"
              prompt="Select one or more files"
              browseLabel="BROWSE..."
              noneSelected="No files selected"
              hint={limits()}
              error={fieldState.error?.message ?? limit}
              inBanner={fieldState.error !== undefined}
              files={files}
              onChange={(next) => {
                field.onChange(next);
                clearErrors('files');
                clear();
              }}
              disabled={busy}
              multiple
              required
            />
          </fieldset>
          {step !== 'sent' && (
            <CheckStatus check={check} waiting={!group && !mirroring && files.some(isReadable)} />
          )}
          {sending.step === 'sending' && <Progress sending={sending} onStop={stop} />}
          <div className="button-row">
            <Button type="submit" variant="primary" disabled={busy || mirroring}>
              SUBMIT
            </Button>
            <Button
              disabled={busy}
              onClick={() => {
                reset(noRoster);
                clear();
              }}
            >
              RESET
            </Button>
            <Button disabled={busy} onClick={onClose}>
              CANCEL
            </Button>
          </div>
        </div>
      </form>
      <CheckReport
        check={check}
        comparison={comparison}
        rosterType={rosterType}
        files={files}
        layouts={layouts}
        onChoose={setLayouts}
        onCheck={setCheckedBy}
        onRetry={again}
      />
      <ConfirmDialog
        open={question !== ''}
        title="Many providers would be terminated"
        confirmLabel="Send roster"
        cancelLabel="Go back"
        onConfirm={() => {
          setAsking('');
          submit(true);
        }}
        onCancel={() => {
          setAsking('');
          clear();
        }}
      >
        <p>{question}</p>
        <p>Providers in the last roster who aren't in this one will be terminated.</p>
      </ConfirmDialog>
    </>
  );
}

const Missing = ({ text, onRetry }: { text: string; onRetry: () => void }) => (
  <Banner kind="error">
    <div className={styles.missing}>
      <span>{text}</span>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </div>
  </Banner>
);

function limits() {
  const { rosterFiles, rosterFileMb } = config();
  return `Up to ${formatCount(rosterFiles)} files of ${formatCount(rosterFileMb)} MB each. We check CSV, TXT and XLSX files when you select them. Other file types are accepted without a check.`;
}

function Outcome({ sending }: { sending: Sending }) {
  if (sending.step === 'sent')
    return (
      <Banner kind="success" focusOn="sent">
        Roster file has been uploaded successfully.
      </Banner>
    );
  if (sending.step !== 'failed') return null;
  return (
    <Banner kind="error" focusOn={sending.message} title={sending.message}>
      {sending.stored === 'no' ? (
        <p>No files were stored. Your files are still selected below.</p>
      ) : (
        <p>It may have been stored. Check Upload History before you send it again.</p>
      )}
    </Banner>
  );
}

const megabytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(1);

function Progress({
  sending: { sent, total },
  onStop,
}: {
  sending: Extract<Sending, { step: 'sending' }>;
  onStop: () => void;
}) {
  const whole = total > 0 && sent === total;
  return (
    <div className={styles.progress}>
      <p role="status" className={styles.note}>
        {whole ? 'Upload complete. Checking and storing the files.' : 'Uploading. Stay on this page.'}
      </p>
      <progress aria-label="Upload" max={total || 1} value={whole ? undefined : sent} />
      <span className={styles.facts}>{total > 0 && `${megabytes(sent)} of ${megabytes(total)} MB`}</span>
      <Button size="small" onClick={onStop}>
        Stop
      </Button>
    </div>
  );
}
