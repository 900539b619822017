import { describe, expect, test } from 'vitest';
import { z } from 'zod/mini';
import { checkNewPassword, checkRules, getBannerTitle, newPasswordShape } from './passwordRules';

const states = (typed: string, refused?: Parameters<typeof checkRules>[1]) =>
  checkRules(typed, refused).map(({ state }) => state);
const failed = (typed: string) =>
  checkRules(typed)
    .filter(({ state }) => state === 'failed')
    .map(({ text }) => text);

describe('the rules of a password', () => {
  test('are open until something is typed', () => {
    expect(new Set(states('  '))).toEqual(new Set(['open']));
  });

  test.each([
    ['Abc-123', ['8 to 20 characters']],
    ['Abcdefgh-1234567890ab', ['8 to 20 characters']],
    ['abcd-1234', ['At least one upper case letter']],
    ['ABCD-1234', ['At least one lower case letter']],
    ['Abcd-efgh', ['At least one number']],
    ['Abcd1234', ['At least one special character']],
    ['Abcd-1234', []],
    ['  Abcd-1234 ', []],
    ['Abcdef-123456789012', []],
  ])('%s fails %j', (typed, expected) => {
    expect(failed(typed)).toEqual(expected);
  });

  test.each([
    'Abcd -1234',
    "Abcd'-1234",
    'Abcd"-1234',
    'Abcd\\-1234',
    'Äbcd-A1234',
    'Abcd-1234\u007f',
    'Abcd-😀1234',
  ])('%s has an unsupported character', (typed) => {
    expect(failed(typed)).toEqual(['No space, quote, backslash or accented letter']);
  });

  test.each([...'!#$%&()*+,-./:;<=>?@[]^_`{|}~'])('%s is special', (sign) => {
    expect(failed(`Abcd123${sign}`)).toEqual([]);
  });

  test('the one on names is open until the server rejects the password', () => {
    expect(states('Abcd-1234').at(-1)).toBe('open');
    const refused = { password: 'Abcd-1234', code: 'CONTAINS_NAME', message: 'It contains your name.' };
    expect(checkRules(' Abcd-1234', refused).at(-1)).toEqual({
      text: 'Must not contain your username, first name or last name, forwards or backwards',
      state: 'failed',
    });
    expect(states('Abcd-1234', { password: 'Abcd-1234' }).at(-1)).toBe('failed');
    expect(states('Abcd-1235', refused).at(-1)).toBe('open');
  });

  test('another reason from the server appears next to them', () => {
    const refused = { password: 'Abcd-1234', code: 'COMMON_PASSWORD', message: 'Too easy to guess.' };
    expect(checkRules('Abcd-1234', refused).slice(-2)).toEqual([
      { text: expect.stringMatching(/^Must not contain your username/), state: 'open' },
      { text: 'Too easy to guess.', state: 'failed' },
    ]);
    expect(states('Abcd-1235', refused)).toHaveLength(7);
  });
});

describe('a new password and its confirmation', () => {
  const schema = z.object(newPasswordShape).check(checkNewPassword('Error: Confirm New Password'));
  const problems = (newPassword: string, confirmPassword: string) => {
    const result = schema.safeParse({ newPassword, confirmPassword });
    return result.success ? [] : result.error.issues.map(({ path, message }) => `${path}: ${message}`);
  };

  test.each([
    ['', '', ['newPassword: Error: Enter New Password', 'confirmPassword: Error: Confirm New Password']],
    [
      '   ',
      'x',
      ['newPassword: Error: Enter New Password', 'confirmPassword: Error: Passwords do not match'],
    ],
    ['short', 'short', ['newPassword: Error: Password does not meet the Password Requirements']],
    ['Abcd-1234', '', ['confirmPassword: Error: Confirm New Password']],
    ['Abcd-1234', 'Abcd-1235', ['confirmPassword: Error: Passwords do not match']],
    ['Abcd-1234', ' Abcd-1234 ', []],
  ])('%j and %j: %j', (typed, again, expected) => {
    expect(problems(typed, again)).toEqual(expected);
  });

  test('are sent trimmed', () => {
    expect(schema.parse({ newPassword: ' Abcd-1234 ', confirmPassword: 'Abcd-1234' })).toEqual({
      newPassword: 'Abcd-1234',
      confirmPassword: 'Abcd-1234',
    });
  });

  test('the form selects one of its two messages', () => {
    expect(getBannerTitle({ message: 'Error: Password does not meet the Password Requirements' })).toBe(
      'New Password does not meet requirements. Please try again.',
    );
    expect(getBannerTitle({ message: 'Error: Enter New Password' })).toBe(
      'An error has occurred. Please address all fields marked with “Error”.',
    );
  });
});
