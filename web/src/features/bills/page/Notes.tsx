import { lazy, Suspense, useState } from 'react';
import { useSession } from '@/api/session';
import { NoteList } from '@/shared/billNotes/NoteList';
import { useNotes } from '@/shared/billNotes/queries';
import { Button } from '@/ui/Button';
import styles from './bill.module.css';
import type { Page } from './queries';

const NotesDialog = lazy(() => import('@/shared/billNotes/NotesDialog'));

interface Props {
  id: string;
  page: Page;
}

/**
 * Only for the group: staff and users who mirror don't see the notes. Bills of the second bill
 * system have none.
 */
function useOwnNotes({ id, page }: Props) {
  const { can, mirroredUser } = useSession();
  const enabled = can('work.notes') && !mirroredUser && page.kind !== 'second';
  const { data, isLoadingError } = useNotes(id, enabled);
  // If only an update fails, an open dialog keeps its text.
  return { offered: enabled && !isLoadingError, notes: data };
}

/** The group's notes on the bill. */
export function Notes(props: Props) {
  const { notes } = useOwnNotes(props);
  if (!notes?.length) return null;
  return (
    <section className={`card ${styles.notes}`}>
      <h2>Notes</h2>
      <NoteList notes={notes} />
    </section>
  );
}

export function NotesButton(props: Props) {
  const [open, setOpen] = useState(false);
  const { offered, notes } = useOwnNotes(props);
  if (!offered) return null;
  const { billControlNumber, documentId } = props.page.bill;
  return (
    <>
      {/* Reserves the space until the text is loaded. */}
      <Button style={{ visibility: notes ? undefined : 'hidden' }} onClick={() => setOpen(true)}>
        {notes?.length ? 'Notes' : 'Add note'}
      </Button>
      <Suspense>
        {open && (
          <NotesDialog
            bill={{ id: props.id, billControlNumber: billControlNumber || documentId }}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  );
}
