import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, test } from 'vitest';
import { isBreached, loadBreached } from './breached';

const server = '../internal/platform/passwords';
const cases: { password: string; breached: boolean }[] = JSON.parse(
  readFileSync(`${server}/testdata/breached.json`, 'utf8'),
);

test.each(cases)('$password', async ({ password, breached }) => {
  await loadBreached();
  expect(isBreached(password)).toBe(breached);
});

test('the server has the same list: tools/breached.mjs rebuilds it', () => {
  expect(
    gunzipSync(readFileSync(`${server}/breached.txt.gz`))
      .toString()
      .trimEnd()
      .split('\n'),
  ).toEqual(dictionary['passwords-common']);
});
