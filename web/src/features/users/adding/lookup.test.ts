import { expect, test } from 'vitest';
import { getPrefix, lookupSchema, noLookup } from './lookup';

test('a name is typed in full, and searched by its first nine characters', () => {
  const typed = { ...noLookup, ftin: '111111111', lastName: 'Christophersen-Wójcik' };
  expect(lookupSchema.safeParse(typed).success).toBe(true);
  expect(getPrefix(typed.lastName)).toBe('Christoph');
  expect(getPrefix('Lee')).toBe('Lee');
  expect(getPrefix('Saint Ma Hospital')).toBe('Saint Ma');
});
