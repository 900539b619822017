import type { Page } from '@playwright/test';
import { answer, restore } from '../answers';
import { accounts, enter, expect } from '../portal';
import { choose, dialog, dismiss, leave, recover, type Screen, screen, type Walk } from './screen';

export const openBills = (page: Page) => page.getByRole('table', { name: 'Bills' }).locator('tbody').getByRole('row');

export async function showOpenBills(page: Page, account = accounts.PRUS) {
  await enter(page, account, '/wcpp/work/bills');
  await expect(openBills(page).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^All open [\d,]+/ })).toBeVisible();
}

export async function openMenuOf(page: Page, row: number) {
  await openBills(page).nth(row).getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
}

export const screens: (Screen | Walk)[] = [
  [
    screen('Open bills', (page) => showOpenBills(page)),
    screen('Open bills, one state', async (page) => {
      await page.getByRole('button', { name: /^Denied/ }).click();
      await expect(openBills(page).first()).toContainText('Denied');
    }),
    screen('Open bills, chosen', async (page) => {
      await openBills(page).first().getByRole('checkbox').check();
      await expect(page.getByRole('button', { name: 'Park', exact: true })).toBeVisible();
    }),
    screen('Assigning a bill', async (page) => {
      await page.getByRole('button', { name: 'Assign', exact: true }).click();
      await expect(dialog(page).getByLabel('Assign to')).toBeVisible();
    }),
    screen('Notes on a bill', async (page) => {
      await dismiss(page);
      await openMenuOf(page, 0);
      await choose(page, 'Notes');
      await expect(dialog(page).getByLabel('New note')).toBeVisible();
    }),
    screen('Keys of the open bills', async (page) => {
      await dismiss(page);
      await page.getByRole('button', { name: 'Keyboard' }).click();
      await expect(dialog(page)).toContainText('Next bill');
    }),
    screen('Open bills, failed', async (page) => {
      await dismiss(page);
      await leave(page);
      await answer(page, '**/api/work/bills/search', { status: 500 });
      await page.evaluate(() => history.pushState(null, '', '/wcpp/work/bills'));
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    }),
    screen('Open bills, after all', async (page) => {
      await recover(page);
      await restore(page);
      await expect(openBills(page).first()).toBeVisible();
    }),
  ],
];
