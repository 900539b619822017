import { mockReply, restore } from '../replies';
import { known } from '../directory';
import { accounts, openAs, expect, getPortalData } from '../portal';
import { importFile } from '../start';
import { remittance } from '../x12';
import { type Screen, screen, tryAgain, type ScreenGroup } from './screen';

export const unmatched = '/wcpp/desk/unmatched';
const list = '**/api/desk/feeds/unmatched';

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Unmatched payments', async (page) => {
      const check = remittance('EFT77001', `FI*${known.orthopedics.tin}`, ['SH-1'], '1512345678');
      const likely = remittance('EFT77001', `FI*${known.orthopedics.tin}`, ['SH-1', 'SH-2']);
      const unproven = remittance('EFT77002', 'XX*1234567893', ['SH-3'], '1512345678');
      for (const file of [check, likely, unproven]) await importFile(getPortalData(), 'x12', file);
      await openAs(page, accounts.ISAD, unmatched);
      await expect(page.getByRole('button', { name: /^Match to/ }).first()).toBeVisible();
      await expect(page.getByRole('button', { name: /^Two checks EFT77001/ })).toBeVisible();
      await expect(page.getByText(/^Tax ID unknown, NPI 1234567893/).first()).toBeVisible();
    }),
    screen('Unmatched payments of $0.00', async (page) => {
      await page.getByRole('button', { name: /^Denials and/ }).click();
      await expect(page.getByText(/^No \$0\.00|^\$0\.00$/).first()).toBeVisible();
    }),
    screen('Unmatched payments, failed', async (page) => {
      await mockReply(page, list, { status: 503 });
      await page.reload();
      await expect(tryAgain(page)).toBeVisible();
      await restore(page, list);
    }),
  ],
];
