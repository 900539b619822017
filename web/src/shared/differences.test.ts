import { expect, test } from 'vitest';
import { markDifference } from './differences';

test('marks what differs between two values', () => {
  const show = (one: string, other: string) =>
    markDifference(one, other).map((parts) =>
      parts.map(({ text, differs }) => (differs ? `[${text}]` : text)).join(''),
    );
  expect(show('XS1O22', 'XS1022')).toEqual(['XS1[O]22', 'XS1[0]22']);
  expect(show('01/05/2026', '01/06/2026')).toEqual(['01/0[5]/2026', '01/0[6]/2026']);
  expect(show('Jo', 'joanna')).toEqual(['Jo', 'jo[anna]']);
  expect(show('x'.repeat(90), 'x')).toEqual([`[${'x'.repeat(90)}]`, '[x]']);
});
