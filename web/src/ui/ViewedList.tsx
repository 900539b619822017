import { type ReactNode, useRef } from 'react';
import { Button } from './Button';
import styles from './ViewedList.module.css';

interface Item {
  key: number;
  viewed: boolean;
  content: ReactNode;
}

/** A titled list that dims viewed entries. */
export function ViewedList({
  id,
  title,
  empty,
  items,
  onViewAll,
  children,
}: {
  id: string;
  title: string;
  /** Shown in place of an empty list. */
  empty: string;
  items: readonly Item[];
  /** Marks all as viewed. Offered while one isn't. */
  onViewAll?: () => void;
  /** Notes on the list itself. */
  children?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section aria-labelledby={id} className={styles.list}>
      <h3 ref={heading} id={id} tabIndex={-1}>
        {title}
      </h3>
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
      {onViewAll && items.some(({ viewed }) => !viewed) && (
        <Button
          variant="link"
          aria-describedby={id}
          onClick={() => {
            onViewAll();
            // The button disappears, so the focus moves here.
            heading.current?.focus();
          }}
        >
          Mark all as viewed
        </Button>
      )}
    </section>
  );
}
