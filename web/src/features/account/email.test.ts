import { expect, test } from 'vitest';
import { configure } from '@/api/testing';
import { isEmail } from '@/shared/validation';
import { isInternal } from './email';

test.each([
  ['office@example.com', true],
  ["o'brien+claims@mail.example.co.uk", true],
  ['', false],
  ['office', false],
  ['office@', false],
  ['@example.com', false],
  ['office@example', false],
  ['office@.com', false],
  ['office@example.', false],
  ['office@example..com', false],
  ['a@b@example.com', false],
  ['of fice@example.com', false],
  ['a,b@example.com', false],
  ['<a>@example.com', false],
  [`${'a'.repeat(108)}@example.com`, true],
  [`${'a'.repeat(109)}@example.com`, false],
])('%s has the form of an e-mail address: %s', (text, expected) => {
  expect(isEmail(text)).toBe(expected);
});

test('internal domains are the whole domain, in any case', async () => {
  await configure({ internalDomains: ['Network.example', 'staff.example'] });
  expect(isInternal('ada@NETWORK.example')).toBe(true);
  expect(isInternal('ada@staff.example')).toBe(true);
  expect(isInternal('ada@mynetwork.example')).toBe(false);
  expect(isInternal('ada@mail.network.example')).toBe(false);
});
