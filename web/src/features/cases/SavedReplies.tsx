import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { EditDialog } from '@/shared/EditDialog';
import { errorMessage } from '@/shared/errorMessage';
import { Button } from '@/ui/Button';
import { ConfirmDialog, Dialog } from '@/ui/Dialog';
import { TextAreaField, TextField } from '@/ui/form/fields';
import { line } from '@/ui/form/kinds';
import { Failed, Loading } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import styles from './cases.module.css';
import { type SavedReply, useDeleteReply, useSavedReplies, useSaveReply } from './queries';

const newReply: SavedReply = { id: 0, title: '', body: '', version: 0 };

const titleKind = line(80);

/** Adds, changes and deletes the texts that staff can insert into answers. */
export function SavedReplies() {
  const [shown, setShown] = useState<'none' | 'list' | 'delete' | 'edit'>('none');
  const [reply, setReply] = useState(newReply);
  const { mutate: remove, isPending } = useDeleteReply();
  const back = () => setShown('list');
  const show = (what: typeof shown, which: SavedReply) => {
    setReply(which);
    setShown(what);
  };
  return (
    <>
      <Button size="small" onClick={back}>
        Saved replies
      </Button>
      <Dialog
        open={shown === 'list'}
        title="Saved replies"
        onClose={() => setShown('none')}
        actions={
          <Button variant="primary" onClick={() => show('edit', newReply)}>
            Add reply
          </Button>
        }
      >
        <p>Texts that staff can insert into answers.</p>
        <List onEdit={(one) => show('edit', one)} onDelete={(one) => show('delete', one)} />
      </Dialog>
      {shown === 'edit' && <ReplyForm reply={reply} onClose={back} />}
      <ConfirmDialog
        open={shown === 'delete'}
        title="Delete saved reply?"
        confirmLabel="Delete"
        cancelLabel="Cancel"
        busy={isPending}
        onConfirm={() =>
          remove(reply, {
            onSuccess: () => toast.success('Reply deleted'),
            onError: (error) =>
              toast.error(errorMessage(error, "Error: Couldn't delete the saved reply. Try again.")),
            onSettled: back,
          })
        }
        onCancel={back}
      >
        <p>{reply.title}</p>
      </ConfirmDialog>
    </>
  );
}

function List({ onEdit, onDelete }: Record<'onEdit' | 'onDelete', (reply: SavedReply) => void>) {
  const { data, isError, refetch } = useSavedReplies();
  if (!data) return isError ? <Failed onRetry={() => void refetch()} /> : <Loading />;
  return (
    <ul className={styles.replies}>
      {data.map((reply) => (
        <li key={reply.id}>
          <span>{reply.title}</span>
          <Button size="small" aria-label={`Edit ${reply.title}`} onClick={() => onEdit(reply)}>
            Edit
          </Button>
          <Button size="small" aria-label={`Delete ${reply.title}`} onClick={() => onDelete(reply)}>
            Delete
          </Button>
        </li>
      ))}
    </ul>
  );
}

function ReplyForm({ reply, onClose }: { reply: SavedReply; onClose: () => void }) {
  const form = useForm({ defaultValues: reply });
  const { mutateAsync: save } = useSaveReply();
  const { control } = form;
  return (
    <EditDialog
      form={form}
      title={reply.id ? 'Edit saved reply' : 'Add saved reply'}
      version={String(reply.version)}
      save={async (values, version) => {
        await save({ ...values, version: Number(version) });
        return 'Reply saved';
      }}
      failed="Error: Couldn't save the reply. Try again."
      onClose={onClose}
    >
      <TextField control={control} name="title" kind={titleKind} label="Title" required autoComplete="off" />
      <TextAreaField control={control} name="body" label="Text" required rows={6} />
    </EditDialog>
  );
}
