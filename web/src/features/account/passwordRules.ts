import { z } from 'zod/mini';
import { isBreached } from './breached';

/*
 * The rules for a new password. The server has the same, and only the server knows the user's
 * names.
 */

const specialCharacters = /[!#$%&()*+,\-./:;<=>?@[\]^_`{|}~]/;

const characterRules: readonly { text: string; meets(password: string): boolean }[] = [
  { text: '8 to 20 characters', meets: (password) => password.length >= 8 && password.length <= 20 },
  { text: 'At least one upper case letter', meets: (password) => /[A-Z]/.test(password) },
  { text: 'At least one lower case letter', meets: (password) => /[a-z]/.test(password) },
  { text: 'At least one number', meets: (password) => /[0-9]/.test(password) },
  { text: 'At least one special character', meets: (password) => specialCharacters.test(password) },
  {
    text: 'No space, quote, backslash or accented letter',
    meets: (password) => !/[^!#-&(-[\]-~]/.test(password),
  },
];

const withoutNames = 'Must not contain your username, first name or last name, forwards or backwards';

/** The server uses the same text. */
const tooCommon = 'This password is too easy to guess. Use a less common one.';

/** A password that the server rejected (INVALID_PW), and the reason if given. */
export interface RefusedPassword {
  password: string;
  /** CONTAINS_NAME, COMMON_PASSWORD or SAME_PASSWORD. */
  code?: string;
  message?: string;
}

/** Open: nothing typed yet, or unknown until the server has checked. */
export interface Rule {
  text: string;
  state: 'met' | 'failed' | 'open';
}

/** Returns every rule, and whether the typed password meets it. */
export function checkRules(typed: string, refused?: RefusedPassword | null): Rule[] {
  const password = typed.trim();
  const rules: Rule[] = characterRules.map(({ text, meets }) => ({
    text,
    state: password === '' ? 'open' : meets(password) ? 'met' : 'failed',
  }));
  const same = refused?.password === password;
  const other = refused?.code && refused.code !== 'CONTAINS_NAME' ? refused.message : undefined;
  rules.push({ text: withoutNames, state: same && !other ? 'failed' : 'open' });
  if (same && other) rules.push({ text: other, state: 'failed' });
  // Not while typing: most passwords start with such a word.
  else if (characterRules.every(({ meets }) => meets(password)) && isBreached(password))
    rules.push({ text: tooCommon, state: 'failed' });
  return rules;
}

/** The message of a form whose password breaks a rule, and of the field. */
export const requirementsNotMet = 'New Password does not meet requirements. Please try again.';
export const doesNotMeet = 'Error: Password does not meet the Password Requirements';

/** The message of a form with other missing fields. */
export const addressAllFields = 'An error has occurred. Please address all fields marked with “Error”.';

/** The message above the problems of a form with a new password. */
export const getBannerTitle = (problem?: { message?: string }) =>
  problem?.message === doesNotMeet ? requirementsNotMet : addressAllFields;

/** The form's two values, as validated and sent: trimmed. */
export const newPasswordShape = {
  newPassword: z.string().check(z.trim()),
  confirmPassword: z.string().check(z.trim()),
};

/** Validates both values. Screens have different messages for an empty confirmation. */
export const checkNewPassword = (confirmationMissing: string) =>
  z.superRefine<{ newPassword: string; confirmPassword: string }>(
    ({ newPassword, confirmPassword }, context) => {
      const addIssue = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message });
      if (newPassword === '') addIssue('newPassword', 'Error: Enter New Password');
      else if (!characterRules.every(({ meets }) => meets(newPassword)) || isBreached(newPassword))
        addIssue('newPassword', doesNotMeet);
      if (confirmPassword === '') addIssue('confirmPassword', confirmationMissing);
      else if (confirmPassword !== newPassword) addIssue('confirmPassword', 'Error: Passwords do not match');
    },
  );
