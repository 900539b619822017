import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useRef, useState } from 'react';
import { useController, useForm, useWatch } from 'react-hook-form';
import { getConfig } from '@/api/config';
import { useSession } from '@/api/session';
import { UnsavedChangesGuard } from '@/shared/UnsavedChangesGuard';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/Dialog';
import { FormBanner } from '@/ui/form/FormBanner';
import { toast } from '@/ui/Toasts';
import { CheckReport, CheckStatus } from './CheckReport';
import { useProviderGroups, useReloadGroups, useReloadHistory, useSourceIds } from './queries';
import { RosterFields } from './RosterFields';
import {
  buildForm,
  countTerminated,
  findLimitProblem,
  hasProblems,
  isReadable,
  type Layouts,
  noRoster,
  type Roster,
  replaceFiles,
  rosterSchema,
} from './roster';
import styles from './rosters.module.css';
import { UploadOutcome, UploadProgress } from './UploadStatus';
import { type Check, useCheck } from './useCheck';
import { type Question, type Sending, useSending } from './useSending';

const returnAfter = 1_000;

/** The name of the form's stored input. */
export const inputName = 'roster';

interface Props {
  groupId: number;
  onClose: () => void;
  /** Closes it a moment after the roster was sent. */
  onSent: () => void;
}

export function UploadRoster({ groupId, onClose, onSent }: Props) {
  const { actingUser, mirroredUser } = useSession();
  const mirroring = mirroredUser !== undefined;
  const sources = useSourceIds(groupId);
  const groups = useProviderGroups(groupId);
  const { sending, send, stop, clear } = useSending();

  const form = useForm<Roster>({
    resolver: zodResolver(rosterSchema),
    shouldFocusError: false,
    defaultValues: noRoster,
  });
  const { control, handleSubmit, reset, setError, clearErrors } = form;
  const fileField = useController({ control, name: 'files' });
  const files = fileField.field.value;
  const [selectedGroup, rosterType] = useWatch({ control, name: ['group', 'rosterType'] });
  const group = groups.data?.find(({ sourceGroupId }) => String(sourceGroupId) === selectedGroup);
  const limit = findLimitProblem(files);
  // The selection is part of the upload. It's only checked on request.
  const [layouts, setLayouts] = useState<Layouts>(new Map());
  const [checkedBy, setCheckedBy] = useState(layouts);
  const { check, restart } = useCheck({
    group,
    rosterType,
    files,
    layouts: checkedBy,
    username: actingUser.userNm,
    disabled: mirroring || limit !== undefined,
  });

  const fileInput = useRef<HTMLInputElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const { step } = sending;
  useRefreshAfter(sending, check, groupId, onSent);

  function submit(confirmed?: string) {
    if (!group) return setError('group', { message: 'Error: Select Provider Group' });
    const upload = buildForm({ group, rosterType, username: actingUser.userNm }, files, layouts);
    if (confirmed) upload.set('confirmed', confirmed);
    void send(upload);
  }
  function setFiles(next: File[]) {
    fileField.field.onChange(next);
    clearErrors('files');
    clear();
  }
  function changeFiles(next: File[]) {
    const { files: changed, replaced } = replaceFiles(files, next);
    setFiles(changed);
    if (replaced.length > 0)
      toast.success(`${replaced.map(({ name }) => name).join(', ')} replaced`, {
        label: 'Undo',
        run: () => setFiles([...files]),
      });
  }
  // A roster with an unreadable file isn't compared.
  const comparison =
    check.step === 'done' && rosterType === 'full' && files.every(isReadable)
      ? check.report.comparison
      : null;
  const [ownQuestion, setOwnQuestion] = useState<Question>();
  const question = ownQuestion ?? (sending.step === 'ask' ? sending.question : undefined);

  const busy = step === 'sending' || step === 'sent';
  const needsCorrection = check.step === 'done' && check.report.files.some(hasProblems);
  return (
    <>
      <form
        className="card"
        noValidate
        onSubmit={handleSubmit(
          () =>
            // The server compares columns that were selected since the check.
            comparison?.mustConfirm && layouts === checkedBy
              ? setOwnQuestion({
                  message: `${countTerminated(comparison)} Confirm to continue.`,
                  confirmed: String(comparison.end),
                })
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
              href={`${getConfig().apiUrl}/roster/template`}
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
          <UnsavedChangesGuard form={form} storageName={inputName} />
          <FormBanner
            form={form}
            title={'An error has occurred. Please address all fields marked with "Error".'}
          />
          <UploadOutcome sending={sending} />
          <GroupNotices sources={sources} groups={groups} />
          <RosterFields
            control={control}
            groups={groups}
            isGroupMissing={selectedGroup !== '' && groups.isSuccess && !group}
            fileField={fileField}
            limit={limit}
            disabled={busy}
            fileInput={fileInput}
            onFilesChange={changeFiles}
          />
          {step !== 'sent' && (
            <CheckStatus check={check} waiting={!group && !mirroring && files.some(isReadable)} />
          )}
          {sending.step === 'sending' && <UploadProgress sending={sending} onStop={stop} />}
          <div className="button-row">
            <Button
              type="submit"
              variant={needsCorrection ? 'secondary' : 'primary'}
              disabled={busy || mirroring}
            >
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
        onRetry={restart}
        onCorrect={needsCorrection && !busy ? () => fileInput.current?.click() : undefined}
      />
      <ConfirmTermination
        question={question?.message ?? ''}
        onConfirm={() => {
          setOwnQuestion(undefined);
          submit(question?.confirmed);
        }}
        onCancel={() => {
          setOwnQuestion(undefined);
          clear();
        }}
      />
    </>
  );
}

/** Reloads the history after an upload, and the groups after a failure. Closes the form after a success. */
function useRefreshAfter({ step }: Sending, check: Check, groupId: number, onSent: () => void) {
  const reloadHistory = useReloadHistory(groupId);
  const reloadGroups = useReloadGroups(groupId);
  const latest = useRef({ onSent, reloadHistory, reloadGroups });
  useEffect(() => {
    latest.current = { onSent, reloadHistory, reloadGroups };
  });
  useEffect(() => {
    if (step === 'none' || step === 'sending') return;
    latest.current.reloadHistory();
    if (step !== 'sent') return;
    const timer = setTimeout(() => latest.current.onSent(), returnAfter);
    return () => clearTimeout(timer);
  }, [step]);
  const failed = step === 'failed' || check.step === 'failed';
  useEffect(() => {
    if (failed) latest.current.reloadGroups();
  }, [failed]);
}

interface Groups {
  sources: ReturnType<typeof useSourceIds>;
  groups: ReturnType<typeof useProviderGroups>;
}

/** Shows why there are no provider groups to select. */
function GroupNotices({ sources, groups }: Groups) {
  return (
    <>
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
      {(sources.data?.length === 0 || groups.data?.length === 0) && (
        <Banner kind="info">
          Your roster group doesn't have provider groups yet. Ask the network to add a roster hub source.
        </Banner>
      )}
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

interface ConfirmProps {
  /** Empty if there is none. */
  question: string;
  onConfirm: () => void;
  onCancel: () => void;
}

const ConfirmTermination = ({ question, onConfirm, onCancel }: ConfirmProps) => (
  <ConfirmDialog
    open={question !== ''}
    title="Many providers would be terminated"
    confirmLabel="Send roster"
    cancelLabel="Go back"
    onConfirm={onConfirm}
    onCancel={onCancel}
  >
    <p>{question}</p>
    <p>Providers in the last roster who aren't in this one will be terminated.</p>
  </ConfirmDialog>
);
