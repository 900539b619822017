import { readFileSync } from 'node:fs';
import type { Page, Response } from '@playwright/test';
import { accounts, expect, mirror, openSession, test } from './portal';
import { deposits, field, getBankList, match, openDeposits } from './screens/deposits';
import { list } from './screens/remittances';

// Both tests mark the same remittances.
test.describe.configure({ mode: 'serial' });

/** Removes the marks of a matched list, for the next run. */
async function unpost(page: Page, answer: Response): Promise<void> {
  const token = await openSession(page.request, accounts.PRUS);
  const { deposits } = (await answer.json()) as { deposits: { remittances: { id: string }[] }[] };
  const ids = deposits.flatMap(({ remittances }) => remittances.map(({ id }) => id));
  const done = await page.request.put('/api/remittancePosts', {
    data: { ids, posted: false },
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(done.status()).toBe(200);
}

test("a day's deposits are matched and posted in four actions", async ({ page }) => {
  await list(page);
  await page.getByRole('link', { name: 'Match deposits', exact: true }).first().click();
  const answer = page.waitForResponse('**/api/work/deposits');
  await page.locator('input[type=file]').setInputFiles(getBankList());
  await expect(page.getByText(/^25 deposits$/)).toBeVisible();
  await expect(deposits(page).getByRole('link', { name: '50000017' })).toBeVisible();
  await page.getByRole('button', { name: 'Mark matched as posted (25)' }).click();
  await expect(page.getByText('25 remittances marked as posted')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mark matched as posted (0)' })).toBeDisabled();

  // Remittances shows what was found, and leads back to it.
  await page.getByRole('link', { name: 'Remittances', exact: true }).first().click();
  await page.getByRole('link', { name: 'Show matches' }).click();
  await expect(deposits(page).locator('tbody').getByRole('row').first()).toContainText('Posted');

  // The result is a file too.
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  expect(readFileSync(await file.path(), 'utf8')).toContain(',50000017,');
  await unpost(page, await answer);
});

test('differences are shown by keyboard alone, and undone', async ({ page }) => {
  await openDeposits(page);
  const [, , first = '', second = '', third = ''] = readFileSync(getBankList(), 'utf8').split('\n');
  const [day = '', , trace = '', amount = ''] = second.split(',');
  await field(page).focus();
  await page.keyboard.insertText(
    [
      'Date\tCheck\tAmount',
      [day, trace, (Number(amount) - 1).toFixed(2)].join('\t'),
      [day, first.split(',')[2], first.split(',')[3]].join('\t'),
      [day, '', third.split(',')[3]].join('\t'),
    ].join('\n'),
  );
  await page.keyboard.press('Tab'); // the field's resizer has no stop; the file button
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Match', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(deposits(page)).toContainText('$1.00 less than the remittance');
  await expect(deposits(page)).toContainText('By amount');
  await page.getByRole('button', { name: /^Short 1/ }).press('Space');
  await expect(deposits(page).locator('tbody').getByRole('row')).toHaveCount(1);
  await page.getByRole('button', { name: /^Short 1/ }).press('Space');
  await page.getByRole('checkbox', { name: 'Select line 2' }).press('Space');
  await page.getByRole('button', { name: 'Mark selected as posted (1)' }).press('Enter');
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(page.getByText('Change undone')).toBeVisible();
});

test('users who mirror match deposits, and mark nothing', async ({ page }) => {
  const token = await openSession(page.request, accounts.ISAD);
  await mirror(page.request, token, accounts.PRUS);
  await page.goto('/wcpp/work/deposits');
  await match(page, readFileSync(getBankList(), 'utf8').split('\n').slice(0, 3).join('\n'));
  await expect(deposits(page).locator('tbody').getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('button', { name: /as posted/ })).toHaveCount(0);
  const refused = await page.request.put('/api/remittancePosts', {
    data: { ids: ['x'], posted: true },
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(refused.status()).toBe(403);
});
