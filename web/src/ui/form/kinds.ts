import { formatPhone } from '../format';
import { normalizeText, stripSeparators } from '../text';

/*
 * The kinds of a line of text. A field and its form's schema use the same kind, so that they
 * agree. There is no schema here, so that no screen loads more than it needs.
 */

/** Normalizes the typed text, and limits the number of characters left. */
export interface Kind {
  readonly maxChars: number;
  readonly normalize: (typed: string) => string;
}

export const line = (maxChars: number): Kind => ({ maxChars, normalize: normalizeText });

/** An identifying number, such as a TIN, without the spaces and hyphens that people type. */
export const digitGroups = (maxChars: number): Kind => ({
  maxChars,
  normalize: (typed) => stripSeparators(typed),
});

/**
 * One number of a bill. It accepts a bill pasted as the portal shows it: 7000001080 /
 * 202506080000011.
 */
export const billNumber = (maxChars: number, part: 'billControlNumber' | 'documentId'): Kind => ({
  maxChars,
  normalize: (typed) => {
    const text = normalizeText(typed);
    const [number, document] = /^([^/]+) \/ ([^/]+)$/.exec(text)?.slice(1) ?? [];
    return (part === 'documentId' ? document : number) ?? text;
  },
});

/** A phone number: ten digits as ddd-ddd-dddd, without the leading country code 1. */
export const phone = (maxChars: number): Kind => ({ maxChars, normalize: normalizePhone });

function normalizePhone(typed: string): string {
  const text = normalizeText(typed);
  if (!/^[\d\s().+\p{Pd}]*$/u.test(text)) return text;
  const digits = text.replace(/\D/g, '');
  if (digits.length < 10) return text;
  return formatPhone(digits.length === 11 ? digits.replace(/^1/, '') : digits);
}

/** Names separated by commas, lines or semicolons. */
export const nameList = (maxChars: number): Kind => ({
  maxChars,
  normalize: (typed) => {
    const names = typed.split(/[,;\r\n\t]/).map(normalizeText);
    return names.filter((name) => name !== '').join(', ') || normalizeText(typed);
  },
});

export const formatTooLong = ({ maxChars }: Kind) =>
  `Error: Use ${maxChars} ${maxChars === 1 ? 'character' : 'characters'} or fewer`;

/** The error for a text longer than its kind allows, unless it's the stored text. */
export function findLengthProblem(kind: Kind, typed: string, stored = ''): string | undefined {
  const text = kind.normalize(typed);
  return [...text].length > kind.maxChars && text !== kind.normalize(stored)
    ? formatTooLong(kind)
    : undefined;
}
