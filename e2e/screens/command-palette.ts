import type { Page } from '@playwright/test';
import { mockReply, restore } from '../replies';
import { accounts, openAs, expect } from '../portal';
import { type Screen, type ScreenGroup, dialog, screen } from './screen';

const bill = (n: number, part: object = {}) => ({
  id: `page-${n}`,
  ftin: '341234567',
  billControlNumber: '7000001052',
  documentId: `D26-${4000 + n}`,
  patientFirstName: 'Josephine',
  patientMiddleName: 'A',
  patientLastName: 'Quillfeather',
  beginServiceDate: '2026-02-17',
  billCharges: 1240.5,
  payerName: 'Beacon Road Insurance Company of the Western Reserve',
  billStatus: '0',
  second: false,
  by: 'billControlNumber',
  ...part,
});

const field = (page: Page) => page.getByRole('combobox', { name: /Bill, claim, check/ });

const anyNumber = (page: Page) => page.getByRole('combobox', { name: /^Any number/ });

async function find(page: Page, number: string) {
  await field(page).fill(number);
  await field(page).press('Enter');
}

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Workspace', async (page) => {
      await openAs(page, accounts.ISAD);
      await page.getByRole('button', { name: 'Workspace' }).click();
      await expect(anyNumber(page)).toBeFocused();
    }),
    screen('Workspace of internal staff, a number typed', async (page) => {
      await anyNumber(page).fill('7000001052');
      await expect(dialog(page).getByRole('option')).toHaveText(['7000001052 at the service desk']);
    }),
  ],
  [
    screen('Workspace, a number typed', async (page) => {
      await openAs(page, accounts.PRUS);
      await page.keyboard.press('Control+K');
      await field(page).fill('7000001052');
    }),
    screen('Workspace, nothing found', async (page) => {
      await find(page, 'no such bill 7');
      await expect(dialog(page)).toContainText('No results for your Tax IDs.');
    }),
    screen('Workspace, several found and the second system silent', async (page) => {
      await mockReply(page, '**/api/work/find', {
        json: { bills: [bill(1), bill(2, { ftin: '987654321', state: 'denied' })], claims: [], more: false },
      });
      await mockReply(page, '**/api/work/find/second', { status: 503 });
      await find(page, '7000001052');
      await expect(dialog(page)).toContainText("2 bills found. The second bill system didn't respond.");
    }),
    screen('Workspace, too long a number, in a narrow window', async (page) => {
      await restore(page);
      await field(page).fill('7'.repeat(101));
      await expect(dialog(page)).toContainText('Error: Use 100 characters or fewer');
    }),
    screen('Workspace, failed', async (page) => {
      await mockReply(page, '**/api/work/find', { status: 500 });
      await find(page, '7000001052');
      await expect(dialog(page)).toContainText('There was an error retrieving data');
    }),
  ],
];
