/** Text as it is compared and sent: trimmed, NFC, every run of white space one space. */
export const normaliseText = (text: string) => text.normalize('NFC').trim().replace(/\s+/gu, ' ');

/** Text that begins a sentence or a line of its own. */
export const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const gaps = /[\s\p{Pd}]/gu;

/** A number as it is compared: without the spaces and hyphens that people write in it. The server's text.TIN. */
export const bareNumber = (typed: string) => typed.replace(gaps, '');

/** A number that names something: no amount and no date. */
export const isNumber = (typed: string) => /^[\p{L}\s\p{Pd}]*\d[\p{L}\d\s\p{Pd}]*$/u.test(typed);

/** Letters with a stroke or two letters in one, which Unicode doesn't divide. */
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
// Accents, and what stands for an apostrophe among the letters.
const signs = /[\p{Script=Inherited}\u02b0-\u02ff\ua78b\ua78c]|[^\p{L}\p{M}\p{Nd}]/gu;

/**
 * A part of a name as it is compared: its letters, without case, accents, apostrophes, hyphens and spaces. The
 * server's names.Letters.
 */
export function letters(name: string): string {
  const folded = /^[ -~]*$/.test(name)
    ? name.toLowerCase().replace(/[^a-z0-9]/g, '')
    : name
        .normalize('NFKD')
        .toLowerCase()
        .normalize('NFKD')
        .replace(nonASCII, (letter) => undivided[letter] ?? letter)
        .replace(signs, '');
  return folded || normaliseText(name).toLowerCase();
}
