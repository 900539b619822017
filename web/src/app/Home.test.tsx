import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SessionContext } from '@/api/session';
import { fakeServer, makeSession, makeUser, type Replies } from '@/api/testing';
import type { Session } from '@/api/types';
import type { FailedMail } from '@/features/failed-emails/queries';
import { advanceTime, fakeTime } from '@/shared/testing';
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
  const calls = fakeServer(replies);
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

test('greets the acting user, and shows failed emails to nobody else', async () => {
  fakeTime();
  const calls = show(
    makeSession({
      user: makeUser({ userFirstName: 'Olivia', typeCd: 'ISAD' }),
      mirroredUser: makeUser({ userFirstName: 'Paula' }),
      permissions: ['account.own'],
    }),
  );
  expect(await screen.findByRole('heading', { name: 'Welcome, Paula' })).toBeTruthy();
  await import('@/features/failed-emails/FailedEmails');
  await advanceTime(1_000);
  expect(calls).toEqual([]);
});

test('links to the Workspace after the menu, where there is one', async () => {
  const ways = async (workspace: Session['workspace']) => {
    cleanup();
    show(makeSession({ menu: [{ label: 'Bill Search', to: 'billSearch' }], workspace }));
    await screen.findByText('Where would you like to start?');
    return screen.getAllByRole('link').map((way) => [way.textContent, way.getAttribute('href')]);
  };
  const search = ['Bill Search', '/billSearch'];
  expect(await ways(undefined)).toEqual([search]);
  expect(await ways([])).toEqual([search]);
  expect(
    await ways([
      { group: 'Work', label: 'Today', to: 'work' },
      { group: 'Know', label: 'Reason codes', to: 'work/reasons' },
    ]),
  ).toEqual([search, ['Workspace', '/work']]);
});

test('shows the failed emails to the users who handle them', async () => {
  const calls = show(makeSession({ permissions: ['mails.manage'] }), {
    'GET /mails/failed': { body: [failed] },
  });
  expect(await screen.findByRole('table', { name: 'Failed emails' })).toBeTruthy();
  expect(calls).toEqual([{ call: 'GET /mails/failed', body: null }]);
});

test('shows users who decide the number of pending TIN sharings, with a link', async () => {
  const say = async (count: number, permissions = ['tins.decide']) => {
    cleanup();
    const calls = show(makeSession({ permissions }), {
      'GET /ftin/sharings/undecided': { body: { count } },
    });
    await screen.findByRole('heading', { name: /^Welcome/ });
    return calls;
  };
  await say(2);
  const link = await screen.findByRole('link', { name: '2 TIN sharings pending a decision' });
  expect(link.getAttribute('href')).toBe('/TinSharing');
  await say(1);
  expect(await screen.findByRole('link', { name: '1 TIN sharing pending a decision' })).toBeTruthy();
  fakeTime();
  const none = await say(0);
  await advanceTime(1_000);
  expect(none).toHaveLength(1);
  expect(screen.queryByText(/TIN sharing/)).toBeNull();
  const asked = await say(2, ['tins.sharing']);
  await advanceTime(1_000);
  expect(asked).toEqual([]);
});

test('shows roster users the rosters that the network returned, in the Workspace only', async () => {
  const roster = {
    logId: 3,
    grpName: 'Harbor Orthopedics',
    uploadDt: '2026-03-01T15:00:00Z',
    updateType: 'full' as const,
    uploadedByUserName: 'lmontgomery',
    fileName: 'July.csv',
    sourceId: 1,
    files: [],
    receiving: { state: 'RETURNED' as const, at: '2026-03-02T15:00:00Z', reason: 'The TIN column is empty.' },
  };
  const reply: Replies = { 'POST /roster/uploadLogs/page': { body: { rows: [roster], count: 1 } } };
  show(makeSession({ permissions: ['rosters.upload', 'rosters.correct'] }), reply);
  expect(
    await screen.findByText(/^The network returned July.csv on 03\/02\/2026: The TIN column is empty/),
  ).toBeTruthy();
  cleanup();
  fakeTime();
  const calls = show(makeSession({ permissions: ['rosters.upload'] }), reply);
  await screen.findByRole('heading', { name: /^Welcome/ });
  await advanceTime(1_000);
  expect(calls).toEqual([]);
});

test('links to the full audit log only for its readers', async () => {
  const link = () => screen.queryByRole('link', { name: 'Audit log' });
  show(makeSession({ user: makeUser({ typeCd: 'ISAD', grpInfoId: null }), permissions: ['audit.read'] }));
  expect((await screen.findByRole('link', { name: 'Audit log' })).getAttribute('href')).toBe('/AuditLog');
  cleanup();
  show(makeSession({ user: makeUser({ grpInfoId: 7 }), permissions: ['audit.read'] }));
  await screen.findByRole('heading', { name: /^Welcome/ });
  expect(link()).toBeNull();
});

test('shows overdue questions to staff who answer them', async () => {
  show(makeSession({ permissions: ['desk.open', 'cases.work'] }), {
    'GET /desk/queues': { body: [{ kind: 'cases', count: 3, more: false }] },
  });
  expect(await screen.findByRole('link', { name: 'Overdue questions 3' })).toBeTruthy();
});
