import type { Page } from '@playwright/test';
import { test } from './people';
import { accounts, enter, expect } from './portal';

/** Opens a user's card at the desk, for a reason of its own. */
async function openCard(page: Page, userName: string) {
  await enter(page, accounts.ISAD, '/wcpp/desk');
  const change = page.getByRole('button', { name: 'Change' });
  const begin = page.getByRole('button', { name: 'Begin' });
  await expect(change.or(begin)).toBeVisible();
  if (await change.isVisible()) await change.click(); // a sitting of another test
  await begin.click();
  await expect(page.getByText(/^Reason: call, since/)).toBeVisible();
  await page.getByLabel('Any number').fill(userName);
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('button', { name: userName, exact: true }).click();
}

async function revert(page: Page) {
  await page.getByRole('button', { name: 'Revert' }).click();
  await page.getByRole('button', { name: 'YES' }).click();
  await expect(page.getByRole('button', { name: 'Revert' })).toHaveCount(0);
}

test('an office has the network ask first, agrees, and sees who looked', async ({
  page,
  browser,
  office,
}) => {
  const { admin } = office;
  const own = await browser.newPage();
  await enter(own, admin.userNm, '/wcpp/work/visits');
  await expect(own.getByText('Nobody of the network has acted as a user.')).toBeVisible();
  await own.getByRole('button', { name: 'Ask us first' }).click();
  await own.getByRole('dialog').getByRole('button', { name: 'Ask us first' }).click();
  await expect(own.getByText('The network must ask you first.')).toBeVisible();

  await openCard(page, admin.userNm);
  await expect(page.getByText('This office wants to be asked first.')).toBeVisible();
  await expect(page.getByRole('button', { name: `Act as ${admin.userNm}` })).toHaveCount(0);
  await page.getByRole('button', { name: 'Ask the office' }).click();
  await expect(page.getByText(/has not answered yet/)).toBeVisible();

  await own.reload();
  await own.getByRole('button', { name: `Agree to the request of ${accounts.ISAD}` }).click();
  const requests = own.getByRole('table', { name: 'Requests of the network' });
  await expect(requests.getByText('Agreed', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: `Act as ${admin.userNm}` }).click();
  await expect(page.getByRole('button', { name: 'Revert' })).toBeVisible();
  // Who acts as an administrator answers nothing.
  await page.goto('/wcpp/work/visits');
  await expect(page.getByText('The network must ask you first.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Ask us no more' })).toHaveCount(0);
  await revert(page);

  await own.reload();
  const visits = own.getByRole('table', { name: 'Visits' }).locator('tbody').getByRole('row');
  await expect(visits).toHaveCount(1);
  await expect(visits).toContainText(accounts.ISAD);
  await expect(visits).toContainText('call');
  await own.close();
});

test('a refusal is told with its words; in an emergency one goes in without an answer', async ({
  page,
  browser,
  office,
}) => {
  const { admin } = office;
  const own = await browser.newPage();
  await enter(own, admin.userNm, '/wcpp/work/visits');
  await own.getByRole('button', { name: 'Ask us first' }).click();
  await own.getByRole('dialog').getByRole('button', { name: 'Ask us first' }).click();
  await expect(own.getByText('The network must ask you first.')).toBeVisible();

  await openCard(page, admin.userNm);
  await page.getByRole('button', { name: 'Ask the office' }).click();
  await expect(page.getByText(/has not answered yet/)).toBeVisible();
  await own.reload();
  await own.getByRole('button', { name: `Refuse the request of ${accounts.ISAD}` }).click();
  await own.getByLabel(/^What you want to say/).fill('Not today');
  await own.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click();
  const requests = own.getByRole('table', { name: 'Requests of the network' });
  await expect(requests.getByText('Refused', { exact: true })).toBeVisible();
  await expect(page.getByText(/“Not today”/)).toBeVisible({ timeout: 40_000 });

  await page.getByRole('button', { name: 'Go in without an answer' }).click();
  await page.getByLabel(/^Why it cannot wait/).fill('Their office is on fire');
  await page.getByRole('dialog').getByRole('button', { name: 'Go in' }).click();
  await page.getByRole('button', { name: `Act as ${admin.userNm}` }).click();
  await expect(page.getByRole('button', { name: 'Revert' })).toBeVisible();
  await revert(page);
  await own.reload();
  const visits = own.getByRole('table', { name: 'Visits' }).locator('tbody').getByRole('row');
  await expect(visits).toHaveCount(1);
  await expect(visits).toContainText('Without an answer: Their office is on fire');
  await own.close();
});

test('nobody else has the screen', async ({ page }) => {
  await enter(page, accounts.PRUS);
  await page.goto('/wcpp/work/visits');
  await expect(page).toHaveURL(/\/wcpp\/login$/);
});
