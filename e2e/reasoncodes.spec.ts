import { accounts, expect, openAs, test } from './portal';

test('staff explain a code on bills, and the office reads it', async ({ page, browser }) => {
  await openAs(page, accounts.PRUS, '/wcpp/work/reasons');
  const typed = page.getByLabel('Code or keyword');
  await typed.fill('CO-45');
  await expect(page.getByText('2 codes')).toBeVisible();
  await page.getByRole('button', { name: 'What can I do? About 45' }).click();
  await expect(page.getByText(/Compare/)).toBeVisible();
  await typed.fill('MA130');
  await expect(page.getByText("We don't have an explanation for this code yet.")).toBeVisible();
  await expect.poll(() => page.evaluate(() => history.state?.kept?.criteria?.text)).toBe('MA130');
  expect(page.url()).toMatch(/\/wcpp\/work\/reasons$/);

  const desk = await browser.newPage();
  await openAs(desk, accounts.ISAD, '/wcpp/desk/reasons');
  await expect(desk.getByText(/^Bills paid since .* as of /)).toBeVisible();
  const row = desk.getByRole('table', { name: 'Codes' }).getByRole('row').nth(2);
  await expect(row).toContainText('MA130');
  await expect(row).toContainText('No explanation yet');
  await row.getByRole('button', { name: 'Edit RARC MA130' }).click();
  await desk.getByLabel('Summary').fill('The bill lacks <i>something</i> that the payer needs.');
  await desk.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(desk.getByText('RARC MA130 saved')).toBeVisible();
  await expect(row).not.toContainText('No explanation yet');

  await page.reload();
  await expect(typed).toHaveValue('MA130');
  await expect(page.getByText('The bill lacks <i>something</i> that the payer needs.')).toBeVisible();
});
