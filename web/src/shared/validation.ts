/* What is a name, an address, a phone number and a TIN: the server's rules, and the texts where they are the same
   on every screen. No schema here, so that no screen loads more than it needs. */

export const maxEmail = 120;
export const maxPhone = 15;

/** Has the form of an e-mail address. */
export const isEmail = (text: string): boolean =>
  !isOutside(text, 0, maxEmail) &&
  /^[^@]+@[^@.]+(\.[^@.]+)+$/.test(text) &&
  !/[\0- \x7f,;<>"()[\]\\]/.test(text);

/** At least ten digits, written with whatever usually stands between them. */
export const isPhone = (typed: string): boolean =>
  typed.length <= maxPhone && /^[\d\s().+-]*$/.test(typed) && digitsOf(typed).length >= 10;

export const digitsOf = (typed: string): string => typed.replace(/\D/g, '');

export const maxName = 40;

/** Tells whether a text is longer or shorter than allowed, in characters as the server counts them. */
export function isOutside(text: string, least: number, longest: number): boolean {
  const { length } = [...text];
  return length < least || length > longest;
}

/** Why a first and last name and a middle initial are refused, by their names on the wire. */
export function nameProblems(person: { userFirstName: string; userLastName: string; userMidName: string }) {
  const found: [keyof typeof person, string][] = [];
  if (isOutside(person.userFirstName, 1, maxName))
    found.push(['userFirstName', 'Error: Enter valid First Name']);
  if (isOutside(person.userLastName, 1, maxName))
    found.push(['userLastName', 'Error: Enter valid Last Name']);
  if (isOutside(person.userMidName, 0, 1)) found.push(['userMidName', 'Error: Enter Middle Initial']);
  return found;
}

export const maxTin = 9;

/** Only digits, and at least one. */
export const isDigits = (text: string): boolean => /^[0-9]+$/.test(text);

export const isTin = (text: string): boolean => isDigits(text) && text.length === maxTin;

/** Why a text is no TIN, if it is none. */
export function tinProblem(typed: string): string | undefined {
  if (typed === '') return 'Error: Enter a Tax ID Number (TIN)';
  if (!isDigits(typed)) return 'Error: Enter a valid Tax ID Number (TIN)';
  if (!isTin(typed)) return 'Error: Enter a 9-digit Tax ID Number (TIN)';
  return undefined;
}
