import { test } from './people';
import { accounts, expect, openAs } from './portal';

test('an administrator sees what a user searched for and found', async ({ page, browser, specimens }) => {
  const desk = await browser.newPage();
  const headers = { Authorization: `Bearer ${await openAs(desk, accounts.PRUS)}` };
  const data = {
    ftin: specimens.paid.ftin,
    claimNumber: 'WC-NONE',
    beginServiceDate: '2026-01-01',
    endServiceDate: '2026-01-10',
  };
  expect((await desk.request.post('/api/billSearch/searchByAssorted', { headers, data })).status()).toBe(200);

  await openAs(page, accounts.ISAD, '/wcpp/home');
  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible();
  await page.getByLabel('User').fill(accounts.PRUS);
  await page.getByLabel('Action').selectOption('Searched bills');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const row = page.getByRole('table', { name: 'Entries' }).getByRole('row').nth(1);
  await expect(row).toContainText(accounts.PRUS);
  await row.getByRole('button', { name: /^Search criteria/ }).click();
  await expect(page.getByRole('dialog')).toContainText('WC-NONE');
  await page.keyboard.press('Escape');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await saved).suggestedFilename()).toBe('AuditLog.csv');

  await openAs(desk, accounts.PRAD, '/wcpp/UserProfile');
  await desk.getByRole('link', { name: 'Audit log' }).click();
  await expect(
    desk.getByRole('table', { name: 'Entries' }).getByRole('cell', { name: accounts.PRUS }).first(),
  ).toBeVisible();
});
