import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accounts, expect, openAs, openSession, test } from './portal';
import { feeds } from './screens/feeds';

/** A table of taxonomies that no earlier test run has uploaded. Its last row lacks the code. */
async function taxonomies(name: string, rows: number): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'feeds-'));
  const first = 10_000_000_000 + Math.floor(Math.random() * 80_000) * 1_000_000;
  const text = ['code,description'];
  for (let n = 0; n < rows; n++) text.push(`T${first + n},A taxonomy with a rather long name ${n}`);
  text.push(',Wrong');
  const path = join(dir, name);
  await writeFile(path, `${text.join('\n')}\n`);
  return path;
}

test('a file is validated, imported and re-imported, and a simultaneous second one fails', async ({
  page,
}) => {
  await openAs(page, accounts.ISAD, feeds);
  const path = await taxonomies('taxonomies-of-a-test.csv', 3);
  const dialog = page.getByRole('dialog');
  const facts = (label: string) =>
    dialog.getByText(label, { exact: true }).locator('xpath=following-sibling::dd');

  await page.locator('input[type=file]').setInputFiles(path);
  await page.getByRole('button', { name: 'Validate only' }).click();
  await expect(dialog.getByText('Validated only')).toBeVisible();
  await expect(facts('Records')).toHaveText('4');
  await expect(facts('Rejected')).toHaveText('1');
  await expect(dialog.getByText('line 5, code')).toBeVisible();
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Error locations (CSV)' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^Problems of file \d+\.csv$/);
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await page.locator('input[type=file]').setInputFiles(path);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(facts('Imported')).toHaveText('3');
  await dialog.getByRole('button', { name: 'Re-import' }).click();
  await expect(facts('Unchanged')).toHaveText('3');
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await page.locator('input[type=file]').setInputFiles(path);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText(/This content was already imported on/)).toBeVisible();
  await page.getByLabel('Show', { exact: true }).selectOption('All files');
  const rows = page
    .getByRole('table', { name: 'Files' })
    .getByRole('button', { name: 'taxonomies-of-a-test.csv' });
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(3);
});

test('a large file is imported while its progress shows', async ({ page }) => {
  test.slow();
  await openAs(page, accounts.ISAD, feeds);
  // 40 MB of rows, only validated, so that the shared portal doesn't change.
  const path = await taxonomies('taxonomies-large.csv', 700_000);
  await page.locator('input[type=file]').setInputFiles(path);
  await page.getByRole('button', { name: 'Validate only' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Validated only')).toBeVisible({ timeout: 90_000 });
  await expect(dialog.getByText('700,001')).toBeVisible();
});

test('problems of a file or a source are shown', async ({ page }) => {
  await openAs(page, accounts.ISAD, feeds);
  const path = await taxonomies('letter.pdf', 1);
  await page.locator('input[type=file]').setInputFiles(path);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText(/The file can't be read: unknown file kind/)).toBeVisible();

  const name = `Source of a test ${Date.now()}`;
  await page.getByRole('button', { name: 'Add source' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Name($|\W)/).fill(name);
  await dialog.getByLabel('File type').selectOption('csv-groups');
  await dialog.getByLabel('File names').fill('never-*');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Source saved')).toBeVisible();
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await dialog.getByRole('button', { name: 'Delete source' }).click();
  await expect(page.getByText('Source deleted')).toBeVisible();
});

test('IRAD has read-only access, and offices see nothing of it', async ({ page, request }) => {
  await openAs(page, accounts.IRAD, feeds);
  await page.getByRole('button', { name: /^Show \d+ (other )?sources$/ }).click();
  await expect(
    page.getByRole('table', { name: 'Sources' }).getByText('Beacon Road Mutual').first(),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add source' })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Upload file' })).toHaveCount(0);
  const headers = { Authorization: `Bearer ${await openSession(request, accounts.PRAD)}` };
  expect((await request.get('/api/desk/feeds/sources', { headers })).status()).toBe(403);
});
