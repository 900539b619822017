import { mockReply, restore } from '../replies';
import { accounts, openAs, expect } from '../portal';
import { type Screen, type ScreenGroup, screen, tryAgain } from './screen';

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Audit log', async (page) => {
      await openAs(page, accounts.ISAD, '/wcpp/AuditLog');
      await expect(page.getByRole('table', { name: 'Entries' })).toBeVisible();
    }),
    screen('Audit log with search criteria', async (page) => {
      await page
        .getByRole('button', { name: /^Search criteria/ })
        .first()
        .click();
      await expect(page.getByRole('dialog').getByRole('definition').first()).toBeVisible();
    }),
    screen('Audit log, failed', async (page) => {
      await page.keyboard.press('Escape');
      await mockReply(page, '**/api/audit/entries', { status: 503 });
      await page.getByLabel('User').fill('nobody at all');
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await expect(tryAgain(page)).toBeVisible();
    }),
    screen('Audit log without entries', async (page) => {
      await restore(page, '**/api/audit/entries');
      await tryAgain(page).click();
      await expect(page.getByText('No entries match your search.')).toBeVisible();
    }),
  ],
];
