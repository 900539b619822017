import { mockReply, restore } from '../replies';
import { accounts, openAs, expect } from '../portal';
import { type Screen, type ScreenGroup, screen, tryAgain } from './screen';

const reviews = '**/api/work/access';
const people = '**/api/work/access/people';
const behind = '**/api/desk/reviews';

const open = { id: 5, dueOn: '2020-06-30', openedAt: '2020-04-01T12:00:00Z' };
const finished = {
  id: 4,
  dueOn: '2020-03-31',
  openedAt: '2020-01-01T12:00:00Z',
  finishedAt: '2020-03-20T14:00:00Z',
  finishedBy: accounts.PRAD,
};
const person = {
  id: 4711,
  userName: 'jperez',
  name: 'Julia Perez',
  typeCd: 'PRUS',
  tins: 2,
  lastSignIn: '2020-01-26T14:00:00Z',
  opened: 0,
  outcome: '',
  version: 0,
};
const rows = [
  person,
  { ...person, id: 4712, userName: 'abrook', name: 'Ada Brook', typeCd: 'PRAD', tins: 12, opened: 1312, outcome: 'KEPT' },
  { ...person, id: 4713, userName: 'bstone', name: 'Ben Stone', lastSignIn: undefined, outcome: 'ENDED' },
];

const list = (unanswered: number) => ({
  json: { reviews: [open, finished], people: 2, unanswered, overdue: true, countedTo: '2020-06-29' },
});

export const screens: (Screen | ScreenGroup)[] = [
  screen('Access review, overdue', async (page) => {
    await mockReply(page, reviews, list(1));
    await mockReply(page, people, { json: { rows, count: 3 } });
    await openAs(page, accounts.PRAD, '/wcpp/work/access');
    await expect(page.getByRole('button', { name: 'Keep Julia Perez' })).toBeVisible();
  }),
  [
    screen('Access review to be finished', async (page) => {
      await mockReply(page, reviews, list(0));
      await mockReply(page, people, { json: { rows: rows.slice(1), count: 2 } });
      await openAs(page, accounts.PRAD, '/wcpp/work/access');
      await expect(page.getByRole('button', { name: 'Finish', exact: true })).toBeVisible();
    }),
    screen('Access review with errors', async (page) => {
      await page.getByRole('button', { name: 'Finish', exact: true }).click();
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
      await restore(page, reviews);
      await restore(page, people);
    }),
  ],
  screen('Access review, failed', async (page) => {
    await mockReply(page, reviews, { status: 503 });
    await openAs(page, accounts.PRAD, '/wcpp/work/access');
    await expect(tryAgain(page)).toBeVisible();
    await restore(page, reviews);
  }),
  screen('Access reviews at the desk', async (page) => {
    await mockReply(page, behind, {
      json: {
        rows: [{ id: 1, groupId: 1001, groupName: 'Lakeside Orthopedic', dueOn: '2020-06-30', people: 9, unanswered: 4 }],
        count: 1,
      },
    });
    await openAs(page, accounts.ISAD, '/wcpp/desk/reviews');
    await expect(page.getByRole('cell', { name: 'Lakeside Orthopedic' })).toBeVisible();
    await restore(page, behind);
  }),
];
