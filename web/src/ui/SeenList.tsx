import type { ReactNode } from 'react';
import styles from './SeenList.module.css';

interface Item {
  key: number;
  seen: boolean;
  content: ReactNode;
}

/** A titled list in which what was seen before steps back. */
export function SeenList({
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
          {items.map(({ key, seen, content }) => (
            <li key={key} data-viewed={seen || undefined}>
              {content}
              <span>{seen ? 'Viewed' : 'New'}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
