import { accounts, expect, openAs } from '../portal';
import { type ScreenGroup, screen } from './screen';

export const screens: ScreenGroup[] = [
  [
    screen('Payer contacts', async (page) => {
      await openAs(page, accounts.ISAD, '/wcpp/desk/payer-contacts');
      await expect(page.getByRole('button', { name: 'Add payer contact' })).toBeVisible();
    }),
    screen('Add a payer contact, with errors', async (page) => {
      await page.getByRole('button', { name: 'Add payer contact' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('link', { name: 'Error: Enter the payer ID' })).toBeVisible();
    }),
  ],
];
