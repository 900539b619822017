import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isEmail, isPhone, isTin } from './validation';

// The cases are the server's: whatever one side accepts, the other does.
type Formats = Record<'email' | 'phone' | 'tin', { accepted: string[]; refused: string[] }>;
const formats: Formats = JSON.parse(readFileSync('../internal/platform/check/testdata/formats.json', 'utf8'));

describe.each([
  ['email', isEmail],
  ['phone', isPhone],
  ['tin', isTin],
] as const)('the form of %s', (name, ok) => {
  test.each(formats[name].accepted)('is that of %j', (text) => expect(ok(text)).toBe(true));
  test.each(formats[name].refused)('is not that of %j', (text) => expect(ok(text)).toBe(false));
});

test('a phone number may be typed with what usually stands between its digits', () => {
  expect(isPhone('(216) 555-0176')).toBe(true);
});
