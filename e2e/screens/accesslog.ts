import { mockReply, restore } from '../replies';
import { accounts, openAs, expect } from '../portal';
import { type Screen, type ScreenGroup, screen, tryAgain } from './screen';

const settings = '**/api/work/visits/settings';
const requests = '**/api/work/visits/requests';
const visits = '**/api/work/visits';
const openings = '**/api/work/visits/4711/openings';

const request = {
  id: 9,
  who: accounts.IRAD,
  whom: accounts.PRUS,
  reason: 'complaint',
  state: 'ASKED',
  askedAt: '2020-06-15T14:00:00Z',
  answeredBy: '',
  words: '',
};
const visit = {
  id: 4711,
  groupName: 'Lakeside Orthopedic',
  who: accounts.ISAD,
  whom: accounts.PRUS,
  reason: 'call',
  override: false,
  startedAt: '2020-06-14T14:00:00Z',
  endedAt: '2020-06-14T14:22:00Z',
  opened: 3,
};

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Network access log', async (page) => {
      await mockReply(page, settings, { json: { mails: 'weekly', asksFirst: true, version: 1 } });
      await mockReply(page, requests, {
        json: {
          rows: [
            request,
            {
              ...request,
              id: 8,
              state: 'REFUSED',
              answeredAt: '2020-06-13T14:00:00Z',
              answeredBy: accounts.PRAD,
              words: 'Not today, we are closed',
            },
          ],
          count: 2,
        },
      });
      await mockReply(page, visits, {
        json: {
          rows: [
            { ...visit, id: 4713, reason: '', endedAt: undefined, opened: 0 },
            visit,
            { ...visit, id: 4712, reason: 'their office is on fire', override: true, opened: 12 },
          ],
          count: 3,
        },
      });
      await openAs(page, accounts.PRAD, '/wcpp/work/visits');
      await expect(page.getByRole('button', { name: /^3 opened by/ })).toBeVisible();
      await expect(page.getByText('Pending')).toBeVisible();
    }),
    screen('Decline a network request', async (page) => {
      await page.getByRole('button', { name: /^Decline/ }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    }),
    screen('Network access session, opened items', async (page) => {
      await mockReply(page, openings, { json: { rows: [{ at: '2020-06-14T14:10:00Z', what: 'bill', number: '111111111 7000001052' }], count: 1 } });
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: /^3 opened by/ }).click();
      await expect(page.getByRole('cell', { name: '111111111 7000001052' })).toBeVisible();
      for (const call of [settings, requests, visits, openings]) await restore(page, call);
    }),
  ],
  screen('Network access log, failed', async (page) => {
    await mockReply(page, settings, { status: 503 });
    await openAs(page, accounts.PRAD, '/wcpp/work/visits');
    await expect(tryAgain(page).first()).toBeVisible();
    await restore(page, settings);
  }),
  [
    screen('A user at the desk with an office that requires approval', async (page) => {
      await mockReply(page, '**/api/desk/visits/standing', { json: { asksFirst: true, allowed: false } });
      await openAs(page, accounts.ISAD, '/wcpp/desk');
      const change = page.getByRole('button', { name: 'Change' });
      const begin = page.getByRole('button', { name: 'Start session' });
      await expect(change.or(begin)).toBeVisible();
      if (await begin.isVisible()) await begin.click();
      await page.getByLabel('Any number').fill(accounts.PRUS);
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      await page.getByRole('button', { name: accounts.PRUS, exact: true }).click();
      await expect(page.getByText('This office requires approval.')).toBeVisible();
    }),
    screen('Override and access now', async (page) => {
      await page.getByRole('button', { name: 'Override and access now' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Override' }).click();
      await expect(page.getByText('Error: Enter a reason for the emergency')).toBeVisible();
      await restore(page, '**/api/desk/visits/standing');
    }),
  ],
];
