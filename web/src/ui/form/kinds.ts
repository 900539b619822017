import { formatPhone } from '../format';
import { normalizeText, stripSeparators } from '../text';

/*
 * The kinds of a line of text. A field and its form's schema use the same kind, so that they
 * agree. There is no schema here, so that no screen loads more than it needs.
 */

/** Normalizes the typed text, and limits the number of characters left. */
export interface Kind {
  readonly most: number;
  readonly normalise: (typed: string) => string;
}

export const line = (most: number): Kind => ({ most, normalise: normalizeText });

/** An identifying number, such as a TIN, without the spaces and hyphens that people type. */
export const digitGroups = (most: number): Kind => ({
  most,
  normalise: (typed) => stripSeparators(typed),
});

/**
 * One number of a bill. It accepts a bill pasted as the portal shows it: 7000001080 /
 * 202506080000011.
 */
export const numberOfBill = (most: number, part: 'billControlNumber' | 'documentId'): Kind => ({
  most,
  normalise: (typed) => {
    const text = normalizeText(typed);
    const [number, document] = /^([^/]+) \/ ([^/]+)$/.exec(text)?.slice(1) ?? [];
    return (part === 'documentId' ? document : number) ?? text;
  },
});

/** A phone number: ten digits as ddd-ddd-dddd, without the leading country code 1. */
export const phone = (most: number): Kind => ({ most, normalise: normalisePhone });

function normalisePhone(typed: string): string {
  const text = normalizeText(typed);
  if (!/^[\d\s().+\p{Pd}]*$/u.test(text)) return text;
  const digits = text.replace(/\D/g, '');
  if (digits.length < 10) return text;
  return formatPhone(digits.length === 11 ? digits.replace(/^1/, '') : digits);
}

/** Names separated by commas, lines or semicolons. */
export const nameList = (most: number): Kind => ({
  most,
  normalise: (typed) => {
    const names = typed.split(/[,;\r\n\t]/).map(normalizeText);
    return names.filter((name) => name !== '').join(', ') || normalizeText(typed);
  },
});

export const tooLong = ({ most }: Kind) =>
  `Error: Use ${most} ${most === 1 ? 'character' : 'characters'} or fewer`;

/** The error for a text longer than its kind allows, unless it's the stored text. */
export function lengthProblem(kind: Kind, typed: string, stored = ''): string | undefined {
  const text = kind.normalise(typed);
  return [...text].length > kind.most && text !== kind.normalise(stored) ? tooLong(kind) : undefined;
}
