import type { ReactNode } from 'react';
import styles from './ViewedList.module.css';

interface Item {
  key: number;
  viewed: boolean;
  content: ReactNode;
}

/** A titled list in which what was viewed before steps back. */
export function ViewedList({
  id,
  title,
  empty,
  items,
  children,
}: {
  id: string;
  title: string;
  /** What stands in place of an empty list. */
  empty: string;
  items: readonly Item[];
  /** What is said about the list itself. */
  children?: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className={styles.list}>
      <h3 id={id}>{title}</h3>
      {children}
      {items.length === 0 ? (
        empty && <p>{empty}</p>
      ) : (
        <ul>
          {items.map(({ key, viewed, content }) => (
            <li key={key} data-viewed={viewed || undefined}>
              {content}
              <span>{viewed ? 'Viewed' : 'New'}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
