import { answer, restore } from '../answers';
import { accounts, enter, expect } from '../portal';
import { type Screen, type Walk, screen, tryAgain } from './screen';

const sitting = '**/api/desk/sitting';

export const screens: (Screen | Walk)[] = [
  [
    screen('Service desk, why', async (page) => {
      await enter(page, accounts.ISAD, '/wcpp/desk');
      await expect(page.getByText('Each opening is written down')).toBeVisible();
      const change = page.getByRole('button', { name: 'Change' });
      await expect(change.or(page.getByRole('button', { name: 'Begin' }))).toBeVisible();
      if (await change.isVisible()) await change.click();
    }),
    screen('Service desk, what is wrong with the reason', async (page) => {
      await page.getByLabel('Reason').selectOption('Other');
      await page.getByRole('button', { name: 'Begin' }).click();
      await expect(page.getByText('Error: Say why in some words')).toBeVisible();
    }),
    screen('Service desk, a user', async (page) => {
      await page.getByLabel('In words').fill('a picture');
      await page.getByRole('button', { name: 'Begin' }).click();
      await page.getByLabel('Any number').fill(accounts.PRUS);
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByRole('button', { name: accounts.PRUS, exact: true }).click();
      await expect(page.getByText(/^Nothing keeps this person out/)).toBeVisible();
    }),
    screen('Service desk, nothing found', async (page) => {
      await page.getByLabel('Any number').fill('no such number');
      await page.getByRole('button', { name: 'Find' }).click();
      await expect(page.getByText('Nothing has exactly this number or name.')).toBeVisible();
    }),
    screen('Service desk that failed', async (page) => {
      await answer(page, sitting, { status: 503 });
      await page.reload();
      await expect(tryAgain(page)).toBeVisible();
      await restore(page, sitting);
    }),
  ],
  screen('How is it?', async (page) => {
    await enter(page, accounts.ISAD, '/wcpp/desk/health');
    await expect(page.getByRole('table', { name: 'Systems' })).toContainText('Works');
  }),
];
