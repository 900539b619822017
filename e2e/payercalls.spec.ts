import type { Page } from '@playwright/test';
import { accounts, expect, mirror, openAs, openSession, test } from './portal';
import { openBills, showOpenBills } from './screens/openbills';
import { dialog } from './screens/screen';

const callDialog = (page: Page) => page.getByRole('dialog', { name: 'Log payer call' });

/** Filters the list by a payer. */
async function filterByPayer(page: Page) {
  await page.getByRole('list', { name: 'Filters' }).getByRole('button', { name: 'Payer' }).click();
  await page.getByRole('textbox', { name: 'Payer' }).fill('Beacon Road');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Remove filter: Payer Beacon Road' })).toBeVisible();
}

test('a call about several bills is logged by keyboard, and their history shows it', async ({ page }) => {
  await showOpenBills(page);
  await filterByPayer(page);
  const first = openBills(page).first().getByRole('link');
  const number = (await first.textContent()) ?? '';
  await first.focus();
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('c');
  const call = callDialog(page);
  await expect(call.getByText('2 bills')).toBeVisible();
  await expect(call.getByRole('radio', { name: 'Payment promised' })).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('Control+Enter');
  await expect(call.getByText('Error: Enter today or a later date')).toBeVisible();
  const date = call.getByLabel('Promised payment date');
  await expect(date).toBeFocused();
  await date.fill((await date.getAttribute('min')) ?? '');
  await call.getByLabel('Spoke with').fill('Ms. Hale');
  await call.getByLabel('Details').fill('The check is in the mail.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Call logged: 2 bills')).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);

  // The panel and the bill's page show it.
  await openBills(page).filter({ hasText: number }).getByRole('link').focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('region', { name: 'Payer calls' })).toContainText('Ms. Hale at Beacon');
  await page.keyboard.press('Escape');
  await openBills(page).filter({ hasText: number }).getByRole('link').click();
  const history = page.getByRole('region', { name: 'Bill history' });
  await expect(history).toContainText('Payer call by Julian Hendricks: Payment promised for');
  await expect(history).toContainText('The check is in the mail.');
  await page.emulateMedia({ media: 'print' });
  await expect(history.getByText('The check is in the mail.')).toBeHidden();
  await page.emulateMedia({ media: 'screen' });

  // A colleague sees it. Staff who mirror don't.
  const address = page.url();
  await openAs(page, accounts.PRAD, address);
  await expect(history).toContainText('The check is in the mail.');
  await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRUS);
  await page.goto(address);
  await expect(history).toContainText('In the portal since');
  await expect(history).not.toContainText('Payer call');
  await expect(page.getByRole('button', { name: 'Log payer call' })).toHaveCount(0);
});

test("a colleague's follow-up is confirmed before a call replaces it", async ({ page, request }) => {
  await showOpenBills(page);
  await openBills(page).nth(2).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Log payer call' }).click();
  const call = callDialog(page);
  await call.getByRole('radio', { name: 'Not on file' }).check();
  await call.getByRole('button', { name: '+7 days' }).click();
  await call.getByLabel('Details').fill('Asked for a fax number');

  const headers = { Authorization: `Bearer ${await openSession(request, accounts.PRAD)}` };
  const list = await request.post('/api/work/bills/search', { headers, data: { filter: {}, limit: 50 } });
  const number = await openBills(page).nth(2).locator('td a').first().textContent();
  const { bills } = (await list.json()) as {
    bills: { id: string; billControlNumber: string; changed: number; work: { version: number } }[];
  };
  const bill = bills.find(({ billControlNumber }) => billControlNumber === number);
  const saved = await request.put('/api/work/bills/work', {
    headers,
    data: {
      bills: [{ id: bill?.id, version: bill?.work.version, changed: bill?.changed }],
      followUpOn: '2099-12-24',
    },
  });
  expect(saved.status()).toBe(200);

  await call.getByRole('button', { name: 'Log call' }).click();
  await expect(call).toContainText('follow up on 12/24/2099');
  await expect(call.getByLabel('Details')).toHaveValue('Asked for a fax number');
  await call.getByRole('button', { name: 'Replace and log call' }).click();
  await expect(page.getByText(`Call logged: bill ${number}`)).toBeVisible();
  await expect(openBills(page).filter({ hasText: number ?? '' })).not.toContainText('12/24/2099');
});

test('the call sheet lists the bills of a filter or selection by payer', async ({ page }) => {
  await showOpenBills(page);
  await filterByPayer(page);
  await page.getByRole('link', { name: 'Call sheet' }).click();
  await expect(page.getByText(/^From Open bills: payer Beacon Road/)).toBeVisible();
  const payers = page.locator('section').filter({ has: page.getByRole('button', { name: /^Log call to/ }) });
  await expect(payers).toHaveCount(1);
  await expect(payers.getByRole('link', { name: /^\d{3}-\d{3}-\d{4}$/ })).toHaveAttribute('href', /^tel:/);
  await page.getByRole('button', { name: 'Show overdue bills and follow-ups' }).click();
  await expect(payers.nth(1)).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Log call' })).toHaveCount(0);
  await expect(page.getByText('Spoke with / outcome / reference:').first()).toBeVisible();
});
