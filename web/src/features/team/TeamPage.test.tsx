import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { type Call, configure, fakeServer, makeSession, makeUser, type Replies } from '@/api/testing';
import type { Session } from '@/api/types';
import { renderScreens } from '@/shared/testing';
import { addDays, formatDate, today } from '@/ui/dates';
import type { Member, Payer } from './queries';
import TeamPage from './TeamPage';

const members: Member[] = [
  {
    userName: 'ada',
    name: 'Ada Brook',
    former: false,
    bills: 2,
    charges: 1200,
    oldest: { id: 'page-1', billControlNumber: '7001', since: '2026-06-01', days: 12 },
    doneThisWeek: 3,
  },
  { userName: 'tom', name: 'Tom Reed', former: true, bills: 1, charges: 90.5, doneThisWeek: 0 },
  { userName: '', name: '', former: false, bills: 0, charges: 0, doneThisWeek: 1 },
];

const payers: Payer[] = [
  {
    name: 'Beacon Road',
    toPrice: { bills: 4, median: 13 },
    toPay: { bills: 3, median: 1 },
    answered: 8,
    denied: { bills: 1, amount: 200 },
    paid: 4,
    belowAllowance: { bills: 3, amount: 40.25 },
  },
  {
    name: 'Steady Mutual',
    answered: 2,
    denied: { bills: 0, amount: 0 },
    paid: 0,
    belowAllowance: { bills: 0, amount: 0 },
  },
];

let replies: Replies;
let sent: Call[];

beforeEach(async () => {
  await configure();
  replies = { 'GET /work/team': { body: members }, 'GET /work/payers': { body: payers } };
  sent = fakeServer(replies);
});

function open(part: Partial<Session> = {}) {
  const screens = {
    '/work/team': TeamPage,
    ...Object.fromEntries(
      ['/work/bills', '/work/remittances', '/work/bill/$id'].map((path) => [path, () => <h1>{path}</h1>]),
    ),
  };
  return renderScreens(screens, makeSession({ permissions: ['work.lead'], ...part })).history;
}

const readTable = async (name: string) =>
  within(await screen.findByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));

/** Clicks a figure and returns the criteria of the list that it opens. */
async function follow(name: string) {
  const history = open();
  await userEvent.click(await screen.findByRole('link', { name }));
  await screen.findByRole('heading', { name: /^.work/ });
  return { to: history.location.pathname, criteria: history.location.state.kept?.criteria };
}

test('lists assignees and payers with their figures', async () => {
  open();
  await screen.findByText('Ada Brook');
  expect(await readTable('Team')).toEqual([
    [
      'Ada Brook ',
      '$1,200.00 for Ada Brook',
      '2 bills for Ada Brook',
      '12 days, bill 7001',
      '3 bills done for Ada Brook',
    ],
    ['Tom Reed Inactive', '$90.50 for Tom Reed', '1 bill for Tom Reed', '', ''],
    ['Unassigned ', '', '', '', '1 bill done for Unassigned'],
  ]);
  await screen.findByText('Beacon Road');
  expect(await readTable('Payers, last 90 days')).toEqual([
    [
      'Beacon Road',
      '$200.00 denied, Beacon Road12.5%: 1 of 8',
      '$40.25 below allowance, Beacon Road75.0%: 3 of 4',
      '13 days to price, Beacon Road4 bills',
      '1 day to pay, Beacon Road3 bills',
    ],
    ['Steady Mutual', '$0.000%: 0 of 2', '', '', ''],
  ]);
});

test.each([
  ['$1,200.00 for Ada Brook', { bills: [], assigned: 'ada' }],
  ['1 bill done for Unassigned', { bills: [], assigned: 'to nobody', marked: 'done', doneThisWeek: true }],
  [
    '$200.00 denied, Beacon Road',
    { bills: [], payer: 'Beacon Road', states: ['denied'], answered: 'last90' },
  ],
  ['13 days to price, Beacon Road', { bills: [], payer: 'Beacon Road', states: ['received'] }],
  [
    '$40.25 below allowance, Beacon Road',
    { bills: [], payer: 'Beacon Road', states: ['short'], answered: 'last90' },
  ],
])('%s opens its bills', async (name, criteria) => {
  expect(await follow(name)).toEqual({ to: '/work/bills', criteria });
});

test('days to pay open the remittances of the same days', async () => {
  const { to, criteria } = await follow('1 day to pay, Beacon Road');
  expect(to).toBe('/work/remittances');
  expect(criteria).toMatchObject({
    payer: 'Beacon Road',
    from: formatDate(addDays(today(), -89)),
    to: formatDate(today()),
  });
});

test('the oldest bill opens its page', async () => {
  const history = open();
  await userEvent.click(await screen.findByRole('link', { name: '7001' }));
  await waitFor(() => expect(history.location.pathname).toBe('/work/bill/page-1'));
});

test('without bills and payments, it says what comes', async () => {
  replies['GET /work/team'] = { body: [] };
  replies['GET /work/payers'] = { body: [] };
  open();
  expect(await screen.findByText(/^No open bills yet/)).toBeTruthy();
  expect(await screen.findByText(/^No payments or denials in the last 90 days yet/)).toBeTruthy();
});

test('a failed request can be repeated', async () => {
  replies['GET /work/team'] = { status: 500 };
  open();
  await screen.findByText('Beacon Road');
  replies['GET /work/team'] = { body: members };
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Ada Brook')).toBeTruthy();
});

test('whoever mirrors sees payers and no team', async () => {
  open({ mirroredUser: makeUser({ userNm: 'boss' }) });
  expect(await screen.findByText('Beacon Road')).toBeTruthy();
  expect(screen.getByText("You can't see an office's work on bills while mirroring.")).toBeTruthy();
  expect(sent.some(({ call }) => call === 'GET /work/team')).toBe(false);
});

test('others have no access', async () => {
  open({ permissions: [] });
  expect(await screen.findByText("You don't have access")).toBeTruthy();
  expect(sent).toEqual([]);
});
