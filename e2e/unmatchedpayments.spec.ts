import { known } from './directory';
import { accounts, expect, getPortalData, openAs, openSession, test } from './portal';
import { unmatched } from './screens/unmatchedpayments';
import { importFile } from './start';
import { remittance } from './x12';

test('a payment is matched to its bill, and unmatched again', async ({ page }) => {
  await openAs(page, accounts.ISAD, unmatched);
  const undo = page.getByRole('table', { name: 'Match history' }).getByRole('button', { name: /^Undo/ });
  const payment = page
    .getByRole('table', { name: 'Payments to match' })
    .getByRole('row', { name: /Imani Rossi/ });
  await expect(payment.or(undo).first()).toBeVisible();
  if ((await payment.count()) === 0) await undo.first().click(); // from an earlier attempt
  // The demo data depend on the day: other patients can have a similar account number.
  await expect(payment.getByText(/^Account number: XR12/).first()).toBeVisible();
  await payment
    .getByRole('button', { name: /^Match to 7/ })
    .first()
    .click();
  await expect(page.getByText('Payment matched')).toBeVisible();
  await expect(payment).toHaveCount(0);
  const messages = page.getByRole('region', { name: 'Notifications' });
  await messages.getByRole('button', { name: 'Undo' }).click();
  await expect(payment).toHaveCount(1);
  await expect(page.getByText('Undone').first()).toBeVisible();

  await payment.getByRole('button', { name: /^Dismiss/ }).click();
  await expect(page.getByText('Payment dismissed')).toBeVisible();
  await expect(payment).toHaveCount(0);
  await undo.first().click();
  await expect(payment).toHaveCount(1);
});

test("IRAD can't match payments, and offices see nothing of it", async ({ page, request }) => {
  await openAs(page, accounts.IRAD, unmatched);
  await expect(page.getByText(/^Account number: /).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Match to|Dismiss)/ })).toHaveCount(0);
  const headers = { Authorization: `Bearer ${await openSession(request, accounts.PRAD)}` };
  expect((await request.post('/api/desk/feeds/unmatched', { headers, data: {} })).status()).toBe(403);
});

test('a duplicate check counts once, and staff decide on a likely copy', async ({ page }) => {
  const tin = `FI*${known.orthopedics.tin}`;
  // The clearinghouse's copy has no TRN03: the same check. A third file has one more claim: a
  // likely duplicate.
  await importFile(getPortalData(), 'x12', remittance('EFT88001', tin, ['EE-1', 'EE-2'], '1512345678'));
  await importFile(getPortalData(), 'x12', remittance('EFT88001', tin, ['EE-1', 'EE-2']));
  await importFile(getPortalData(), 'x12', remittance('EFT88002', tin, ['EE-3'], '1512345678'));
  await importFile(getPortalData(), 'x12', remittance('EFT88002', tin, ['EE-3', 'EE-4']));

  const found = page.getByRole('table', { name: 'Search results' }).locator('tbody').getByRole('row');
  const search = async (check: string, rows: number) => {
    await openAs(page, accounts.PRUS, '/wcpp/work/remittances');
    await page.getByLabel('Check or EFT number', { exact: true }).fill(check);
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(found.filter({ hasText: check })).toHaveCount(rows);
  };
  await search('EFT88001', 1);
  await expect(found.filter({ hasText: '$500.00' })).toHaveCount(1);
  await search('EFT88002', 2);
  const possible = found.filter({ hasText: 'Possible duplicate, not counted' });
  await expect(possible).toHaveCount(1);

  await openAs(page, accounts.ISAD, unmatched);
  const waiting = page
    .getByRole('table', { name: 'Possible duplicate checks' })
    .getByRole('row', { name: /EFT88002/ });
  await waiting.getByRole('button', { name: /^Two checks/ }).click();
  await expect(page.getByText('Counted as two checks')).toBeVisible();
  await expect(waiting).toHaveCount(0);
  await search('EFT88002', 2);
  await expect(possible).toHaveCount(0);

  await openAs(page, accounts.ISAD, unmatched);
  const decision = page
    .getByRole('table', { name: 'Duplicate check decisions' })
    .getByRole('row', { name: /EFT88002/ });
  await decision.first().getByRole('button', { name: /^Undo/ }).click();
  await expect(page.getByText('Decision undone')).toBeVisible();
  await expect(waiting).toHaveCount(1);
});

test('a payment to an NPI that no bill proves is visible only to staff', async ({ page }) => {
  await importFile(getPortalData(), 'x12', remittance('EFT88003', 'XX*1234567893', ['EE-5'], '1512345678'));
  await openAs(page, accounts.ISAD, unmatched);
  const payments = page.getByRole('table', { name: 'Payments to match' });
  await expect(payments.getByRole('row', { name: /EE-5.*Tax ID unknown, NPI 1234567893/ })).toBeVisible();
  await openAs(page, accounts.PRUS, '/wcpp/work/remittances');
  await page.getByLabel('Check or EFT number', { exact: true }).fill('EFT88003');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText(/^No matching remittances\./)).toBeVisible();
});
