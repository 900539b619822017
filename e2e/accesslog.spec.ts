import type { Page } from '@playwright/test';
import { test } from './people';
import { accounts, expect, openAs } from './portal';

/** Opens a user's card at the desk, with a reason of its own. */
async function openCard(page: Page, userName: string) {
  await openAs(page, accounts.ISAD, '/wcpp/desk');
  const change = page.getByRole('button', { name: 'Change' });
  const begin = page.getByRole('button', { name: 'Start session' });
  await expect(change.or(begin)).toBeVisible();
  if (await change.isVisible()) await change.click(); // another test's support session
  await begin.click();
  await expect(page.getByText(/^Reason: call, since/)).toBeVisible();
  await page.getByLabel('Any number').fill(userName);
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByRole('button', { name: userName, exact: true }).click();
}

async function revert(page: Page) {
  await page.getByRole('button', { name: 'Revert' }).click();
  await page.getByRole('button', { name: 'YES' }).click();
  await expect(page.getByRole('button', { name: 'Revert' })).toHaveCount(0);
}

test('an office requires approval, approves, and sees who had access', async ({ page, browser, office }) => {
  const { admin } = office;
  const officePage = await browser.newPage();
  await openAs(officePage, admin.userNm, '/wcpp/work/visits');
  await expect(officePage.getByText('No network access yet.')).toBeVisible();
  await officePage.getByRole('button', { name: 'Require approval' }).click();
  await officePage.getByRole('dialog').getByRole('button', { name: 'Require approval' }).click();
  await expect(officePage.getByText('Approval required.')).toBeVisible();

  await openCard(page, admin.userNm);
  await expect(page.getByText('This office requires approval.')).toBeVisible();
  await expect(page.getByRole('button', { name: `Act as ${admin.userNm}` })).toHaveCount(0);
  await page.getByRole('button', { name: 'Request access' }).click();
  await expect(page.getByText(/No decision yet/)).toBeVisible();

  await officePage.reload();
  await officePage.getByRole('button', { name: `Approve the request from ${accounts.ISAD}` }).click();
  const requests = officePage.getByRole('table', { name: 'Access requests' });
  await expect(requests.getByText('Approved', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: `Act as ${admin.userNm}` }).click();
  await expect(page.getByRole('button', { name: 'Revert' })).toBeVisible();
  // Mirroring an administrator doesn't allow decisions.
  await page.goto('/wcpp/work/visits');
  await expect(page.getByText('Approval required.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop requiring approval' })).toHaveCount(0);
  await revert(page);

  await officePage.reload();
  const visits = officePage.getByRole('table', { name: 'Access sessions' }).locator('tbody').getByRole('row');
  await expect(visits).toHaveCount(1);
  await expect(visits).toContainText(accounts.ISAD);
  await expect(visits).toContainText('call');
  await officePage.close();
});

test('a decline is shown with its reason; in an emergency staff override it', async ({
  page,
  browser,
  office,
}) => {
  const { admin } = office;
  const officePage = await browser.newPage();
  await openAs(officePage, admin.userNm, '/wcpp/work/visits');
  await officePage.getByRole('button', { name: 'Require approval' }).click();
  await officePage.getByRole('dialog').getByRole('button', { name: 'Require approval' }).click();
  await expect(officePage.getByText('Approval required.')).toBeVisible();

  await openCard(page, admin.userNm);
  await page.getByRole('button', { name: 'Request access' }).click();
  await expect(page.getByText(/No decision yet/)).toBeVisible();
  await officePage.reload();
  await officePage.getByRole('button', { name: `Decline the request from ${accounts.ISAD}` }).click();
  await officePage.getByLabel(/^Note/).fill('Not today');
  await officePage.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  const requests = officePage.getByRole('table', { name: 'Access requests' });
  await expect(requests.getByText('Declined', { exact: true })).toBeVisible();
  await expect(page.getByText(/“Not today”/)).toBeVisible({ timeout: 40_000 });

  await page.getByRole('button', { name: 'Override and access now' }).click();
  await page.getByLabel(/^Reason for the emergency/).fill('Their office is on fire');
  await page.getByRole('dialog').getByRole('button', { name: 'Override' }).click();
  await page.getByRole('button', { name: `Act as ${admin.userNm}` }).click();
  await expect(page.getByRole('button', { name: 'Revert' })).toBeVisible();
  await revert(page);
  await officePage.reload();
  const visits = officePage.getByRole('table', { name: 'Access sessions' }).locator('tbody').getByRole('row');
  await expect(visits).toHaveCount(1);
  await expect(visits).toContainText('Emergency override: Their office is on fire');
  await officePage.close();
});

test("other users don't have the screen", async ({ page }) => {
  await openAs(page, accounts.PRUS);
  await page.goto('/wcpp/work/visits');
  await expect(page).toHaveURL(/\/wcpp\/login$/);
});
