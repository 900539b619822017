import { accounts, expect, expectInWidth, openAs, test } from './portal';

test('an administrator opens the bills behind the figures, by keyboard', async ({ page }) => {
  await openAs(page, accounts.PRAD, '/wcpp/work/team');
  const team = page.getByRole('table', { name: 'Team' });
  const unassigned = team.getByRole('row').filter({ hasText: 'Unassigned' });
  const count = (await unassigned.getByRole('cell').nth(2).innerText()).split(' ')[0] ?? '';
  await unassigned.getByRole('link').first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Open bills' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Unassigned/ }).first()).toBeVisible();
  await expect(page.getByText(new RegExp(`\\b${count}\\b`)).first()).toBeVisible();
  await page.goBack();

  const payers = page.getByRole('table', { name: 'Payers, last 90 days' });
  const denied = payers.getByRole('link', { name: /^\$[\d,.]+ denied/ }).first();
  await denied.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Open bills' })).toBeVisible();
  await page.goBack();
  await payers
    .getByRole('link', { name: /to pay/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Remittances' })).toBeVisible();
  await expect(
    page.getByRole('table', { name: 'Search results' }).locator('tbody').getByRole('row').first(),
  ).toBeVisible();
  await page.goBack();
  await page.setViewportSize({ width: 360, height: 800 });
  await expectInWidth(payers.locator('tbody').getByRole('row'), 360);
});

test('other users have no Team and payers', async ({ page }) => {
  const token = await openAs(page, accounts.PRUS, '/wcpp/work');
  await expect(page.getByRole('link', { name: 'Remittances' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Team and payers' })).toHaveCount(0);
  const headers = { Authorization: `Bearer ${token}` };
  expect((await page.request.get('/api/work/team', { headers })).status()).toBe(403);
});
