import { useId, useRef, useState } from 'react';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog, UnsavedWarning } from '@/ui/Dialog';
import { TextAreaInput } from '@/ui/form/inputs';
import { formatCount } from '@/ui/format';
import { Failed, Loading } from '@/ui/PageState';
import { errorMessage } from '../errorMessage';
import { useConfirmLeave } from '../UnsavedChangesGuard';
import { useDraft } from '../useDraft';
import { NoteList } from './NoteList';
import styles from './notes.module.css';
import { type Note, useNotes, useWriteNote } from './queries';

const maxLength = 1000;
const failed = "Error: Couldn't save the note. Try again.";
const gone = 'Error: This bill is no longer available.';

interface Props {
  /** The ID of the bill's page, and the bill control number. */
  bill: { id: string; billControlNumber: string };
  onClose: () => void;
}

/** The group's notes on a bill. Authors can edit a note for an hour and delete it. */
export default function NotesDialog({ bill, onClose }: Props) {
  const notes = useNotes(bill.id);
  const { mutateAsync, isPending } = useWriteNote(bill.id);
  const newNote = useDraft(`note ${bill.id}`, { body: '' });
  const [edit, setEdit] = useState<{ note: Note; body: string } | null>(null);
  const isEdited = edit !== null && edit.body.trim() !== edit.note.body;
  // The note whose edit would replace a changed one. A second click confirms it.
  const [replacing, setReplacing] = useState<number>();
  const { body } = edit ?? newNote.values;
  const [status, setStatus] = useState('');
  const text = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState('');
  const { isConfirming, leave, cancelLeave } = useConfirmLeave(
    newNote.values.body.trim() !== '' || isEdited,
    () => {
      newNote.clear();
      onClose();
    },
  );
  const id = useId();
  const write = async (note: Note | null, written: string | null) => {
    setProblem('');
    setStatus('');
    try {
      await mutateAsync({ note: note?.id, body: written });
      setStatus(written === null ? 'Note deleted' : note ? 'Note updated' : 'Note added');
      // Deleting another note preserves the current draft.
      if (written === null && note?.id !== edit?.note.id) return;
      if (edit) setEdit(null);
      else newNote.clear();
      text.current?.focus();
    } catch (error) {
      setProblem(errorMessage(error, failed, note ? undefined : gone));
    }
  };
  const begin = (note: Note) => {
    const mustAsk = isEdited && replacing !== note.id;
    setReplacing(mustAsk ? note.id : undefined);
    if (mustAsk) return;
    setEdit({ note, body: note.body });
    text.current?.focus();
  };
  const tooLong = body.length > maxLength;
  const actions = (note: Note) =>
    note.mine &&
    !note.struckAt && (
      <div className="button-row">
        {isEdited && replacing === note.id && <UnsavedWarning />}
        {note.fresh && (
          <Button size="small" disabled={isPending} onClick={() => begin(note)}>
            {isEdited && replacing === note.id ? 'Discard changes' : 'Edit'}
          </Button>
        )}
        <Button size="small" disabled={isPending} onClick={() => void write(note, null)}>
          Delete
        </Button>
      </div>
    );
  return (
    <Dialog
      open
      size="medium"
      title={`Notes on bill ${bill.billControlNumber}`}
      onClose={isPending ? undefined : leave}
      keepOnClickOutside
      ownerConfirms
      actions={
        <>
          {isConfirming && <UnsavedWarning />}
          <Button disabled={isPending} onClick={leave}>
            {isConfirming ? 'Discard changes' : 'Close'}
          </Button>
          <Button
            type="submit"
            form={id}
            variant="primary"
            busy={isPending}
            disabled={tooLong || !body.trim()}
          >
            {edit ? 'Save note' : 'Add note'}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={styles.ask}
        onSubmit={(event) => {
          event.preventDefault();
          void write(edit?.note ?? null, body);
        }}
      >
        {newNote.guard}
        {problem && (
          <Banner kind="error">
            <p>{problem}</p>
          </Banner>
        )}
        <p role="status" className="visually-hidden">
          {status}
        </p>
        <TextAreaInput
          ref={text}
          label={edit ? 'Edit note' : 'New note'}
          rows={3}
          value={body}
          readOnly={isPending}
          error={
            tooLong
              ? `Error: Use ${formatCount(maxLength)} characters or fewer (${formatCount(body.length - maxLength)} over)`
              : undefined
          }
          hint="Only your group can see this note. Network staff can't, even when mirroring."
          onChange={({ target }) => {
            cancelLeave();
            setReplacing(undefined);
            if (edit) setEdit({ ...edit, body: target.value });
            else newNote.set({ body: target.value });
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            if (body.trim() && !tooLong && !isPending) event.currentTarget.form?.requestSubmit();
          }}
        />
      </form>
      {notes.isPending ? (
        <Loading />
      ) : notes.isError ? (
        <Failed onRetry={() => void notes.refetch()} />
      ) : (
        <NoteList notes={notes.data} actions={actions} />
      )}
    </Dialog>
  );
}
