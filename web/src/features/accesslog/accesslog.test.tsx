import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Call, fakeServer, makeSession, makeUser, type Replies } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import VisitsPage from './VisitsPage';

const visit = {
  id: 4,
  groupName: 'Lakeside Orthopedic',
  who: 'isad.demo',
  whom: 'prus.demo',
  reason: 'call',
  override: false,
  startedAt: '2026-03-02T15:00:00Z',
  endedAt: '2026-03-02T15:20:00Z',
  opened: 2,
};

const request = {
  id: 9,
  who: 'irad.demo',
  whom: 'prus.demo',
  reason: 'complaint',
  state: 'ASKED',
  askedAt: '2026-03-02T15:00:00Z',
  answeredBy: '',
  words: '',
} as const;

let calls: Call[];
let replies: Replies;

beforeEach(() => {
  replies = {
    'POST /work/visits': {
      body: { rows: [visit, { ...visit, id: 5, reason: '', endedAt: undefined, opened: 0 }], count: 2 },
    },
    'POST /work/visits/4/openings': {
      body: {
        rows: [
          { at: '2026-03-02T15:10:00Z', what: 'bill', number: '111111111 B1' },
          { at: '2026-03-02T15:12:00Z', what: 'remittance', number: '111111111 4711' },
        ],
        count: 2,
      },
    },
    'GET /work/visits/settings': { body: { mails: 'weekly', asksFirst: false, version: 3 } },
    'PUT /work/visits/settings': { status: 204 },
    'POST /work/visits/requests': { body: { rows: [request], count: 1 } },
    'POST /work/visits/requests/9/answer': { status: 204 },
  } as Replies;
  calls = fakeServer(replies);
});

afterEach(cleanup);

const open = (part: Parameters<typeof makeSession>[0] = { permissions: ['visits.read'] }) =>
  renderScreens({ '/work/visits': VisitsPage }, makeSession(part));

test('shows who mirrored whom, why, until when, and what they opened', async () => {
  open();
  const [, first, second] = await screen.findAllByRole('row', { name: /prus\.demo|Started/ });
  expect(first && within(first).getByText('call')).toBeTruthy();
  expect(second && within(second).getByText('No reason given')).toBeTruthy();
  expect(second && within(second).getByText('Ongoing')).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Export/ })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^2 opened by isad\.demo/ }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByRole('row', { name: /Bill 111111111 B1/ })).toBeTruthy();
  expect(dialog.getByRole('row', { name: /Remittance 111111111 4711/ })).toBeTruthy();
  expect(calls.filter(({ call }) => call === 'POST /work/visits/4/openings')).toHaveLength(1);
});

test("other users don't have the screen", async () => {
  open({ permissions: [] });
  expect(await screen.findByText("You don't have access")).toBeTruthy();
  expect(calls.filter(({ call }) => call === 'POST /work/visits')).toHaveLength(0);
});

const admin = { permissions: ['visits.read', 'visits.manage'] };
const sent = (call: string) => calls.filter((made) => made.call === call).map(({ body }) => body);

test('an administrator requires approval, and selects the emails', async () => {
  open(admin);
  await userEvent.click(await screen.findByRole('button', { name: 'Require approval' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Require approval' }));
  expect(await screen.findByText('Settings saved')).toBeTruthy();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: /^Notify administrators/ }), 'never');
  expect(sent('PUT /work/visits/settings')).toEqual([
    { mails: 'weekly', asksFirst: true, version: 3 },
    { mails: 'never', asksFirst: false, version: 3 },
  ]);
});

test("a request is approved, or declined with a reason; another user's decision is shown", async () => {
  open(admin);
  await userEvent.click(await screen.findByRole('button', { name: 'Approve the request from irad.demo' }));
  expect(await screen.findByText('Access approved for 60 minutes')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Decline the request from irad.demo' }));
  await userEvent.type(screen.getByRole('textbox', { name: /^Note/ }), 'Not today');
  replies['POST /work/visits/requests/9/answer'] = {
    status: 409,
    body: { message: 'zoe.demo has refused meanwhile.' },
  };
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Decline' }));
  expect(await screen.findByText('Error: zoe.demo has refused meanwhile.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sent('POST /work/visits/requests/9/answer')).toEqual([
    { agree: true },
    { agree: false, words: 'Not today' },
  ]);
});

test('a failed decision leaves the note in the dialog', async () => {
  open(admin);
  await userEvent.click(await screen.findByRole('button', { name: 'Decline the request from irad.demo' }));
  await userEvent.type(screen.getByRole('textbox', { name: /^Note/ }), 'Not today');
  replies['POST /work/visits/requests/9/answer'] = { status: 503 };
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Decline' }));
  expect(await screen.findByText("Error: Couldn't save your changes. Try again.")).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Note/ }).value).toBe('Not today');
});

test('users who mirror an administrator change and decide nothing', async () => {
  open({ ...admin, mirroredUser: makeUser({ typeCd: 'PRAD' }) });
  expect(await screen.findByText('Pending')).toBeTruthy();
  expect(screen.getByText('You can view this but not change it while mirroring.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^(Approve|Decline|Require|Stop)/ })).toBeNull();
});
