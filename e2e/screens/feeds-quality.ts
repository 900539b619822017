import { mockReply, restore } from '../replies';
import { accounts, openAs, expect } from '../portal';
import { type Screen, screen, tryAgain, type ScreenGroup } from './screen';

export const quality = '/wcpp/desk/quality';
const shares = '**/api/desk/feeds/quality?*';

/** Ninety days in which a measure decreases. */
const makeDecline = (measure: string, from: number, to: number, verdict: string) => {
  const days = Array.from({ length: 60 }, (_, n) => ({
    day: new Date(Date.UTC(2026, 2, 5 + Math.floor(n * 1.5))).toISOString().slice(0, 10),
    counted: 1200 + 37 * (n % 5),
    good: Math.round((1200 + 37 * (n % 5)) * (n === 59 ? to : from - 0.01 * (n % 4))),
  }));
  const sum = (list: typeof days) => ({
    counted: list.reduce((all, { counted }) => all + counted, 0),
    good: list.reduce((all, { good }) => all + good, 0),
  });
  return { measure, days, before: sum(days.slice(0, -1)), week: sum(days.slice(-4)), all: sum(days), verdict };
};

const none = { counted: 0, good: 0 };

const worse = {
  from: '2026-03-05',
  to: '2026-06-02',
  countedAt: '2026-06-02T13:00:00Z',
  kinds: ['x12', 'csv-bills'],
  measures: [
    makeDecline('CLAIM_NUMBER', 0.985, 0.612, 'WORSE'),
    makeDecline('RECEIVED', 0.91, 0.998, 'BETTER'),
    makeDecline('LINES', 1, 1, 'SAME'),
    makeDecline('NPI', 0.97, 0.93, 'WORSE'),
    makeDecline('MATCHED', 0.94, 0.938, 'SAME'),
    { measure: 'BALANCED', days: [], before: none, week: none, all: none, verdict: 'NONE' },
    makeDecline('EXPLAINED', 0.7, 0.72, 'SAME'),
  ],
};

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Quality', async (page) => {
      await openAs(page, accounts.ISAD, quality);
      await page.getByRole('button', { name: /^Show \d+ (other )?measures$/ }).click();
      await expect(page.getByRole('table', { name: 'Measures' }).getByRole('img')).toHaveCount(7);
    }),
    screen('Quality, the files of a day', async (page) => {
      await page.getByRole('button', { name: /^Files of .* for Payments with a matching bill$/ }).click();
      await expect(page.getByRole('button', { name: /^payments/ }).first()).toBeVisible();
    }),
    screen('Quality with a decline', async (page) => {
      await mockReply(page, shares, { json: worse });
      await page.reload();
      await expect(page.getByText('2 measures got worse')).toBeVisible();
    }),
    screen('Quality, failed', async (page) => {
      await restore(page, shares);
      await mockReply(page, shares, { status: 503 });
      await page.reload();
      await expect(tryAgain(page)).toBeVisible();
      await restore(page, shares);
    }),
  ],
];
