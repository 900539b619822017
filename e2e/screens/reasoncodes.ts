import { mockReply, restore } from '../replies';
import { accounts, openAs, expect } from '../portal';
import { type Screen, type ScreenGroup, screen, tryAgain } from './screen';

const codes = '**/api/codes';
const desk = '**/api/codes/desk';

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Reason codes', async (page) => {
      await openAs(page, accounts.PRUS, '/wcpp/work/reasons');
      await expect(page.getByRole('heading', { name: 'Claim adjustment reason codes (CARC)' })).toBeVisible();
    }),
    screen('Reason codes found by code, opened', async (page) => {
      await page.getByLabel('Code or keyword').fill('CO-45');
      await page.getByRole('button', { name: 'What can I do? About 45' }).click();
    }),
    screen('Reason codes without an explanation', async (page) => {
      await page.getByLabel('Code or keyword').fill('a code that nobody knows');
      await expect(page.getByText('No matching codes')).toBeVisible();
    }),
    screen('Reason codes, failed', async (page) => {
      await mockReply(page, codes, { status: 503 });
      await page.reload();
      await expect(tryAgain(page)).toBeVisible();
      await restore(page, codes);
    }),
  ],
  [
    screen('Manage reason codes', async (page) => {
      await openAs(page, accounts.ISAD, '/wcpp/desk/reasons');
      await expect(page.getByRole('table', { name: 'Codes' })).toBeVisible();
      await expect(page.getByText(/^Bills paid since/)).toBeVisible();
    }),
    screen('Manage reason codes, a text edited', async (page) => {
      await page.getByRole('button', { name: 'Edit RARC N381' }).click();
      await expect(page.getByText(/^Until /)).toBeVisible();
    }),
    screen('Manage reason codes with errors', async (page) => {
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Add explanation' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('link', { name: 'Error: Select a list' })).toBeVisible();
    }),
    screen('Manage reason codes, a table with refused rows', async (page) => {
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Import CSV' }).click();
      const buffer = Buffer.from('list,code,title\nNUCC,1,A list that there is not.\nRARC,12345678901,Too long.\n');
      await page
        .getByRole('dialog')
        .locator('input[type=file]')
        .setInputFiles({ name: 'reasons.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await expect(page.getByText(/2 rejected\.$/)).toBeVisible();
    }),
    screen('Manage reason codes, failed', async (page) => {
      await mockReply(page, desk, { status: 503 });
      await page.reload();
      await expect(tryAgain(page)).toBeVisible();
      await restore(page, desk);
    }),
  ],
];
