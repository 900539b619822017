import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeServer, makeSession } from '@/api/testing';
import { encryptDraft, startDraft } from './draft';
import { noValues } from './notification';
import { isad, show } from './testing';

const form = vi.hoisted(() => {
  let come: () => void = () => {};
  const there = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { there, come: () => come() };
});
vi.mock(import('./AudienceForm'), async (original) => {
  await form.there;
  return original();
});

test('shows the number of matches even if the response arrives before the form', async () => {
  const calls = fakeServer({ 'POST /notifications/audience': { body: { count: 1231, excluded: 0 } } });
  await show(
    '/ManageRecipients',
    makeSession({ ...isad, permissions: ['notifications.manage', 'users.search', 'announcements.manage'] }),
    await encryptDraft({
      ...startDraft(null),
      values: { ...noValues, name: 'Fees' },
      audience: { types: ['PRUS'] },
    }),
  );
  await expect.poll(() => calls.map(({ call }) => call)).toContain('POST /notifications/audience');
  await screen.findByRole('radio', { name: 'Everyone who matches' });
  // The response has arrived, and all observers have it.
  await new Promise((resolve) => setTimeout(resolve, 50));
  form.come();
  expect(await screen.findByText('1,231 users match now: Provider User.')).toBeTruthy();
});
