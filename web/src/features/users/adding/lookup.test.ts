import { expect, test } from 'vitest';
import { beginningOf, lookupSchema, noLookup } from './lookup';

test('a name is typed whole, and searched by its first nine characters', () => {
  const typed = { ...noLookup, ftin: '111111111', lastName: 'Christophersen-Wójcik' };
  expect(lookupSchema.safeParse(typed).success).toBe(true);
  expect(beginningOf(typed.lastName)).toBe('Christoph');
  expect(beginningOf('Lee')).toBe('Lee');
  expect(beginningOf('Saint Ma Hospital')).toBe('Saint Ma');
});
