import { useCallback, useState } from 'react';

/** A table's hidden columns and row height, as plain data. */
export interface TableShape {
  hidden: readonly string[];
  compact: boolean;
}

export const defaultShape: TableShape = { hidden: [], compact: false };

const getKey = (name: string) => `table ${name}`;

/** The user's shape of the table with this name, stored in this browser. */
export function useTableShape(name: string) {
  const [shape, setShape] = useState(() => read(name));
  const change = useCallback(
    (next: TableShape) => {
      setShape(next);
      try {
        localStorage.setItem(getKey(name), JSON.stringify(next));
      } catch {
        // Storage can be blocked. Then the shape lasts as long as the page.
      }
    },
    [name],
  );
  return [shape, change] as const;
}

function read(name: string): TableShape {
  try {
    const { hidden, compact } = JSON.parse(localStorage.getItem(getKey(name)) ?? '{}');
    return {
      hidden: Array.isArray(hidden) ? hidden.filter((id) => typeof id === 'string') : [],
      compact: compact === true,
    };
  } catch {
    return defaultShape;
  }
}
