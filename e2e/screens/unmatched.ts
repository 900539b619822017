import { answer, restore } from '../answers';
import { accounts, enter, expect } from '../portal';
import { type Screen, screen, tryAgain, type Walk } from './screen';

export const unmatched = '/wcpp/desk/unmatched';
const list = '**/api/desk/feeds/unmatched';

export const screens: (Screen | Walk)[] = [
  [
    screen('Unmatched money', async (page) => {
      await enter(page, accounts.ISAD, unmatched);
      await expect(page.getByRole('button', { name: /^Find its bill/ }).first()).toBeVisible();
    }),
    screen('Unmatched money, bills it could be meant for', async (page) => {
      await page.getByRole('button', { name: /^Find its bill of Lucia Walsh/ }).click();
      await expect(page.getByText(/^Account differs/).first()).toBeVisible();
    }),
    screen('Unmatched money, to be confirmed', async (page) => {
      await page.getByRole('button', { name: /^Join… to/ }).first().click();
      await expect(page.getByText(/^Join this payment to bill/)).toBeVisible();
    }),
    screen('Unmatched money that failed', async (page) => {
      await answer(page, list, { status: 503 });
      await page.reload();
      await expect(tryAgain(page)).toBeVisible();
      await restore(page, list);
    }),
  ],
];
