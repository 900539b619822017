import { accounts, enter, expect, openSession, test } from './portal';
import { unmatched } from './screens/unmatched';

test('a payment is joined to its bill, and parted from it again', async ({ page }) => {
  await enter(page, accounts.ISAD, unmatched);
  const undo = page
    .getByRole('table', { name: 'What was said of payments' })
    .getByRole('button', { name: /^Undo/ });
  const payment = page.getByRole('button', { name: /^Find its bill of Joanna Steele/ });
  await expect(payment.or(undo).first()).toBeVisible();
  if ((await payment.count()) === 0) await undo.first().click(); // of a try before
  await payment.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(/^Account differs: XS10/)).toBeVisible();
  await dialog.getByRole('button', { name: /^Join… to/ }).click();
  await expect(dialog.getByText(/^Join this payment to bill 7/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(page.getByText('The payment is joined to the bill.')).toBeVisible();
  await expect(payment).toHaveCount(0);

  await undo.first().click();
  await expect(payment).toHaveCount(1);
  await expect(page.getByText('Taken back').first()).toBeVisible();

  await payment.click();
  await dialog.getByRole('button', { name: 'Leave as it is' }).click();
  await expect(page.getByText('The payment is left as it is.')).toBeVisible();
  await expect(payment).toHaveCount(0);
  await undo.first().click();
  await expect(payment).toHaveCount(1);
});

test('IRAD reads unmatched money and joins nothing, offices see nothing of it', async ({ page, request }) => {
  await enter(page, accounts.IRAD, unmatched);
  await page.getByRole('button', { name: /^Find its bill of Amara Ibrahim/ }).click();
  await expect(page.getByText(/^Account differs/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Join…/ })).toHaveCount(0);
  const headers = { Authorization: `Bearer ${await openSession(request, accounts.PRAD)}` };
  expect((await request.post('/api/desk/feeds/unmatched', { headers, data: {} })).status()).toBe(403);
});
