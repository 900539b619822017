import type { Page } from '@playwright/test';
import { accounts, enter, expect, expectInWidth, openSession, searchByBill, signIn, test } from './portal';
import { openPage, pageOf } from './screens/work-bill';

const gone = 'This link is no longer good. Find the bill by its number.';
const heading = (page: Page, number: string) =>
  page.getByRole('heading', { level: 1, name: `Bill ${number}`, exact: true });

test('a bill leads from the results to its page, whose address is kept over sign-in', async ({
  page,
  specimens: { paid },
}) => {
  await enter(page, accounts.PRUS, '/wcpp/billSearch');
  await searchByBill(page, paid);
  await page.getByRole('link', { name: `page of bill ${paid.billControlNumber}` }).click();
  await expect(heading(page, paid.billControlNumber)).toBeVisible();
  await expect(page.getByRole('table', { name: 'Lines', exact: true })).toContainText('Total');
  await expect(page.getByRole('region', { name: 'Journey' })).toContainText('Seen in the portal since');
  await expect(page.getByRole('table', { name: 'Versions' })).toContainText('In force');
  await expect(page.getByRole('table', { name: 'Payments' })).toContainText('The bill shows it.');
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

test('a bill is printed without what only a screen can do, and its receipt is certified', async ({
  page,
  specimens: { paid },
}) => {
  await openPage(page, paid);
  const certificate = page.getByRole('link', { name: 'Certificate of receipt' });
  const path = (await certificate.getAttribute('href')) ?? '';
  await page.emulateMedia({ media: 'print' });
  await expect(heading(page, paid.billControlNumber)).toBeVisible();
  await expect(page.getByRole('table', { name: 'Lines', exact: true })).toBeVisible();
  await expect(certificate).toBeHidden();
  await expect(page.getByRole('button', { name: 'Bill image' })).toBeHidden();
  await page.emulateMedia({ media: null });

  const answer = await page.request.get(path);
  expect(answer.headers()['content-type']).toBe('application/pdf');
  expect((await answer.body()).subarray(0, 5).toString()).toBe('%PDF-');

  await page.setViewportSize({ width: 360, height: 800 });
  await expectInWidth(page.getByRole('table', { name: 'Lines', exact: true }), 360);
});

test('a link opens only for who has the TIN', async ({ page, specimens: { paid } }) => {
  const id = await pageOf(page, paid);
  await enter(page, accounts.NNUS, `/wcpp/work/bill/${id}`);
  await expect(page.getByText(gone)).toBeVisible();
  await page.getByRole('link', { name: 'Find the bill by its number' }).click();
  await expect(page.getByRole('heading', { name: 'Bill Search' })).toBeVisible();
  const token = await openSession(page.request, accounts.NNUS);
  const refused = await page.request.get(`/api/work/bills/${id}/certificate`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(refused.status()).toBe(404);
});
