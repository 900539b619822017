import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
} from '@tanstack/react-router';
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Call, type Replies, serve, sessionOf } from '@/api/testing';
import { renderScreen } from '@/shared/testing';
import VisitsPage from './VisitsPage';

const visit = {
  id: 4,
  groupName: 'Lakeside Orthopedic',
  who: 'isad.demo',
  whom: 'prus.demo',
  reason: 'call',
  startedAt: '2026-03-02T15:00:00Z',
  endedAt: '2026-03-02T15:20:00Z',
  bills: 2,
};

let calls: Call[];
let replies: Replies;

beforeEach(() => {
  replies = {
    'POST /work/visits': {
      body: { rows: [visit, { ...visit, id: 5, reason: '', endedAt: undefined, bills: 0 }], count: 2 },
    },
    'POST /work/visits/4/bills': {
      body: { rows: [{ at: '2026-03-02T15:10:00Z', bill: '111111111 B1' }], count: 1 },
    },
  } as Replies;
  calls = serve(replies);
});

afterEach(cleanup);

function open(part: Parameters<typeof sessionOf>[0] = { permissions: ['visits.read'] }) {
  const root = createRootRoute({ component: Outlet });
  const routeTree = root.addChildren([
    createRoute({ getParentRoute: () => root, path: '/work/visits', component: VisitsPage }),
  ]);
  const history = createMemoryHistory({ initialEntries: ['/work/visits'] });
  return renderScreen(createRouter({ routeTree, history }), sessionOf(part));
}

test('who acted as whom, why, until when, and what was opened', async () => {
  open();
  const [, first, second] = await screen.findAllByRole('row', { name: /prus\.demo|Began/ });
  expect(first && within(first).getByText('call')).toBeTruthy();
  expect(second && within(second).getByText('No reason given')).toBeTruthy();
  expect(second && within(second).getByText('Goes on')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^2 opened by isad\.demo/ }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('111111111 B1')).toBeTruthy();
  expect(calls.filter(({ call }) => call === 'POST /work/visits/4/bills')).toHaveLength(1);
});

test('nobody else has the screen', async () => {
  open({ permissions: [] });
  expect(await screen.findByText('Not available to your account')).toBeTruthy();
  expect(calls.filter(({ call }) => call === 'POST /work/visits')).toHaveLength(0);
});
