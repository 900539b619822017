import { expect, test } from 'vitest';
import { configure } from '@/api/testing';
import { isInternal } from './email';

test('internal domains match the whole domain, in any case', async () => {
  await configure({ internalDomains: ['Network.example', 'staff.example'] });
  expect(isInternal('ada@NETWORK.example')).toBe(true);
  expect(isInternal('ada@staff.example')).toBe(true);
  expect(isInternal('ada@mynetwork.example')).toBe(false);
  expect(isInternal('ada@mail.network.example')).toBe(false);
});
