import type { ReactNode } from 'react';
import { formatLocalDateTime } from '@/ui/dates';
import styles from './notes.module.css';
import type { Note } from './queries';

/** Notes as written, with author and time. */
export const NoteList = ({
  notes,
  actions,
}: {
  notes: readonly Note[];
  actions?: (note: Note) => ReactNode;
}) => (
  <ul className={styles.notes}>
    {notes.map((note) => (
      <li key={note.id}>
        <p className={styles.by}>
          {note.author || 'Former user'}, {formatLocalDateTime(note.at)}
          {note.editedAt && ', edited'}
          {note.struckAt && ', deleted'}
        </p>
        <p className={styles.body}>{note.struckAt ? <s>{note.body}</s> : note.body}</p>
        {actions?.(note)}
      </li>
    ))}
  </ul>
);
