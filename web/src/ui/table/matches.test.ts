import { expect, it } from 'vitest';
import { matches } from './matches';

it.each([
  ['$1,494.01', '1494.01', true],
  ['$1,494.01', '1,494', true],
  ['$1,494.01', '14940', false],
  ['$12,345,678.00', '12345678', true],
  ['06/03/2025', '6/3/2025', true],
  ['06/03/2025', '6/3', true],
  ['06/03/2025', '6/3/20', true],
  ['06/03/2025', '06/3/2025', true],
  ['06/30/2025', '6/3/2025', false],
  ['16/03/2025', '6/3/2024', false],
  ['doe, ann', 'doe ann', false],
  ['doe, ann', 'doe', true],
])('%s has %s: %s', (text, typed, found) => expect(matches(text, typed)).toBe(found));
