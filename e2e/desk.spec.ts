import { accounts, enter, expect, test } from './portal';

test('from a call to an answer: a reason, a number, the bill as its office sees it', async ({
  page,
  browser,
}) => {
  const office = await browser.newPage();
  await enter(office, accounts.PRUS, '/wcpp/work/bills');
  const link = office.getByRole('link', { name: /^70\d+$/ }).first();
  const number = await link.innerText();

  await enter(page, accounts.ISAD, '/wcpp/desk');
  const change = page.getByRole('button', { name: 'Change' });
  const begin = page.getByRole('button', { name: 'Begin' });
  await expect(change.or(begin)).toBeVisible();
  if (await change.isVisible()) await change.click(); // a sitting of another test
  await begin.click();
  await expect(page.getByText(/^Reason: call, since/)).toBeVisible();
  await page.getByLabel('Any number').fill(number);
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('link', { name: number, exact: true }).click();
  await expect(page.getByRole('heading', { name: `Bill ${number}`, level: 1 })).toBeVisible();
  await expect(page.getByText(/^(Not opened by the office|First opened by)/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Bill image' })).toHaveCount(0);

  await link.click();
  await expect(office.getByRole('heading', { name: `Bill ${number}`, level: 1 })).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^First opened by/)).toBeVisible();
  await office.close();
});
