import { accounts, expect, mirror, openAs, openSession } from '../portal';
import { mockReply } from '../replies';
import { type Screen, screen } from './screen';

const member = (name: string, part: object = {}) => ({
  userName: name && `${name.toLowerCase().replace(/\W/g, '.')}.demo`,
  name,
  former: false,
  bills: 128,
  charges: 184_250.75,
  oldest: { id: 'page-1', billControlNumber: '7000001053', since: '2026-02-11', days: 41 },
  doneThisWeek: 17,
  ...part,
});

const payer = (name: string, part: object = {}) => ({
  name,
  toPrice: { bills: 310, median: 4 },
  toPay: { bills: 286, median: 31 },
  answered: 301,
  denied: { bills: 36, amount: 41_200 },
  paid: 265,
  belowAllowance: { bills: 58, amount: 9_310.4 },
  ...part,
});

const team = [
  member('Josephine Quillfeather-Montgomery'),
  member('Ada Brook', { former: true, doneThisWeek: 0 }),
  member('Tom Reed', { bills: 0, charges: 0, oldest: undefined }),
  member('', { bills: 2300, charges: 2_184_250, oldest: undefined, doneThisWeek: 0 }),
];

const payers = [
  payer('Beacon Road Mutual Insurance Company of the Great Lakes'),
  payer('Steady Mutual', { toPrice: undefined, denied: { bills: 0, amount: 0 } }),
  payer('Harbor Casualty', { toPay: undefined, answered: 0, paid: 0 }),
];

export const screens: Screen[] = [
  screen('Team and payers', async (page) => {
    await mockReply(page, '**/api/work/team', { json: team });
    await mockReply(page, '**/api/work/payers', { json: payers });
    await openAs(page, accounts.PRAD, '/wcpp/work/team');
    await expect(page.getByRole('table', { name: 'Payers, last 90 days' })).toContainText('12.0%');
  }),
  screen('Team and payers, nothing yet', async (page) => {
    await mockReply(page, '**/api/work/team', { json: [] });
    await mockReply(page, '**/api/work/payers', { json: [] });
    await openAs(page, accounts.PRAD, '/wcpp/work/team');
    await expect(page.getByText(/^No open bills yet/)).toBeVisible();
  }),
  screen('Team and payers, failed', async (page) => {
    await mockReply(page, '**/api/work/team', { status: 500 });
    await mockReply(page, '**/api/work/payers', { status: 500 });
    await openAs(page, accounts.PRAD, '/wcpp/work/team');
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(2);
  }),
  screen('Team and payers, while mirroring', async (page) => {
    const token = await openSession(page.request, accounts.IRAD);
    await mirror(page.request, token, accounts.PRAD);
    await page.goto('/wcpp/work/team');
    await expect(page.getByText("You can't see an office's work on bills while mirroring.")).toBeVisible();
  }),
];
