import { accounts, expect, openAs, openSession, test } from './portal';
import { openPage } from './screens/bills-page';

test("an administrator's contact appears on the payer's bills, and read-only staff see it", async ({
  page,
  specimens: { paid },
}) => {
  await openPage(page, paid);
  const address = page.url();
  const status = page.getByRole('region', { name: 'Status' });
  await expect(status).toContainText("Source: the payer's latest 835");
  await expect(status.getByRole('link', { name: /^\d{3}-/ })).toHaveAttribute('href', /^tel:\d{10}$/);
  const headers = { Authorization: `Bearer ${await openSession(page.request, accounts.PRUS)}` };
  const found = await page.request.get(`/api/work/bills/${address.split('/').at(-1)}`, { headers });
  const { payerId } = (await found.json()).bill;

  await openAs(page, accounts.ISAD, '/wcpp/desk/payer-contacts');
  await page.getByRole('button', { name: 'Add payer contact' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add payer contact' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Error: Enter the payer ID').first()).toBeVisible();
  await dialog.getByLabel('Payer ID').fill(payerId);
  await dialog.getByLabel(/^Payer(?! ID)/).fill('Claims service');
  await dialog.getByLabel('Phone').fill('614 555 0199');
  await dialog.getByLabel('Hours').fill('Mon–Fri 8 AM–5 PM ET');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();

  await openAs(page, accounts.PRUS, address);
  await expect(status).toContainText('614-555-0199');
  await expect(status).toContainText('Mon–Fri 8 AM–5 PM ET');
  await expect(status).toContainText('Source: network staff');

  await openAs(page, accounts.IRAD, '/wcpp/desk/payer-contacts');
  await expect(page.getByRole('button', { name: 'View Claims service' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add payer contact' })).toBeHidden();

  await openAs(page, accounts.ISAD, '/wcpp/desk/payer-contacts');
  await page.getByRole('button', { name: 'Delete Claims service' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(/No payer contacts yet/)).toBeVisible();
});
