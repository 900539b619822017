import { mockReply, restore } from '../replies';
import { accounts, openAs, expect } from '../portal';
import { type Screen, screen, tryAgain, type ScreenGroup } from './screen';

export const feeds = '/wcpp/desk/feeds';
const sources = '**/api/desk/feeds/sources';

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Feeds', async (page) => {
      await openAs(page, accounts.ISAD, feeds);
      await page.getByRole('button', { name: /^Show \d+ (other )?sources$/ }).click();
      await page.getByLabel('Show', { exact: true }).selectOption('All files');
      await expect(page.getByRole('table', { name: 'Sources' }).getByText('Beacon Road Mutual').first()).toBeVisible();
      await expect(page.getByRole('button', { name: 'payments.edi' })).toBeVisible();
    }),
    screen('Feeds, one file', async (page) => {
      await page.getByRole('button', { name: 'payments.edi' }).click();
      await expect(page.getByRole('dialog').getByText('Duration')).toBeVisible();
    }),
    screen('Feeds, source with errors', async (page) => {
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
      await page.getByRole('button', { name: 'Add source' }).click();
      await page.getByRole('dialog').getByLabel(/^Name($|\W)/).fill('Never');
      await page.getByLabel('File type').selectOption('x12');
      await page.getByRole('dialog').getByLabel('Expected').fill('0 6 31 2 *');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('link', { name: /This schedule never occurs/ })).toBeVisible();
    }),
    screen('Feeds, failed', async (page) => {
      await mockReply(page, sources, { status: 503 });
      await page.reload();
      await expect(tryAgain(page)).toBeVisible();
      await restore(page, sources);
    }),
  ],
];
