import { accounts, expect, openAs, test } from './portal';

test('an office complains, and staff resolve it with a letter and export the log', async ({
  page,
  browser,
}) => {
  await openAs(page, accounts.PRAD, '/wcpp/work/cases/new');
  await page.getByLabel('This is a complaint').check();
  await page.getByLabel('Bill payment').check();
  await page.getByLabel('State', { exact: true }).fill('tx');
  await page.getByRole('textbox', { name: 'Complaint' }).fill('Nobody called back.');
  await page.getByRole('button', { name: 'Send complaint' }).click();
  await expect(
    page.getByText(/^We received your complaint on .* and will send a written resolution/).first(),
  ).toBeVisible();
  await expect(page).toHaveURL(/\/C-\w{4}-\w{4}$/);
  const number = page.url().split('/').at(-1) ?? '';

  const staff = await (await browser.newContext()).newPage();
  await openAs(staff, 'lead.demo', `/wcpp/desk/cases/${number}`);
  await expect(staff.getByRole('region', { name: 'Complaint' })).toContainText('Acknowledged');
  await staff.getByRole('textbox', { name: 'Resolution' }).fill('Paid now. Reason: line 2.');
  await staff.getByRole('button', { name: 'Send resolution' }).click();
  await expect(staff.getByText('Error: Select an outcome')).toBeVisible();
  await staff.getByLabel('Outcome').selectOption({ label: 'Upheld' });
  await staff.getByRole('button', { name: 'Send resolution' }).click();
  await expect(staff.getByText('Resolution sent')).toBeVisible();

  await page.reload();
  await expect(page.getByRole('region', { name: 'Answer', exact: true })).toContainText('Paid now.');
  for (const letter of ['Acknowledgment (PDF)', 'Resolution (PDF)']) {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: letter }).click();
    expect((await download).suggestedFilename()).toBe(`Complaint ${number}.pdf`);
  }

  // A complaint by phone of someone without an account is only for staff.
  await staff.goto('/wcpp/desk/cases');
  await staff.getByRole('link', { name: 'Record complaint' }).click();
  await staff.getByLabel('Channel').selectOption({ label: 'Phone' });
  await staff.getByLabel('Name without an account').fill('Ann Lee');
  await staff.getByLabel('Miscellaneous').check();
  await staff.getByRole('textbox', { name: 'Complaint' }).fill('The directory is wrong.');
  await staff.getByRole('button', { name: 'Record complaint' }).click();
  await staff.getByRole('button', { name: 'Mark as mailed' }).click();
  await expect(staff.getByText('Letter marked as mailed')).toBeVisible();
  const phoned = staff.url().split('/').at(-1) ?? '';
  await page.goto(`/wcpp/work/cases/${phoned}`);
  await expect(page.getByText("This doesn't exist, or you don't have permission to see it.")).toBeVisible();

  await staff.goto('/wcpp/desk/cases');
  await staff.getByRole('button', { name: 'Complaint log' }).click();
  const log = staff.waitForEvent('download');
  await staff.getByRole('button', { name: 'Export' }).click();
  expect((await log).suggestedFilename()).toMatch(/^Complaints .*\.xlsx$/);
  await staff.context().close();
});
