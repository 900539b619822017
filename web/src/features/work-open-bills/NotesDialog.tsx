import { useId, useRef, useState } from 'react';
import { refusal, withWait } from '@/shared/refusal';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { formatMoment } from '@/ui/dates';
import { TextAreaInput } from '@/ui/form/inputs';
import { Failed, Loading } from '@/ui/PageState';
import styles from './openbills.module.css';
import { type Note, type OpenBill, useNotes, useWriteNote } from './queries';

const most = 1000;
const failed = 'Error: The note was not saved. Please try again.';

/** The group's notes on a bill: read, written, changed for an hour, then struck. */
export default function NotesDialog({ bill, onClose }: { bill: OpenBill; onClose: () => void }) {
  const notes = useNotes(bill.id);
  const { mutateAsync, isPending } = useWriteNote(bill.id);
  const [editing, setEditing] = useState<Note | null>(null);
  const [body, setBody] = useState('');
  /** A new note that was begun before another one was changed. */
  const [begun, setBegun] = useState('');
  const [said, say] = useState('');
  const text = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState('');
  const id = useId();
  const write = async (note: Note | null, written: string | null) => {
    setProblem('');
    say('');
    try {
      await mutateAsync({ note: note?.id, body: written });
      say(written === null ? 'The note is struck.' : note ? 'The note is changed.' : 'The note is added.');
      // What is being written is kept when another note is struck.
      if (written === null && note?.id !== editing?.id) return;
      setEditing(null);
      setBody(editing ? begun : '');
      setBegun('');
      text.current?.focus();
    } catch (error) {
      const { fields, status, message } = refusal(error);
      const told =
        fields.length > 0 ? fields.map(({ message }) => message).join(' ') : status === 409 ? message : '';
      setProblem(told ? `Error: ${told}` : withWait(failed, refusal(error)));
    }
  };
  const tooLong = body.length > most;
  const unsaved = editing ? body !== editing.body || begun.trim() !== '' : body.trim() !== '';
  return (
    <Dialog
      open
      size="medium"
      title={`Notes on bill ${bill.billControlNumber}`}
      onClose={isPending ? undefined : onClose}
      keepOnClickOutside
      actions={
        <>
          <Button disabled={isPending} onClick={onClose}>
            {unsaved ? 'Close without saving' : 'Close'}
          </Button>
          <Button
            type="submit"
            form={id}
            variant="primary"
            busy={isPending}
            disabled={tooLong || !body.trim()}
          >
            {editing ? 'Save the change' : 'Add the note'}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={styles.ask}
        onSubmit={(event) => {
          event.preventDefault();
          void write(editing, body);
        }}
      >
        {problem && (
          <Banner kind="error">
            <p>{problem}</p>
          </Banner>
        )}
        <p role="status" className="visually-hidden">
          {said}
        </p>
        <TextAreaInput
          ref={text}
          label={editing ? 'Change the note' : 'New note'}
          rows={3}
          value={body}
          error={tooLong ? `At most ${most} characters` : undefined}
          hint="Only your group reads it, nobody else, nor staff who act in your name."
          onChange={({ target }) => setBody(target.value)}
        />
      </form>
      {notes.isPending ? (
        <Loading />
      ) : notes.isError ? (
        <Failed onRetry={() => void notes.refetch()} />
      ) : (
        <ul className={styles.notes}>
          {notes.data.map((note) => (
            <li key={note.id}>
              <p className={styles.by}>
                {note.author || 'Somebody who left'}, {formatMoment(note.at)}
                {note.editedAt && ', changed'}
                {note.struckAt && ', struck'}
              </p>
              <p className={styles.body}>{note.struckAt ? <s>{note.body}</s> : note.body}</p>
              {note.mine && !note.struckAt && (
                <div className="button-row">
                  {note.fresh && (
                    <Button
                      size="small"
                      onClick={() => {
                        if (!editing) setBegun(body);
                        setEditing(note);
                        setBody(note.body);
                        text.current?.focus();
                      }}
                    >
                      Change
                    </Button>
                  )}
                  <Button size="small" disabled={isPending} onClick={() => void write(note, null)}>
                    Strike
                  </Button>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
