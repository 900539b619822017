import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SessionContext } from '@/api/session';
import { type Replies, serve, sessionOf, userOf } from '@/api/testing';
import type { Session } from '@/api/types';
import type { FailedMail } from '@/features/mails/queries';
import { holdTime, pass } from '@/shared/testing';
import { KitProvider } from '@/ui/KitProvider';
import Home from './Home';

const failed: FailedMail = {
  id: 1,
  kind: 'registration',
  to: 'ada@example.com',
  status: 'failed',
  attempts: 13,
  error: '550',
  createdAt: '2026-03-02T15:00:00Z',
};

function show(session: Session, replies: Replies = {}) {
  const calls = serve(replies);
  const router = createRouter({
    routeTree: createRootRoute({ component: Home }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  render(
    <SessionContext value={session}>
      <QueryClientProvider client={new QueryClient()}>
        <KitProvider>
          <RouterProvider router={router as never} />
        </KitProvider>
      </QueryClientProvider>
    </SessionContext>,
  );
  return calls;
}

test('greets whom one acts for, and shows nobody else the failed emails', async () => {
  holdTime();
  const calls = show(
    sessionOf({
      user: userOf({ userFirstName: 'Olivia', typeCd: 'ISAD' }),
      mirroredUser: userOf({ userFirstName: 'Paula' }),
      permissions: ['account.own'],
    }),
  );
  expect(await screen.findByRole('heading', { name: 'Welcome, Paula' })).toBeTruthy();
  await import('@/features/mails/FailedMails');
  await pass(1_000);
  expect(calls).toEqual([]);
});

test('shows the failed emails to whoever looks after them', async () => {
  const calls = show(sessionOf({ permissions: ['mails.manage'] }), {
    'GET /mails/failed': { body: [failed] },
  });
  expect(await screen.findByRole('table', { name: 'Emails that could not be sent' })).toBeTruthy();
  expect(calls).toEqual([{ call: 'GET /mails/failed', body: null }]);
});
