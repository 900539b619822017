import { Link } from '@tanstack/react-router';
import { useContext } from 'react';
import { getConfig } from '@/api/config';
import { AtDesk } from '@/shared/BillLink';
import * as paths from '@/shared/paths';
import { Chip } from '@/ui/Chip';
import { formatLocalDateTime } from '@/ui/dates';
import {
  type CaseEntry,
  type CaseFile,
  type CaseThread,
  describeEntry,
  formatAuthor,
  nameKind,
} from './cases';
import styles from './cases.module.css';

interface EntryProps {
  entry: CaseEntry;
  thread: CaseThread;
}

function Entry({ entry, thread }: EntryProps) {
  const { number, files } = thread;
  const isAtDesk = useContext(AtDesk);
  const [merged = '', ...about] = entry.body.split(' ');
  return (
    <article className={styles.entry} data-side={entry.side} data-kind={entry.kind}>
      <header>
        <strong>{formatAuthor(entry)}</strong>{' '}
        {describeEntry[entry.kind].replace('question', nameKind(thread))}{' '}
        <time dateTime={entry.at}>{formatLocalDateTime(entry.at)}</time>{' '}
        {entry.kind === 'NOTE' && <Chip kind="warning">Staff only</Chip>}
      </header>
      {entry.kind === 'MERGE' ? (
        <p className={styles.body}>
          <Link {...(isAtDesk ? paths.toDeskCase(merged) : paths.toCase(merged))}>{merged}</Link>{' '}
          {about.join(' ')}
        </p>
      ) : (
        entry.body && <p className={styles.body}>{entry.body}</p>
      )}
      <Files
        number={number}
        files={files.filter(({ entryId }) => entryId === entry.id)}
        side={isAtDesk ? 'desk' : 'work'}
      />
    </article>
  );
}

interface FilesProps {
  number: string;
  files: CaseFile[];
  side: 'desk' | 'work';
}

const Files = ({ number, files, side }: FilesProps) =>
  files.length > 0 && (
    <ul className={styles.files}>
      {files.map(({ id, name }) => (
        <li key={id}>
          <a href={`${getConfig().apiUrl}/${side}/cases/${encodeURIComponent(number)}/files/${id}`} download>
            {name}
          </a>
        </li>
      ))}
    </ul>
  );

/** The answer first, then everything that was written, oldest first. */
export function Thread({ thread }: { thread: CaseThread }) {
  const { entries, answerId, state } = thread;
  const answer =
    state === 'OPEN' || state === 'WAITING' ? undefined : entries.find(({ id }) => id === answerId);
  return (
    <>
      {answer && (
        <section className={`card ${styles.card} ${styles.answer}`} aria-labelledby="case-answer">
          <h2 id="case-answer">Answer</h2>
          <Entry entry={answer} thread={thread} />
        </section>
      )}
      <section className={`card ${styles.card}`} aria-labelledby="case-thread">
        <h2 id="case-thread">Messages</h2>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} thread={thread} />
        ))}
      </section>
    </>
  );
}
