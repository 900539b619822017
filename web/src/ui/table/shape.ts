import { useCallback, useState } from 'react';

/** A table's hidden columns and row height, as plain data. */
export interface TableShape {
  hidden: readonly string[];
  /** Columns that stay visible without any values, in tables that hide those. */
  shown?: readonly string[];
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

const readIds = (stored: unknown): string[] =>
  Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];

/** The shape with these empty columns hidden too, except those that the user chose to see. */
export const hideEmpty = (shape: TableShape, empty: readonly string[]): TableShape => ({
  ...shape,
  hidden: [
    ...shape.hidden,
    ...empty.filter((id) => !shape.hidden.includes(id) && !shape.shown?.includes(id)),
  ],
});

/** The user's shape after a change of what hideEmpty returned: empty columns aren't hidden by the user. */
export function keepChosen(before: TableShape, { hidden, compact }: TableShape, empty: readonly string[]) {
  const wasHidden = hideEmpty(before, empty).hidden;
  const shown = (before.shown ?? []).filter((id) => !hidden.includes(id));
  return {
    hidden: hidden.filter((id) => before.hidden.includes(id) || !wasHidden.includes(id)),
    shown: [...shown, ...empty.filter((id) => wasHidden.includes(id) && !hidden.includes(id))],
    compact,
  };
}

function read(name: string): TableShape {
  try {
    const { hidden, shown, compact } = JSON.parse(localStorage.getItem(getKey(name)) ?? '{}');
    return {
      hidden: readIds(hidden),
      shown: readIds(shown),
      compact: compact === true,
    };
  } catch {
    return defaultShape;
  }
}
