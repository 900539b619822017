import type { Page } from '@playwright/test';
import { mockReply, restore } from '../replies';
import { accounts, chooseTins, openAs, expect, openMode, type Specimens, getSearchButton, searchByBill, changeSearch } from '../portal';
import { type Screen, type ScreenGroup, billSearch, dialog, dismiss, recover, tryAgain, screen } from './screen';

const bills = (page: Page) => page.getByRole('table', { name: 'Bills' }).locator('tbody');
/** Searches with replies of all kinds of bills, enough for several pages. */
async function findAll(page: Page, { paid, received, sheet, textSheet, second }: Specimens) {
  const kinds = [paid, received, sheet, textSheet];
  await mockReply(page, '**/api/billSearch/mitchBillSearch', { json: [second] });
  await mockReply(page, '**/api/billSearch/searchByAssorted', {
      json: Array.from({ length: 24 }, (_, n) => ({
        ...kinds[n % 4],
        billControlNumber: `${7_000_000_000 + n}`,
      })),
    });
  await searchByBill(page, paid);
  await expect(bills(page).getByRole('row')).toHaveCount(10);
}
async function showResults(page: Page, specimens: Specimens) {
  await billSearch(page);
  await findAll(page, specimens);
}

/** A column's first link. */
const open = (page: Page, name: RegExp) => bills(page).getByRole('button', { name }).first().click();

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Bill Search, Tax IDs failed', async (page) => {
      await mockReply(page, '**/api/ftin/userFtins/**', { status: 400 });
      await openAs(page, accounts.PRUS, '/wcpp/billSearch');
      await expect(tryAgain(page)).toBeVisible();
    }),
    screen('Bill Search by claim number', async (page) => {
      await recover(page);
      await expect(getSearchButton(page)).toBeVisible();
    }),
    screen('Bill Search, list of Tax IDs', async (page) => {
      await page.getByRole('combobox').click();
      await expect(page.getByRole('listbox')).toBeVisible();
    }),
    screen('Bill Search, help', async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Search Help' }).click();
      await expect(dialog(page)).toBeVisible();
    }),
    screen('Bill Search by claimant', async (page) => {
      await dismiss(page);
      await openMode(page, 'Claimant');
      await expect(page.getByLabel('Claimant First Name')).toBeVisible();
    }),
    screen('Bill Search, calendar', async (page) => {
      await page.getByRole('button', { name: 'Select a date' }).first().click();
      await expect(page.getByRole('dialog', { name: 'Select a date' })).toBeVisible();
    }),
    screen('Bill Search with errors', async (page) => {
      await dismiss(page);
      await getSearchButton(page).click();
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('Bill Search by bill ID', async (page, { tins }) => {
      await chooseTins(page, ...tins.slice(0, 5));
      await openMode(page, 'Bill ID');
      await page.getByLabel('Document ID').fill('D1');
    }),
  ],
  [
    screen('Bill Search under way', async (page, { paid }) => {
      await mockReply(page, '**/api/billSearch/*earch*', 'unanswered');
      await billSearch(page);
      await searchByBill(page, paid);
      await expect(page.getByText(/^Please wait while we retrieve data\./)).toBeVisible();
    }),
  ],
  [
    screen('Bill Search, failed', async (page, { paid }) => {
      await mockReply(page, '**/api/billSearch/*earch*', 'lost');
      await billSearch(page);
      await searchByBill(page, paid);
      await expect(page.getByText(/^Error: There was an error retrieving data/)).toBeVisible();
    }),
    screen('Bill Search, one system failed', async (page) => {
      await restore(page, '**/api/billSearch/*earch*');
      await mockReply(page, '**/api/billSearch/mitchBillSearch', 'lost');
      await getSearchButton(page).click();
      await expect(page.getByText(/No response from/)).toBeVisible();
      await expect(bills(page).getByRole('row')).toHaveCount(1);
    }),
    screen('Bill Search without results', async (page) => {
      await restore(page, '**/api/billSearch/mitchBillSearch');
      await changeSearch(page);
      await page.getByLabel('Bill Control Number', { exact: true }).fill('NONE');
      await getSearchButton(page).click();
      await expect(page.getByText(/^There are no Bills available/)).toBeVisible();
    }),
  ],
  [
    screen('Bill Search with results', (page, specimens) => showResults(page, specimens)),
    screen('Payment', async (page) => {
      await mockReply(page, '**/api/billSearch/findPaymentInfo', { json: { paidAmount: 135.49, paidDate: '2026-01-09', checkNumber: '40000017' } });
      await open(page, /^Payment Info/);
      await expect(dialog(page)).toContainText('40000017');
    }),
    screen('Payment, not available', async (page) => {
      await dismiss(page);
      await mockReply(page, '**/api/billSearch/findPaymentInfo', {});
      await bills(page)
        .getByRole('button', { name: /^Payment Info/ })
        .nth(1)
        .click();
      await expect(dialog(page)).toContainText('Payment Information is not available.');
    }),
    screen('Image, missing', async (page) => {
      await dismiss(page);
      await mockReply(page, '**/api/billSearch/imageExist*', { json: false });
      await open(page, /^7\d+ .*bill image$/);
      await expect(dialog(page)).toContainText('The image cannot be displayed.');
    }),
    screen('Pricing sheet', async (page, { textSheet }) => {
      await dismiss(page);
      await mockReply(page, '**/api/billSearch/searchBillReference', { json: [{ line: 'PAGE 1 OF 1' }] });
      await page.getByLabel('Filter by Claim Number').fill(textSheet.claimNumber);
      await page.getByLabel('Filter by Bill Reference').fill(textSheet.documentId);
      await open(page, /Pricing Sheet of bill/);
      await expect(dialog(page)).toContainText('Downloading the pricing sheet');
    }),
    screen('Bill Search, filter without a match', async (page) => {
      await dismiss(page);
      await page.getByLabel('Filter by Claimant Name').fill('nobody');
      await expect(page.getByRole('button', { name: 'Clear filters' })).toBeVisible();
    }),
  ],
  screen('Bill Search without Tax IDs', async (page) => {
    await openAs(page, 'jperez', '/wcpp/billSearch');
    await expect(page.getByText(/^No Tax IDs/)).toBeVisible();
  }),
  screen(
    'Window that was blocked',
    async (page, specimens) => {
      await page.addInitScript(() => {
        window.open = () => null;
      });
      await showResults(page, specimens);
      await mockReply(page, '**/api/billSearch/imageExist*', { json: true });
      await open(page, /^7\d+ .*bill image$/);
      await expect(dialog(page)).toContainText('VIEW IMAGE');
    },
    { ownBrowser: true },
  ),
];
