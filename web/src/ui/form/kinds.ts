import { formatPhone } from '../format';
import { bareNumber, normaliseText } from '../text';

/* What a line of text can be. A field and its form's schema are given the same kind, so that they agree. No schema
   here, so that no screen loads more than it needs. */

/** What is left of what is typed, and the most characters of that. */
export interface Kind {
  readonly most: number;
  readonly normalise: (typed: string) => string;
}

export const line = (most: number): Kind => ({ most, normalise: normaliseText });

/** A number by which something is known, such as a TIN: told without the blanks and hyphens people write in it. */
export const digitGroups = (most: number): Kind => ({
  most,
  normalise: (typed) => bareNumber(typed),
});

/** A number of a bill, also where the bill is pasted as the portal shows it: 7000001080 / 202506080000011. */
export const numberOfBill = (most: number, part: 'billControlNumber' | 'documentId'): Kind => ({
  most,
  normalise: (typed) => {
    const text = normaliseText(typed);
    const [number, document] = /^([^/]+) \/ ([^/]+)$/.exec(text)?.slice(1) ?? [];
    return (part === 'documentId' ? document : number) ?? text;
  },
});

/** A phone number: ten digits as ddd-ddd-dddd, the country's own 1 in front left out. */
export const phone = (most: number): Kind => ({ most, normalise: normalisePhone });

function normalisePhone(typed: string): string {
  const text = normaliseText(typed);
  if (!/^[\d\s().+\p{Pd}]*$/u.test(text)) return text;
  const digits = text.replace(/\D/g, '');
  if (digits.length < 10) return text;
  return formatPhone(digits.length === 11 ? digits.replace(/^1/, '') : digits);
}

/** Names with commas between, one on a line, or with semicolons. */
export const nameList = (most: number): Kind => ({
  most,
  normalise: (typed) => {
    const names = typed.split(/[,;\r\n\t]/).map(normaliseText);
    return names.filter((name) => name !== '').join(', ') || normaliseText(typed);
  },
});

export const tooLong = ({ most }: Kind) =>
  `Error: Use ${most} ${most === 1 ? 'character' : 'characters'} or fewer`;

/** What is said of a text that is longer than its kind allows; never of the one that was stored before. */
export function lengthProblem(kind: Kind, typed: string, stored = ''): string | undefined {
  const text = kind.normalise(typed);
  return [...text].length > kind.most && text !== kind.normalise(stored) ? tooLong(kind) : undefined;
}
