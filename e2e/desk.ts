import { expect, type Page } from '@playwright/test';
import { openAs } from './portal';

/** Enters a new reason, even if another test has entered one. */
export async function enterReason(page: Page, userName: string) {
  await openAs(page, userName, '/wcpp/desk');
  const change = page.getByRole('button', { name: 'Change' });
  const begin = page.getByRole('button', { name: 'Start session' });
  await expect(change.or(begin)).toBeVisible();
  if (await change.isVisible()) await change.click(); // another test's support session
  await begin.click();
  await expect(page.getByText(/^Reason: call, since/)).toBeVisible();
}

export async function find(page: Page, what: string) {
  await page.getByLabel('Any number').fill(what);
  await page.getByRole('button', { name: 'Find', exact: true }).click();
}
