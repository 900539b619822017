import type { components } from '@/api/schema';

export type Column = components['schemas']['DepositColumn'];
export type Kind = Column['kind'];

/** The labels of the column types. */
export const kinds: Record<Exclude<Kind, ''>, string> = {
  date: 'date',
  amount: 'amount',
  withdrawal: 'withdrawals',
  trace: 'trace or check number',
  description: 'description',
};

/** A list in this tab's memory, with its column types. */
export interface Criteria {
  /** Identifies the list. */
  list: number;
  columns: Column[];
  /** The number of heading lines at the start. */
  headerRows: number;
  /** When the match was requested, which distinguishes clicks; 0 before. */
  asked: number;
}

/** Reports whether the columns are enough to match without asking the user first. */
export const isComplete = (columns: readonly Column[]) =>
  columns.some(({ kind }) => kind === 'trace') || isDatedAmount(columns);

const isDatedAmount = (columns: readonly Column[]) =>
  (['date', 'amount'] as const).every((wanted) => columns.some(({ kind }) => kind === wanted));

/**
 * Parses criteria from the history; null if an earlier version of the program stored another
 * format.
 */
export function read(stored: unknown): Criteria | null {
  const { list, columns, headerRows, asked } = (stored ?? {}) as Partial<Criteria>;
  const isValid =
    typeof list === 'number' &&
    Array.isArray(columns) &&
    typeof headerRows === 'number' &&
    typeof asked === 'number';
  return isValid ? (stored as Criteria) : null;
}
