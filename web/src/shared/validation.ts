import { digitGroups, findLengthProblem, formatTooLong, line, phone } from '@/ui/form/kinds';

/*
 * Validates names, addresses, phone numbers and TINs by the server's rules, with the error texts
 * that all screens share. There is no schema here, so that no screen loads more than it needs.
 */

/** The kinds of text that several forms use. */
export const emailKind = line(120);
export const nameKind = line(40);
export const phoneKind = phone(15);
export const tinKind = digitGroups(9);

/** Reports whether a text has the format of an email address. */
export const isEmail = (text: string): boolean =>
  !hasWrongLength(text, 0, emailKind.maxChars) &&
  /^[^@]+@[^@.]+(\.[^@.]+)+$/.test(text) &&
  !/[\0- \x7f,;<>"()[\]\\]/.test(text) &&
  !text.includes('=?'); // an encoded word, which relays interpret as another address

/** Ten to fifteen digits with the usual separators. */
export function isPhone(typed: string): boolean {
  const normal = phoneKind.normalize(typed);
  return /^[\d-]*$/.test(normal) && !hasWrongLength(getDigits(normal), 10, phoneKind.maxChars);
}

export const getDigits = (typed: string): string => typed.replace(/\D/g, '');

/** Reports whether a text is too short or too long, in characters as the server counts them. */
export function hasWrongLength(text: string, min: number, max: number): boolean {
  const { length } = [...text];
  return length < min || length > max;
}

/** A person's input fields, by their API names. */
export const personKinds = {
  userFirstName: nameKind,
  userLastName: nameKind,
  userMidName: line(1),
  phoneNum: phoneKind,
  emailAddr: emailKind,
  employeeId: line(120),
  affiliationDesc: line(40),
  jobTitle: line(120),
  companyNm: line(120),
  companyUrl: line(120),
};
export type PersonTexts = Record<keyof typeof personKinds, string>;

/** Reports whether a person's text is too short or too long. Stored text is never too long. */
export const hasWrongPersonLength = (
  field: keyof PersonTexts,
  person: PersonTexts,
  stored: PersonTexts,
  least: number,
): boolean =>
  person[field].length < least ||
  findLengthProblem(personKinds[field], person[field], stored[field]) !== undefined;

/**
 * Allows only characters of personal names: letters, marks, apostrophes, hyphens, periods and
 * spaces.
 */
export const isName = (text: string): boolean => /^[\p{L}\p{M}'‘’\-‐‑. ]*$/u.test(text);

export const nameCharacters = 'Use letters, apostrophes, hyphens, periods and spaces only.';

/**
 * Returns the problems of a first name, last name and middle initial, by API name. Stored values
 * can stay.
 */
export function findNameProblems(person: PersonTexts, stored: PersonTexts) {
  const found: ['userFirstName' | 'userLastName' | 'userMidName', string][] = [];
  const isWrong = (field: 'userFirstName' | 'userLastName' | 'userMidName', least: number) =>
    hasWrongPersonLength(field, person, stored, least) ||
    (!isName(person[field]) && person[field] !== stored[field]);
  if (isWrong('userFirstName', 1)) found.push(['userFirstName', 'Error: Enter valid First Name']);
  if (isWrong('userLastName', 1)) found.push(['userLastName', 'Error: Enter valid Last Name']);
  if (isWrong('userMidName', 0)) found.push(['userMidName', 'Error: Enter Middle Initial']);
  return found;
}

/** Returns the problem of another affiliation's description. */
export const findAffiliationProblem = ({ affiliationDesc }: Pick<PersonTexts, 'affiliationDesc'>) =>
  affiliationDesc === '' ? 'Error: Enter Other Desc' : formatTooLong(personKinds.affiliationDesc);

/** Only digits, and at least one. */
export const isDigits = (text: string): boolean => /^[0-9]+$/.test(text);

export const isTin = (text: string): boolean => isDigits(text) && text.length === tinKind.maxChars;

/** Returns why a text isn't a TIN. */
export function findTinProblem(typed: string): string | undefined {
  if (typed === '') return 'Error: Enter a Tax ID Number (TIN)';
  if (!isDigits(typed)) return 'Error: Enter a valid Tax ID Number (TIN)';
  if (!isTin(typed)) return 'Error: Enter a 9-digit Tax ID Number (TIN)';
  return undefined;
}
