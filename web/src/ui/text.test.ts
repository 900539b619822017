import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { toLetters } from './text';

// The server's test cases.
const cases: Record<string, string> = JSON.parse(
  readFileSync('../internal/platform/names/testdata/letters.json', 'utf8'),
);

it.each(Object.entries(cases))('normalizes %s as %s', (name, want) => expect(toLetters(name)).toBe(want));
