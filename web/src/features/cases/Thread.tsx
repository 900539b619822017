import { formatLocalDateTime } from '@/ui/dates';
import { type CaseEntry, type CaseThread, describeEntry, formatAuthor } from './cases';
import styles from './cases.module.css';

const Entry = ({ entry }: { entry: CaseEntry }) => (
  <article className={styles.entry} data-side={entry.side}>
    <header>
      <strong>{formatAuthor(entry)}</strong> {describeEntry[entry.kind]}{' '}
      <time dateTime={entry.at}>{formatLocalDateTime(entry.at)}</time>
    </header>
    {entry.body && <p className={styles.body}>{entry.body}</p>}
  </article>
);

/** The answer first, then everything that was written, oldest first. */
export function Thread({ thread: { entries, answerId, state } }: { thread: CaseThread }) {
  const answer =
    state === 'OPEN' || state === 'WAITING' ? undefined : entries.find(({ id }) => id === answerId);
  return (
    <>
      {answer && (
        <section className={`card ${styles.answer}`} aria-labelledby="case-answer">
          <h2 id="case-answer">Answer</h2>
          <Entry entry={answer} />
        </section>
      )}
      <section className="card" aria-labelledby="case-thread">
        <h2 id="case-thread">Messages</h2>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </section>
    </>
  );
}
