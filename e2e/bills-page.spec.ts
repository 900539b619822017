import type { Page } from '@playwright/test';
import { accounts, expect, expectInWidth, openAs, openSession, searchByBill, signIn, test } from './portal';
import { findPageId, openPage } from './screens/bills-page';
import { answers, field, paste } from './screens/bulklookup';
import { openBills, showOpenBills } from './screens/openbills';

const expiredText = 'This link is no longer valid. Find the bill by its number.';
const heading = (page: Page, number: string) =>
  page.getByRole('heading', { level: 1, name: `Bill ${number}`, exact: true });

test("the results link to a bill's page, whose address survives sign-in", async ({
  page,
  specimens: { paid },
}) => {
  await openAs(page, accounts.PRUS, '/wcpp/billSearch');
  await searchByBill(page, paid);
  await page.getByRole('link', { name: `page of bill ${paid.billControlNumber}` }).click();
  await expect(heading(page, paid.billControlNumber)).toBeVisible();
  await expect(page.getByRole('table', { name: 'Service lines', exact: true })).toContainText('Total');
  await expect(page.getByRole('region', { name: 'Bill history' })).toContainText('In the portal since');
  await expect(page.getByRole('region', { name: 'Status' })).toContainText(/^StatusPaid \$/);
  await page.getByText('Sources', { exact: true }).click();
  await expect(page.getByRole('table', { name: 'Submissions' })).toContainText('Current');
  await expect(page.getByRole('table', { name: 'Payments' })).toContainText('Included in the bill.');
  const address = page.url();
  expect(address).not.toContain(paid.billControlNumber);

  const [image, opened] = await Promise.all([
    page
      .context()
      .waitForEvent('response', (response) => response.url().includes('/api/billSearch/billImage/')),
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Bill image' }).click(),
  ]);
  expect(image.status()).toBe(200);
  await opened.close();

  await page.getByRole('link', { name: 'Sign Out' }).click();
  await page.waitForURL('**/wcpp/log*');
  await page.goto(address);
  await signIn(page, accounts.PRUS);
  await expect(heading(page, paid.billControlNumber)).toBeVisible();
  expect(page.url()).toBe(address);
});

test('a reversed bill has the same reasons in Open bills, on its page and in Bulk lookup', async ({
  page,
}) => {
  await showOpenBills(page);
  await page.getByRole('button', { name: /^Payment reversed/ }).click();
  const row = openBills(page).first();
  await expect(row).toContainText('Payment reversed');
  const number = (await row.getByRole('link').textContent()) ?? '';
  // The first code represents all of them.
  const [first, others = '+0'] = (await row.getByRole('button', { name: /^[A-Z]+-\w+/ }).innerText()).split(
    /\s/,
  );
  await row.getByRole('link').click();
  await expect(heading(page, number)).toBeVisible();
  const why = page.getByRole('heading', { name: 'Reversal codes' }).locator('..');
  const codes = (await why.getByRole('listitem').allInnerTexts()).map((text) => text.split(/\s/)[0] ?? '');
  expect(codes.toSorted()[0]).toBe(first);
  expect(codes).toHaveLength(1 + Number(others));

  await page.goto('/wcpp/work/find-many');
  await expect(field(page)).toBeVisible();
  await paste(page, `Bill #\n${number}\n`);
  await page.getByRole('button', { name: 'Look up 1 line' }).click();
  const found = answers(page).locator('tbody').getByRole('row');
  await expect(found).toHaveCount(1);
  for (const code of codes) await expect(found).toContainText(code);
});

test('a bill prints without screen-only parts, and its receipt is certified', async ({
  page,
  specimens: { paid },
}) => {
  await openPage(page, paid);
  const certificate = page.getByRole('link', { name: 'Certificate of receipt' });
  const path = (await certificate.getAttribute('href')) ?? '';
  await page.emulateMedia({ media: 'print' });
  await expect(heading(page, paid.billControlNumber)).toBeVisible();
  await expect(page.getByRole('table', { name: 'Service lines', exact: true })).toBeVisible();
  await expect(certificate).toBeHidden();
  await expect(page.getByRole('button', { name: 'Bill image' })).toBeHidden();
  await page.emulateMedia({ media: null });

  const answer = await page.request.get(path);
  expect(answer.headers()['content-type']).toBe('application/pdf');
  expect((await answer.body()).subarray(0, 5).toString()).toBe('%PDF-');

  await page.setViewportSize({ width: 360, height: 800 });
  await expectInWidth(page.getByRole('table', { name: 'Service lines', exact: true }), 360);
});

test('a link works only for users with the TIN', async ({ page, specimens: { paid } }) => {
  const id = await findPageId(page, paid);
  await openAs(page, accounts.NNUS, `/wcpp/work/bill/${id}`);
  await expect(page.getByText(expiredText)).toBeVisible();
  await page.getByRole('link', { name: 'Search for the bill' }).click();
  await expect(page.getByRole('heading', { name: 'Bill Search' })).toBeVisible();
  const token = await openSession(page.request, accounts.NNUS);
  const refused = await page.request.get(`/api/work/bills/${id}/certificate`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(refused.status()).toBe(404);
});
