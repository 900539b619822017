import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { getDigits, isEmail, isName, isPhone, isTin, phoneKind, tinKind } from './validation';

// The server's test cases, so that both sides accept the same values.
type Formats = Record<'email' | 'phone' | 'tin' | 'name', { accepted: string[]; refused: string[] }>;
const formats: Formats = JSON.parse(
  readFileSync('../internal/platform/validate/testdata/formats.json', 'utf8'),
);

describe.each([
  ['email', isEmail],
  ['phone', isPhone],
  ['tin', isTin],
  ['name', isName],
] as const)('the format of %s', (name, ok) => {
  test.each(formats[name].accepted)('includes %j', (text) => expect(ok(text)).toBe(true));
  test.each(formats[name].refused)('excludes %j', (text) => expect(ok(text)).toBe(false));
});

const normal: Record<'phone' | 'tin', Record<string, string>> = JSON.parse(
  readFileSync('../internal/platform/text/testdata/normal.json', 'utf8'),
);
test.each(Object.entries(normal.phone))('the phone number %j is %s', (typed, digits) => {
  expect(isPhone(typed)).toBe(true);
  expect(getDigits(phoneKind.normalize(typed))).toBe(digits);
});
test.each(Object.entries(normal.tin))('the TIN %j is %s', (typed, tin) =>
  expect(tinKind.normalize(typed)).toBe(tin),
);
