import type { Page } from '@playwright/test';
import { accounts, expect, openAs, openSession, test } from './portal';
import { quality } from './screens/feeds-quality';

/** Shows the measures that didn't get worse. */
const showAll = (page: Page) => page.getByRole('button', { name: /^Show \d+ (other )?measures$/ }).click();

test("file shares are shown, with a day's files and a file's problems", async ({ page }) => {
  await openAs(page, accounts.ISAD, quality);
  const measures = page.getByRole('table', { name: 'Measures' });
  await showAll(page);
  await expect(measures.getByRole('img')).toHaveCount(7);
  const lines = measures.getByRole('row', { name: /Bills with service lines/ });
  await expect(lines.getByText('100%').first()).toBeVisible();
  await expect(
    measures.getByRole('img', { name: /^Codes with an explanation over 90 days: lowest \d/ }),
  ).toBeVisible();

  const show = page.getByRole('button', { name: /^Files of .* for Payments with a matching bill$/ });
  await show.click();
  const heading = page.getByRole('heading', { name: 'Files: Payments with a matching bill' });
  await expect(heading).toBeFocused();
  const files = page.getByRole('table', { name: 'Files' });
  await expect(files.getByRole('button').first()).toBeVisible();
  await page.getByLabel('Day', { exact: true }).selectOption({ index: 1 });
  await files
    .getByRole('button', { name: /^payments-\d{4}-\d\d-\d\d\.edi$/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Imported', { exact: true }).first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  // A reload restores the selection.
  await page.reload();
  await expect(heading).toBeVisible();
});

test("one source's files are selected, and the days are saved", async ({ page }) => {
  await openAs(page, accounts.IRAD, quality);
  const measures = page.getByRole('table', { name: 'Measures' });
  await showAll(page);
  const lines = measures.getByRole('row', { name: /Bills with service lines/ });
  await expect(lines.getByRole('img')).toHaveCount(1);
  await page.getByLabel('Files').selectOption({ label: 'Beacon Road Mutual' });
  await expect(lines.getByText('No data')).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Daily data (CSV)' }).click();
  const text = await (await (await saved).createReadStream()).toArray();
  const rows = Buffer.concat(text).toString().trim().split(/\r?\n/);
  expect(rows[0]).toContain('day,measure,counted,good,percent');
  expect(rows.length).toBeGreaterThan(12);
  expect(rows.slice(1).every((row) => /^\d{4}-\d\d-\d\d,(MATCHED|BALANCED|EXPLAINED),/.test(row))).toBe(true);
});

test('offices see nothing of it', async ({ request }) => {
  const headers = { Authorization: `Bearer ${await openSession(request, accounts.PRUS)}` };
  for (const path of ['', '/days', '/files?measure=NPI&day=2026-01-01'])
    expect((await request.get(`/api/desk/feeds/quality${path}`, { headers })).status()).toBe(403);
});
