import type { Page } from '@playwright/test';
import { mockReply } from '../replies';
import { accounts, changeSearch, openAs, expect, getSearchButton } from '../portal';
import { type Screen, type ScreenGroup, claim, screen, tryAgain } from './screen';

async function claimSearch(page: Page, userName = accounts.PRUS) {
  await openAs(page, userName, '/wcpp/ClaimSearch');
  await expect(getSearchButton(page)).toBeVisible();
}

/** Sets the server's response. */
const answerClaims = (page: Page, found: object | null) =>
  mockReply(page, '**/api/globalclaim/**', found ? { json: found } : 'lost');

async function searchClaims(page: Page, firstName: string, found: object | null) {
  await answerClaims(page, found);
  await page.getByLabel('Claimant First Name').fill(firstName);
  await getSearchButton(page).click();
}

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Claim Search', (page) => claimSearch(page)),
    screen('Claim Search with errors', async (page) => {
      await getSearchButton(page).click();
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('Claim Search, failed', async (page) => {
      await page.getByLabel('Claimant Last Name').fill('Quillfeather');
      await page.getByLabel('Claimant Date of Birth').fill('11/09/1978');
      await page.getByLabel('Claimant Date of Injury').fill('02/17/2026');
      await searchClaims(page, 'Josephine', null);
      await expect(tryAgain(page)).toBeVisible();
    }),
    screen('Claim Search without results', async (page) => {
      await searchClaims(page, 'Nobody', {
        resultMessage:
          'There are no Claims available for the criteria entered, please revise your search criteria and try again',
      });
      await expect(tryAgain(page)).toHaveCount(0);
      await expect(page.getByRole('alert')).toBeVisible();
    }),
    screen('Claim Search with results', async (page) => {
      await searchClaims(
        page,
        'Jo',
        Array.from({ length: 12 }, (_, n) => ({ ...claim, claimNumber: `WC261100000${10 + n}` })),
      );
      await expect(page.getByRole('table', { name: 'Claims' })).toBeVisible();
    }),
    screen('Bill Search for a claim', async (page) => {
      await changeSearch(page);
      await searchClaims(page, 'Josephine Ann', [claim]);
      await page.getByRole('link', { name: claim.claimNumber }).click();
      await expect(page.getByRole('textbox', { name: 'Claim Number' })).toHaveValue(claim.claimNumber);
    }),
  ],
];
