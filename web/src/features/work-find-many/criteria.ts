import { rowsOf, type Separator } from './paste';
import type { Column, Kind } from './queries';

/** A text that was pasted. */
interface Pasted {
  from: 'paste';
  text: string;
  separator: Separator;
}

/** A file that the server has read. */
interface Sent {
  from: 'file';
  id: string;
  name: string;
  /** How many lines it has, headings included. */
  lines: number;
  /** Its first lines. */
  sample: string[][];
  warnings: string[];
}

/** What is looked up, and which of its columns is what. */
export interface Criteria {
  list: Pasted | Sent;
  columns: Column[];
  /** So many lines at the start are headings. */
  headerRows: number;
  /** When it was asked for, which tells one press of the button from another; 0 before. */
  asked: number;
}

/** What each kind of column is called. */
export const kinds: Record<Exclude<Kind, ''>, string> = {
  billControlNumber: 'bill control number',
  documentId: 'document ID (DCN)',
  patientControlNumber: 'patient account number',
  payerControlNumber: 'payer claim control number',
  claimNumber: 'claim number',
  checkNumber: 'check or EFT number',
  lastName: "claimant's last name",
  firstName: "claimant's first name",
  fullName: "claimant's full name",
  birthDate: 'birth date',
  serviceDate: 'service date',
  ftin: 'Tax ID (TIN)',
};

/** All lines of a paste, the first ones of a file, headings included. */
export const linesOf = (list: Criteria['list']) =>
  list.from === 'paste' ? rowsOf(list.text, list.separator) : list.sample;

/** How many lines are looked up. */
export const countOf = (list: Criteria['list'], headerRows: number) =>
  Math.max(0, (list.from === 'paste' ? linesOf(list).length : list.lines) - headerRows);

/** The columns named by so many lines at the start. */
export const withHeadings = (
  columns: readonly Column[],
  lines: readonly (readonly string[])[],
  headerRows: number,
): Column[] =>
  columns.map((column) => ({
    ...column,
    name: lines
      .slice(0, headerRows)
      .map((cells) => cells[column.index])
      .filter(Boolean)
      .join(' '),
  }));

/** What the history kept, or null where an earlier version of the program kept something else. */
export function read(kept: unknown): Criteria | null {
  const { list, columns, headerRows, asked } = (kept ?? {}) as Partial<Criteria>;
  const whole =
    (list?.from === 'paste'
      ? typeof list.text === 'string'
      : list?.from === 'file' && Array.isArray(list.sample)) &&
    Array.isArray(columns) &&
    typeof headerRows === 'number' &&
    typeof asked === 'number';
  return whole ? (kept as Criteria) : null;
}
