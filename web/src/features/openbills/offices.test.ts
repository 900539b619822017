import { expect, test } from 'vitest';
import { splitNames } from './offices';

const split = (...names: (string | undefined)[]) => [
  ...splitNames(new Map(names.map((name, at) => [`${at}`, name]))).values(),
];

test('the start that offices share is separate, in whole words', () => {
  expect(
    split(
      'Lakeside Imaging Akron and 2 more',
      'Northern',
      'Lakeside Imaging Clinic',
      'Lake Clinic',
      'Lakeside',
    ),
  ).toEqual([
    { shared: 'Lakeside Imaging', own: 'Akron and 2 more' },
    { shared: '', own: 'Northern' },
    { shared: 'Lakeside Imaging', own: 'Clinic' },
    { shared: '', own: 'Lake Clinic' },
    { shared: '', own: 'Lakeside' },
  ]);
});

test('names that look alike when shortened are left out, and so are missing ones', () => {
  expect(split('North', 'North and 1 more', 'South', undefined)).toEqual([
    undefined,
    undefined,
    { shared: '', own: 'South' },
    undefined,
  ]);
  expect(split('Lakeside A', 'Lakeside B', 'Lakeview A', 'Lakeview C')).toEqual([
    undefined,
    { shared: 'Lakeside', own: 'B' },
    undefined,
    { shared: 'Lakeview', own: 'C' },
  ]);
});
