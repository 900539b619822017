import { expect, test } from 'vitest';
import { pluralize } from './pluralize';

test('uses the singular for one', () => {
  expect([0, 1, 2, 1000].map((n) => pluralize(n, 'bill'))).toEqual([
    '0 bills',
    '1 bill',
    '2 bills',
    '1,000 bills',
  ]);
  expect(pluralize(1, 'person', 'people')).toBe('1 person');
  expect(pluralize(3, 'person', 'people')).toBe('3 people');
});
