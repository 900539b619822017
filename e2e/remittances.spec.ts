import { accounts, expect, expectInWidth, mirror, openAs, openSession, searchByBill, test } from './portal';
import { find, list, openRemittance, pageHeading, table } from './screens/remittances';

const expiredText = 'This link is no longer valid. Find the remittance by its number.';

test('a check is found by its number, opened, and left with Back', async ({ page }) => {
  const one = await find(page, { adjusted: true });
  await list(page);
  await page
    .getByLabel('Check or EFT number', { exact: true })
    .fill(` ${one.number.slice(0, 3)}-${one.number.slice(3)} `);
  await page.getByRole('button', { name: 'Search' }).click();
  const rows = table(page).locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(1);
  expect(page.url()).not.toContain(one.number);
  // The search is stored shortly after it ran.
  await expect
    .poll(() => page.evaluate(() => history.state.kept?.criteria.number))
    .toContain(one.number.slice(3));
  await rows.getByRole('link', { name: one.number }).click();
  await expect(pageHeading(page, one)).toBeVisible();
  expect(page.url()).not.toContain(one.number);
  await expect(page.getByRole('list', { name: 'Payment summary' })).toContainText('Bills paid');
  await expect(page.getByRole('table', { name: 'Provider-level adjustments' })).toBeVisible();
  await page.goBack();
  await expect(rows).toHaveCount(1);
  await expect(page.getByLabel('Check or EFT number', { exact: true })).toHaveValue(
    `${one.number.slice(0, 3)}-${one.number.slice(3)}`,
  );
});

test('a remittance and its bills link to each other', async ({ page, specimens: { paid } }) => {
  await openAs(page, accounts.PRUS, '/wcpp/billSearch');
  await searchByBill(page, paid);
  await page.getByRole('link', { name: `page of bill ${paid.billControlNumber}` }).click();
  await page.getByRole('region', { name: 'Bill history' }).getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1, name: /^Remittance / })).toBeVisible();
  const bills = page.getByRole('table', { name: 'Bills' });
  await bills.getByRole('link', { name: paid.billControlNumber, exact: true }).first().click();
  await expect(
    page.getByRole('heading', { level: 1, name: `Bill ${paid.billControlNumber}`, exact: true }),
  ).toBeVisible();
});

test("the group's posted status is set and removed by keyboard", async ({ page }) => {
  await openRemittance(page, await find(page, { method: 'CHK', notPosted: true }));
  const mark = page.getByRole('button', { name: /Mark as posted|✓ Posted/ });
  await expect(mark).toHaveAttribute('aria-pressed', 'false');
  await mark.focus();
  await page.keyboard.press('Enter');
  await expect(mark).toHaveAttribute('aria-pressed', 'true');
  await expect(mark).toContainText('Posted');
  await page.reload();
  await expect(mark).toHaveAttribute('aria-pressed', 'true');
  await mark.focus();
  await page.keyboard.press('Space');
  await expect(mark).toHaveAttribute('aria-pressed', 'false');
});

test('several are marked as posted together, and Back returns to the same page', async ({ page }) => {
  await list(page);
  const rows = table(page).locator('tbody').getByRole('row');
  await page.getByLabel('Rows per page').selectOption('10');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page.getByText(/^Page 2 of/)).toBeVisible();
  for (const row of [0, 1]) await rows.nth(row).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Mark selected as posted' }).click();
  await expect(page.getByText('2 remittances marked as posted')).toBeVisible();
  for (const row of [0, 1]) await expect(rows.nth(row)).toContainText('✓ Posted');
  const number = (await rows.first().getByRole('link').textContent()) ?? '';
  await rows.first().getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: `Remittance ${number}` })).toBeVisible();
  await page.goBack();
  await expect(page.getByText(/^Page 2 of/)).toBeVisible();
  await expect(rows.first()).toContainText(number);
  for (const row of [0, 1]) {
    await rows.nth(row).getByRole('button', { name: '✓ Posted' }).click();
    await expect(rows.nth(row)).not.toContainText('✓ Posted');
  }
});

test('a remittance is downloaded in each form', async ({ page }) => {
  await openRemittance(page, await find(page, { method: 'ACH' }));
  for (const [name, type, beginning] of [
    ['Remittance advice (PDF)', 'application/pdf', '%PDF-'],
    ['Service lines (CSV)', 'text/csv; charset=utf-8', '\u00ef\u00bb\u00bfPaid On,Payer,Number'],
    ['Service lines (XLSX)', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'PK'],
    ['Original 835', 'application/edi-x12', 'ISA*00*'],
  ] as const) {
    const path = (await page.getByRole('link', { name }).getAttribute('href')) ?? '';
    const answer = await page.request.get(path);
    expect(answer.status()).toBe(200);
    expect(answer.headers()['content-type']).toBe(type);
    expect((await answer.body()).toString('latin1').startsWith(beginning)).toBe(true);
  }
});

test('several remittances come in one file', async ({ page }) => {
  await list(page);
  const boxes = table(page).locator('tbody').getByRole('checkbox');
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.getByRole('button', { name: 'Download ZIP' }).click();
  const link = page.getByRole('link', { name: 'Download' });
  await expect(link).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(file.suggestedFilename()).toMatch(/^remittances_\d+\.zip$/);
});

test('a link works only for users with the TIN, and nothing can be marked while mirroring', async ({
  page,
}) => {
  const one = await find(page);
  await openAs(page, accounts.NNUS, `/wcpp/work/remittance/${one.id}`);
  await expect(page.getByText(expiredText)).toBeVisible();
  await page.getByRole('link', { name: 'Search for the remittance' }).click();
  await expect(page.getByRole('heading', { name: 'Remittances', exact: true })).toBeVisible();

  const token = await openSession(page.request, accounts.ISAD);
  await mirror(page.request, token, accounts.PRUS);
  await page.goto(`/wcpp/work/remittance/${one.id}`);
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
  await expect(page.getByRole('button', { name: /posted/i })).toHaveCount(0);
  const refused = await page.request.put('/api/remittancePosts', {
    data: { ids: [one.id], posted: true },
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(refused.status()).toBe(403);
});

test('a check for several payees shows one share, and no original 835', async ({ page }) => {
  await openRemittance(page, await find(page, {}, undefined, ({ kind }) => kind === 'shared'));
  await expect(page.getByText('This payment covers several payees.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Payment summary' })).toContainText('Your share');
  await expect(page.getByText('Original 835 not available')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Remittance advice (PDF)' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Original 835' })).toHaveCount(0);
});

test('a remittance fits a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openRemittance(page, await find(page, { adjusted: true }));
  await expectInWidth(page.getByRole('table', { name: 'Bills' }), 360);
  await expectInWidth(page.getByRole('list', { name: 'Payment summary' }), 360);
});
