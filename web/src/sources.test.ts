import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as paths from './shared/paths';

const all = import.meta.glob<string>('./**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });
const sources = Object.entries(all).filter(
  ([file]) => !/\.test\.tsx?$|testing\.tsx?$|test-setup\.ts$|schema\.d\.ts$/i.test(file),
);
const naming = (pattern: RegExp) => sources.filter(([, text]) => pattern.test(text)).map(([file]) => file);

test('the page only inserts text, and never evaluates text', () => {
  expect(sources.length).toBeGreaterThan(100);
  expect(
    naming(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcDoc|new Function\(|new RegExp\(|\beval\(/,
    ),
  ).toEqual([]);
});

// The theme, the shortcuts setting, table shapes, the requested address, the history position where mirroring started,
// the accepted agreement, and whether this browser signed in: never bills, claims or the session
// token.
test('the browser stores only a few small values', () => {
  expect(naming(/localStorage|sessionStorage|indexedDB|document\.cookie|\bcaches\./).sort()).toEqual([
    './api/cover.ts',
    './api/session.ts',
    './app/initialUrl.ts',
    './app/mirrorStart.ts',
    './features/clients/agreement.ts',
    './shared/encryptedState.ts',
    './ui/singleKeys.ts',
    './ui/table/shape.ts',
    './ui/theme.ts',
  ]);
});

test("text and spacing grow with the browser's font size", () => {
  // Vitest doesn't load styles.
  const styles = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.css'))
    .map((file) => [file, readFileSync(join(import.meta.dirname, file), 'utf8')] as const);
  expect(styles.length).toBeGreaterThan(30);
  const fixed = styles.filter(([, text]) =>
    /\b(font-size|gap|padding[a-z-]*):[^;]*(?<![\d.])(?!1px)[1-9]\d*px/.test(text),
  );
  expect(fixed.map(([file]) => file)).toEqual([]);
});

test('only fakeServer() fakes the server in tests', () => {
  const fakes = /stubGlobal\('fetch|(globalThis|window)\.fetch =|spyOn\((globalThis|window), 'fetch'/;
  const tests = Object.entries(all).filter(([, text]) => fakes.test(text));
  // The pricing sheet's font is a file, not an answer of the API.
  expect(tests.map(([file]) => file).sort()).toEqual([
    './api/testing.ts',
    './shared/billDocuments/pricingSheet.test.ts',
  ]);
});

test('only paths.ts has the addresses of screens', () => {
  const addresses = Object.values<unknown>(paths).filter((path) => typeof path === 'string' && path !== '/');
  const literal = new RegExp(`['"\`](?:${addresses.join('|').replaceAll('/$id', '')})(?:/\\$|['"\`?])`);
  // Some endpoints of the API have the same names.
  const request = /(?:\bapi\.[A-Z]+|\bsend|\bupload<\w+>)\(\s*'[^']*'/g;
  const screens = sources.filter(([file]) => /^\.\/(app|features|shared)\/(?!paths\.ts)/.test(file));
  const strays = screens.filter(([, text]) => literal.test(text.replace(request, '')));
  expect(strays.map(([file]) => file)).toEqual([]);
});
