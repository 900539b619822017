import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Call, fakeServer, makeSession, makeUser, type Replies } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import AccessReviewPage from './AccessReviewPage';
import DeskReviewsPage from './DeskReviewsPage';
import type { Person } from './queries';

const person = (part: Partial<Person>): Person => ({
  id: 2,
  userName: 'jperez',
  name: 'Julia Perez',
  typeCd: 'PRUS',
  tins: 2,
  lastSignIn: '2026-01-26T14:00:00Z',
  opened: 0,
  outcome: '',
  version: 0,
  ...part,
});

const review = { id: 5, dueOn: '2026-06-30', openedAt: '2026-04-01T12:00:00Z' };
const before = {
  id: 4,
  dueOn: '2026-03-31',
  openedAt: '2026-01-01T12:00:00Z',
  finishedAt: '2026-03-20T14:00:00Z',
  finishedBy: 'prad.demo',
};

let calls: Call[];
let replies: Replies;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-06-15T14:00:00Z'), toFake: ['Date'] });
  replies = {
    'GET /work/access': {
      body: { reviews: [review, before], people: 2, unanswered: 1, overdue: false, countedTo: '2026-06-14' },
    },
    'POST /work/access/people': {
      body: {
        rows: [
          person({}),
          person({ id: 9, userName: 'ada', name: 'Ada Brook', lastSignIn: undefined, outcome: 'ENDED' }),
        ],
        count: 2,
      },
    },
    'PUT /work/access/items/2': { status: 204 },
  } as Replies;
  calls = fakeServer(replies);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function open(
  part: Parameters<typeof makeSession>[0] = { permissions: ['access.review'] },
  path = '/work/access',
) {
  const screens = { '/work/access': AccessReviewPage, '/desk/reviews': DeskReviewsPage };
  return renderScreens(screens, makeSession(part), { at: path });
}

test.each([
  ['2026-03-31', '04/01/2026'],
  ['2026-06-30', '07/01/2026'],
])('shows when the next review after the one due %s starts', async (dueOn, date) => {
  vi.setSystemTime('2026-03-20T14:00:00Z');
  replies['GET /work/access'] = {
    body: { reviews: [{ ...before, dueOn }], people: 0, unanswered: 0, overdue: false, countedTo: '' },
  };
  open();
  await screen.findByText(`No open review. The next one starts ${date}.`);
});

test('shows that the next review after an overdue one starts soon', async () => {
  replies['GET /work/access'] = {
    body: { reviews: [before], people: 0, unanswered: 0, overdue: false, countedTo: '' },
  };
  open();
  await screen.findByText('No open review. The next one starts within an hour.');
});

const sent = (call: string) => calls.filter((made) => made.call === call).map(({ body }) => body);
const findRow = async (text: string) => within(await screen.findByRole('row', { name: new RegExp(text) }));

test('shows who can see the bills, who was long inactive, and finished reviews', async () => {
  open();
  expect(
    await screen.findByText('2 users can see your bills. Review each by 06/30/2026. 1 left to review.'),
  ).toBeTruthy();
  const julia = await findRow('Julia Perez');
  expect(julia.getByText('Not signed in for 140 days')).toBeTruthy();
  expect(julia.getByText('To review')).toBeTruthy();
  const ada = await findRow('Ada Brook');
  expect(ada.getByText('Access ended')).toBeTruthy();
  expect(ada.getByText('Never')).toBeTruthy();
  expect(ada.getByText('Never signed in')).toBeTruthy();
  expect(ada.queryByRole('button', { name: 'Keep Ada Brook' })).toBeNull();
  expect(screen.getByRole('link', { name: 'PDF of the review due on 03/31/2026' }).getAttribute('href')).toBe(
    '/api/work/access/4/file',
  );
  expect(screen.queryByRole('button', { name: 'Finish' })).toBeNull();
});

test("a person's access is confirmed; another user's decision is shown", async () => {
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Keep Julia Perez' }));
  expect(sent('PUT /work/access/items/2')).toEqual([{ kept: true, version: 0 }]);
  const conflict = 'Someone else already reviewed this user. Reload the list.';
  replies['PUT /work/access/items/2'] = { status: 409, body: { message: conflict } };
  await userEvent.click(await screen.findByRole('button', { name: 'Keep Julia Perez' }));
  expect(await screen.findByText(`Error: ${conflict}`)).toBeTruthy();
});

test('each of two decisions at the same time shows its error', async () => {
  const rows = [person({}), person({ id: 3, userName: 'bo', name: 'Bo Diaz' })];
  replies['POST /work/access/people'] = { body: { rows, count: 2 } };
  let fail = () => {};
  replies['PUT /work/access/items/2'] = () =>
    new Promise((resolve) => {
      fail = () => resolve({ status: 409, body: { message: 'Someone else already reviewed this user.' } });
    });
  replies['PUT /work/access/items/3'] = { status: 204 };
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Keep Julia Perez' }));
  await userEvent.click(screen.getByRole('button', { name: 'Keep Bo Diaz' }));
  fail();
  expect(await screen.findByText('Error: Someone else already reviewed this user.')).toBeTruthy();
});

test("an overdue review is finished by typing one's name", async () => {
  replies['GET /work/access'] = {
    body: { reviews: [review], people: 2, unanswered: 0, overdue: true, countedTo: '' },
  };
  replies['POST /work/access/5/finish'] = {
    status: 400,
    body: {
      message: 'x',
      fields: [{ path: 'name', code: 'INVALID', message: 'Enter your own first and last name: Ada Brook.' }],
    },
  };
  open();
  expect(await screen.findByText(/Your review was due 06\/30\/2026/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText(/^Your first and last name/), 'Somebody');
  await userEvent.click(screen.getByRole('button', { name: 'Finish' }));
  expect(
    (await screen.findAllByText('Error: Enter your own first and last name: Ada Brook.')).length,
  ).toBeGreaterThan(0);
  expect(sent('POST /work/access/5/finish')).toEqual([{ name: 'Somebody' }]);
});

test('users who mirror have read-only access', async () => {
  replies['GET /work/access'] = {
    body: { reviews: [review], people: 1, unanswered: 0, overdue: false, countedTo: '' },
  };
  open({ permissions: ['access.review'], mirroredUser: makeUser() });
  await findRow('Julia Perez');
  expect(screen.getByText('You can view this but not change it while mirroring.')).toBeTruthy();
  expect(screen.queryByText(/Finish the review below/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Keep Julia Perez' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Finish' })).toBeNull();
});

test('lists the overdue groups', async () => {
  replies['POST /desk/reviews'] = {
    body: {
      rows: [{ id: 1, groupId: 1001, groupName: 'Lakeside', dueOn: '2026-03-31', people: 9, unanswered: 4 }],
      count: 1,
    },
  };
  open({ permissions: ['reviews.watch'] }, '/desk/reviews');
  expect((await findRow('Lakeside')).getByText('03/31/2026')).toBeTruthy();
});

test.each(['/work/access', '/desk/reviews'])('%s shows so to users without access', async (path) => {
  open({ permissions: [] }, path);
  expect(await screen.findByText("You don't have access")).toBeTruthy();
  expect(calls).toEqual([]);
});
