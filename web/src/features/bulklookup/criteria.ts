import type { components } from '@/api/schema';
import { parseRows, type Separator } from './paste';

export type Column = components['schemas']['LookupColumn'];
export type Kind = Column['kind'];

/** Pasted text. */
interface Pasted {
  from: 'paste';
  text: string;
  separator: Separator;
}

/** A file that the server has parsed. */
interface Sent {
  from: 'file';
  id: string;
  name: string;
  /** The number of lines, headings included. */
  lines: number;
  /** The first lines. */
  sample: string[][];
  warnings: string[];
}

/** The list to look up, with its column types. */
export interface Criteria {
  list: Pasted | Sent;
  columns: Column[];
  /** The number of heading lines at the start. */
  headerRows: number;
  /** When the lookup was requested, which distinguishes clicks; 0 before. */
  asked: number;
}

/** An 837 whose bills are looked up. Its columns are known. */
export interface SentClaims {
  id: string;
  name: string;
}

/** What the screen looks up: a list, or the bills of an 837. */
export type Search = Criteria | { claims: SentClaims };

/** Reports whether a paste is an 837: it begins with an ISA segment. */
export const isX12 = (text: string) => /^\s*ISA[*|~^:>!#+&@]/i.test(text);

/** The labels of the column types. */
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

/** All lines of a paste, or a file's first ones, headings included. */
export const getLines = (list: Criteria['list']) =>
  list.from === 'paste' ? parseRows(list.text, list.separator) : list.sample;

/** The number of lines to look up. */
export const countLines = (list: Criteria['list'], headerRows: number) =>
  Math.max(0, (list.from === 'paste' ? getLines(list).length : list.lines) - headerRows);

/**
 * Parses criteria from the history; null if an earlier version of the program stored another
 * format.
 */
export function read(stored: unknown): Search | null {
  const { claims } = (stored ?? {}) as { claims?: Partial<SentClaims> };
  if (typeof claims?.id === 'string' && typeof claims.name === 'string')
    return { claims: { id: claims.id, name: claims.name } };
  const { list, columns, headerRows, asked } = (stored ?? {}) as Partial<Criteria>;
  const isValid =
    (list?.from === 'paste'
      ? typeof list.text === 'string'
      : list?.from === 'file' && Array.isArray(list.sample)) &&
    Array.isArray(columns) &&
    typeof headerRows === 'number' &&
    typeof asked === 'number';
  return isValid ? (stored as Criteria) : null;
}
