import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { accounts, expect, expectInWidth, getPortalData, openAs, openSession, test } from './portal';
import { mockReply } from './replies';
import { answers, columns, field, files, jobs, openFindMany, paste } from './screens/bulklookup';
import { importFile } from './start';

const find = (page: Page) => page.getByRole('button', { name: /^Look up [\d,]+ lines?$/ });

test('pasted lines are looked up by keyboard alone, and Back and Reload restore the results', async ({
  page,
  specimens: { paid },
}) => {
  await openFindMany(page);
  await field(page).focus();
  await page.keyboard.insertText(`Bill #\tBalance\n${paid.billControlNumber}\t$12.50\n7999999999\t\n`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Continue' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Columns', exact: true })).toBeFocused();
  await expect(page.getByText('We matched column Bill # as bill control number.')).toBeVisible();
  await find(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Results' })).toBeFocused();

  const rows = answers(page).locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('$12.50');
  await expect(rows.first()).toContainText(paid.billControlNumber);
  await expect(rows.first()).toContainText('Paid');
  await expect(rows.last()).toContainText('None');
  await page.getByRole('button', { name: '1 not found' }).click();
  await expect(rows).toHaveCount(1);
  await page.getByRole('button', { name: '1 not found' }).click();
  await expect(rows).toHaveCount(2);
  // The table's state is stored shortly after a change.
  await expect.poll(() => page.evaluate(() => history.state.kept?.table.filters)).toEqual({});

  await page.getByRole('link', { name: `Bill ${paid.billControlNumber}` }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Bill ${paid.billControlNumber}` })).toBeVisible();
  await page.goBack();
  await expect(rows).toHaveCount(2);
  await page.reload();
  await expect(rows).toHaveCount(2);
  expect(page.url()).toMatch(/\/wcpp\/work\/find-many$/);

  await page.setViewportSize({ width: 360, height: 800 });
  await expectInWidth(rows, 360);
});

test('a line with two matching bills offers both, and the results are saved', async ({
  page,
  specimens: { tins },
}) => {
  const head =
    'tin,bill_control_number,patient_control_number,patient_first_name,patient_last_name,begin_service_date,charges';
  const bills = tins.slice(0, 2).map((tin, n) => `${tin},95550000${n},ZW-77,Ada,Twice,2026-03-0${n + 1},100`);
  await importFile(getPortalData(), 'bills', [head, ...bills].join('\n'));
  await openFindMany(page);
  await paste(page, 'Acct #\tNotes\nzw 77\t=1+1\n1.23E+09\t\n');
  await find(page).click();
  const rows = answers(page).locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText('2 matches');
  await expect(rows.nth(1)).toContainText('955500001');
  await expect(rows.nth(2)).toContainText('Excel shortened this number');

  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe('Bulk lookup.csv');
  const text = readFileSync(await saved.path(), 'utf8');
  expect(text).toContain('zw 77');
  expect(text).toContain("'=1+1");
  const [workbook] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download XLSX' }).click(),
  ]);
  expect(
    readFileSync(await workbook.path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK');

  await page.getByRole('link', { name: 'Bill 955500000' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Bill 955500000' })).toBeVisible();
});

test('the saved file has the same wording as the screen', async ({ page, specimens: { paid } }) => {
  await openFindMany(page);
  await paste(page, `Bill #\n${paid.billControlNumber}\n7999999999\n`);
  await find(page).click();
  const rows = answers(page).locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(2);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const [head = '', first = '', second = ''] = readFileSync(await saved.path(), 'utf8')
    .trim()
    .split(/\r?\n/);
  const at = (name: string) => head.split(',').indexOf(name);
  expect(at('State')).toBe(at('Status') + 1);
  // The commas within the claimant's name come before both.
  const cells = (await rows.first().getByRole('cell').nth(2).innerText()).split('\n');
  expect(first).toContain(`,${cells.join(',')},`);
  expect(second.split(',')[at('Found')]).toBe(await rows.last().getByRole('cell').nth(1).innerText());
});

test('a file is looked up in the background, and its results are downloaded and deleted', async ({
  page,
  specimens: { paid },
}) => {
  await openFindMany(page);
  const lines = Array.from({ length: 600 }, (_, n) =>
    n === 0 ? paid.billControlNumber : `79999${10000 + n}`,
  );
  await page.locator('input[type=file]').setInputFiles({
    name: 'Six hundred.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['Bill #', ...lines].join('\r\n')),
  });
  await expect(columns(page)).toBeVisible();
  await find(page).click();
  await expect(page.getByRole('group', { name: 'Message' })).toContainText(
    "We're looking up Six hundred.csv.",
  );
  const row = files(page).getByRole('row').filter({ hasText: 'Six hundred.csv' });
  const link = row.getByRole('link', { name: /^CSV/ });
  await expect(link).toBeVisible();
  const [saved] = await Promise.all([page.waitForEvent('download'), link.click()]);
  const text = readFileSync(await saved.path(), 'utf8');
  expect(text.trim().split('\n')).toHaveLength(601);
  expect(text).toContain(paid.billControlNumber);

  await page.reload();
  await row.getByRole('button', { name: /^Delete/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(0);
});

test('no file is covered by its buttons, at any width', async ({ page }) => {
  await mockReply(page, '**/api/work/findMany/jobs', { json: jobs });
  await openFindMany(page);
  for (const width of [1440, 1024, 768, 640, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(files(page)).toContainText('3,200 of 9,200');
    const cut = () =>
      files(page).evaluate((table) => table.scrollWidth - (table.parentElement?.clientWidth ?? 0));
    await expect.poll(cut, { message: `${width} px` }).toBeLessThanOrEqual(0);
  }
});

test('more lines than fit are sent as a file', async ({ page }) => {
  await openFindMany(page);
  await paste(page, `Bill #\n${Array.from({ length: 501 }, (_, n) => `78888${10000 + n}`).join('\n')}`);
  await find(page).click();
  await expect(page.getByRole('alert')).toContainText(
    'Save the lines as a file to look up as many as 10,000.',
  );
  await page.getByRole('button', { name: 'Send as a file' }).click();
  const row = files(page).getByRole('row').filter({ hasText: 'Pasted list.csv' });
  await expect(row.getByRole('link', { name: /^XLSX/ })).toBeVisible();
  await row.getByRole('button', { name: /^Delete/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(0);
});

test("another office's bill looks like a missing one", async ({ page, specimens: { paid } }) => {
  await openAs(page, accounts.NNUS, '/wcpp/work/find-many');
  await paste(page, `Bill #\n${paid.billControlNumber}\n`);
  await find(page).click();
  await expect(answers(page).locator('tbody').getByRole('row')).toHaveCount(1);
  await expect(answers(page).locator('tbody').getByRole('row')).toContainText('None');
  const token = await openSession(page.request, accounts.NNUS);
  const response = await page.request.post('/api/work/findMany', {
    data: {
      columns: [{ index: 0, kind: 'billControlNumber' }],
      headerRows: 0,
      rows: [[paid.billControlNumber]],
    },
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(await response.text()).not.toContain(paid.patientLastName);
});

test('a lost connection is reported, and the list can be sent again', async ({
  page,
  specimens: { paid },
}) => {
  await openFindMany(page);
  await paste(page, `Bill #\n${paid.billControlNumber}\n`);
  await mockReply(page, '**/api/work/findMany', ['lost', 'served']);
  await find(page).click();
  await expect(page.getByRole('alert')).toContainText('There was an error retrieving data');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(answers(page)).toBeVisible();
});

test('an 837 says which bills are on file, by keyboard alone', async ({ page }) => {
  const path = join(getPortalData(), 'samples', 'sent-bills.edi');
  await openFindMany(page);
  await page.locator('input[type=file]').setInputFiles(path);
  const heading = page.getByRole('heading', { name: /^You sent \d+ bills\. \d+ are on file, 9 are not\.$/ });
  await expect(heading).toBeFocused();
  const unknown = page.getByRole('button', { name: /^Not on file \$[\d,]+ 9 bills$/ });
  await unknown.focus();
  await page.keyboard.press('Enter');
  await expect(unknown).toBeFocused();
  const rows = page.getByRole('table', { name: 'Not on file' }).locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(9);
  // Filters are stored 0.2 seconds later, as while typing.
  await page.waitForFunction(() => JSON.stringify(history.state).includes('"outcome":"none"'));
  await page.reload();
  await expect(rows).toHaveCount(9);

  await page.getByRole('button', { name: /^On file, but different/ }).click();
  const different = page.getByRole('table', { name: 'On file, but different' });
  await expect(different).toContainText(/Charge\s*Sent \$[\d,.]+\s*On file \$[\d,.]+/);
  const number = await different.getByRole('link').first().innerText();
  await different.getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1, name: `Bill ${number}` })).toBeVisible();
  await page.goBack();
  await expect(different).toBeVisible();
  await page.setViewportSize({ width: 360, height: 800 });
  await expectInWidth(different.locator('tbody').getByRole('row'), 360);

  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  expect(readFileSync(await saved.path(), 'utf8')).toMatch(/Last name: \w+ sent, \w+ on file/);
});

test('a pasted 837 that is cut off names the segment', async ({ page }) => {
  await openFindMany(page);
  const whole = readFileSync(join(getPortalData(), 'samples', 'sent-bills.edi'), 'utf8');
  await field(page).fill(whole.slice(0, 2000));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText(/^Segment \d+ \(line \d+\).*Export the 837 again/)).toBeVisible();
});
