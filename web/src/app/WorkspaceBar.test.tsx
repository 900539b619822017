import { Outlet } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeServer, makeSession, type Replies } from '@/api/testing';
import type { Session } from '@/api/types';
import { makeSum, makeSummary, renderScreens } from '@/shared/testing';
import WorkspaceBar from './WorkspaceBar';

let searched = 0;

function show(workspace: Session['workspace'], at: string, replies: Replies, permissions: string[] = []) {
  const calls = fakeServer(replies);
  const frame = () => (
    <>
      <WorkspaceBar onSearch={() => searched++} />
      <Outlet />
    </>
  );
  const session = makeSession({ workspace, permissions });
  const { router } = renderScreens({ $: () => <h1>Screen</h1> }, session, { at, frame });
  return { calls, router };
}

const current = () =>
  [...document.querySelectorAll('[aria-current="page"]')].map(({ textContent }) => textContent);

test("an office's bar marks the current screen and counts overdue bills", async () => {
  show(
    [
      { group: 'Work', label: 'Today', to: 'work', bar: true },
      { group: 'Work', label: 'Open bills', to: 'work/bills', bar: true },
    ],
    '/work/bills/V1',
    { 'POST /work/bills/summary': { body: makeSummary({ payerLate: makeSum({ bills: 74, charge: 100 }) }) } },
  );
  const link = await screen.findByRole('link', { name: 'Open bills 74 overdue' });
  expect(link.getAttribute('href')).toBe('/work/bills');
  expect(current()).toEqual(['Open bills 74 overdue']);
  expect(screen.queryByRole('button', { name: 'More' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Find a bill, check or screen' }));
  expect(searched).toBe(1);
});

test('counts the questions that need the office and opens them, and counts the overdue ones for staff', async () => {
  const alerts = { first: false, since: null, asOf: '', counts: [], window: '', asked: true, stopped: [] };
  const { router } = show(
    [
      { group: 'Work', label: 'Questions', to: 'work/cases', bar: true },
      { group: 'Desk', label: 'Open questions', to: 'desk/cases', bar: true },
      { group: 'Desk', label: 'Answer times', to: 'desk/cases/times' },
    ],
    '/desk/cases/times',
    {
      'GET /work/alerts': { body: { ...alerts, answers: 2, replies: 1 } },
      'GET /desk/queues': { body: [{ kind: 'cases', count: 4, more: false }] },
    },
    ['cases.own', 'desk.open'],
  );
  expect(await screen.findByRole('link', { name: 'Questions 3' })).toBeTruthy();
  expect(await screen.findByRole('link', { name: 'Open questions 4 overdue' })).toBeTruthy();
  expect(current()).toEqual(['Answer times']);
  await userEvent.click(screen.getByRole('link', { name: 'Questions 3' }));
  expect(router.history.location.state.searchInfo?.criteria).toEqual({ tab: 'reply', mine: false });
});

test('a remittance belongs to Remittances', async () => {
  show(
    [{ group: 'Work', label: 'Remittances', to: 'work/remittances', bar: true }],
    '/work/remittance/A',
    {},
  );
  expect(await screen.findByRole('link', { name: 'Remittances' })).toBeTruthy();
  expect(current()).toEqual(['Remittances']);
});

test("the staff's bar counts the queues, and lists other screens under More", async () => {
  const { router } = show(
    [
      { group: 'Desk', label: 'Service desk', to: 'desk', bar: true },
      { group: 'Desk', label: 'Queues', to: 'desk/queues', bar: true },
      { group: 'Desk', label: 'Unmatched payments', to: 'desk/unmatched', bar: true },
      { group: 'Desk', label: 'Groups', to: 'desk/groups' },
      { group: 'Desk', label: 'Imports', to: 'desk/feeds' },
    ],
    '/desk/requests',
    {
      'GET /desk/feeds/unmatched/sums': { body: { payments: 12, paid: 8410.75, zero: 3 } },
      'GET /desk/queues': {
        body: [
          { kind: 'requests', count: 3, more: false },
          { kind: 'mails', count: 1000, more: true },
        ],
      },
    },
    ['desk.open', 'feeds.watch'],
  );
  expect(await screen.findByRole('link', { name: 'Queues 1,003+' })).toBeTruthy();
  expect(await screen.findByRole('link', { name: 'Unmatched payments $8,411' })).toBeTruthy();
  expect(current()).toEqual(['Queues 1,003+']);
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Groups' }));
  expect(router.history.location.pathname).toBe('/desk/groups');
  expect(await screen.findByRole('button', { name: 'Groups' })).toBeTruthy();
  expect(current()).toEqual(['Groups']);

  // A queue with an entry of its own.
  await userEvent.click(screen.getByRole('button', { name: 'Groups' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Imports' }));
  expect(await screen.findByRole('button', { name: 'Imports' })).toBeTruthy();
  expect(current()).toEqual(['Imports']);
});
