/**
 * Normalizes text for comparison and sending: trimmed, NFC, each run of white space as one
 * space.
 */
export const normalizeText = (text: string) => text.normalize('NFC').trim().replace(/\s+/gu, ' ');

/** Capitalizes text at the start of a sentence or line. */
export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const gaps = /[\s\p{Pd}]/gu;

/** Removes spaces and hyphens from a number for comparison. Same as the server's text.TIN. */
export const stripSeparators = (typed: string) => typed.replace(gaps, '');

/** Reports whether it's an identifying number, and not an amount or a date. */
export const isNumber = (typed: string) => /^[\p{L}\s\p{Pd}]*\d[\p{L}\d\s\p{Pd}]*$/u.test(typed);

/** Letters with a stroke and ligatures, which Unicode doesn't decompose. */
const undivided: Record<string, string> = {
  ß: 'ss',
  ς: 'σ',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ɖ: 'd',
  ɗ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  ŧ: 't',
  þ: 'th',
  ə: 'e',
};
const nonASCII = /[^ -~]/gu;
// Accents, and the characters people use for an apostrophe.
const signs = /[\p{Script=Inherited}\u02b0-\u02ff\ua78b\ua78c]|[^\p{L}\p{M}\p{Nd}]/gu;

/**
 * Returns a name's letters for comparison, without case, accents, apostrophes, hyphens and
 * spaces. Same as the server's names.Letters.
 */
export function toLetters(name: string): string {
  const folded = /^[ -~]*$/.test(name)
    ? name.toLowerCase().replace(/[^a-z0-9]/g, '')
    : name
        .normalize('NFKD')
        .toLowerCase()
        .normalize('NFKD')
        .replace(nonASCII, (letter) => undivided[letter] ?? letter)
        .replace(signs, '');
  return folded || normalizeText(name).toLowerCase();
}
