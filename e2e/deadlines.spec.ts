import { accounts, expect, mirror, openAs, openSession, test } from './portal';
import { desk, draftAgain, fetchRules, pageWith } from './screens/deadlines';

const followUp = 'TX-WC-FOLLOW-UP';

test('a bill explains how its deadline is calculated; a confirmed rule appears, a withdrawn one disappears', async ({
  page,
  browser,
}) => {
  await draftAgain(page, followUp);
  const id = await pageWith(
    page,
    ({ state, deadlines }) => state === 'Texas' && deadlines[0]?.kind === 'PAYER_ANSWER',
  );
  await openAs(page, accounts.PRUS, `/wcpp/work/bill/${id}`);
  const card = page.getByRole('region', { name: 'Deadlines' });
  const times = card.getByRole('listitem');
  await expect(times).toHaveCount(1);
  await expect(times).toContainText('Payer response due (outside a certified network): ');
  await expect(times).toContainText('Texas, 28 TAC 133.240');
  await expect(card).toContainText("For reference only. This isn't legal advice.");
  await card.getByRole('button', { name: /^How is this calculated\?/ }).click();
  await expect(card.getByText(/^Calculated from the date the payer received the bill: /)).toBeVisible();
  await expect(card.getByText(/^Reviewed by Example, not reviewed by counsel on /)).toBeVisible();

  const staff = await browser.newPage();
  await openAs(staff, accounts.ISAD, desk);
  await staff.getByRole('button', { name: /^Activate TX, .*, Earliest follow-up date/ }).click();
  await staff.getByLabel('Reviewed by').fill('Nobody, in a test');
  await staff.getByRole('button', { name: 'Activate rule' }).click();
  await expect(staff.getByText('Rule activated')).toBeVisible();
  await page.reload();
  await expect(times).toHaveCount(2);
  await expect(times.nth(1)).toContainText(/Earliest follow-up date \(.*\): /);

  await staff.getByRole('button', { name: /^Edit TX, .*, Earliest follow-up date/ }).click();
  await staff.getByLabel('Status', { exact: true }).selectOption('DRAFT');
  await staff.getByRole('button', { name: 'Save' }).click();
  await expect(staff.getByText('Rule saved')).toBeVisible();
  await page.reload();
  await expect(times).toHaveCount(1);
  await staff.close();
});

test('a bill without a rule, or with an assumed state, says so', async ({ page }) => {
  for (const [answer, text] of [
    ['noRule', 'No deadline rules on file for Ohio (auto).'],
    ['assumed', 'No state on file. We assumed Ohio from an address, so no deadline is calculated.'],
  ] as const) {
    const id = await pageWith(page, (told) => told.answer === answer && told.state === 'Ohio');
    await openAs(page, accounts.PRUS, `/wcpp/work/bill/${id}`);
    await expect(page.getByRole('region', { name: 'Deadlines' })).toContainText(text);
  }
});

test('staff test dates, and add a holiday', async ({ page }) => {
  await openAs(page, accounts.ISAD, desk);
  const form = page.getByRole('form', { name: 'Test rules' });
  const outcome = page
    .getByRole('table', { name: 'Results' })
    .getByRole('row')
    .filter({ hasText: 'Payment due, sent electronically' });
  const attempt = async (end: string) => {
    await form.getByLabel('State of jurisdiction').fill('ca');
    await form.getByLabel('Received by the payer').fill('11/20/2028');
    await form.getByRole('button', { name: 'Test', exact: true }).click();
    await expect(outcome).toContainText(end);
  };
  await attempt('12/13/2028'); // without Thanksgiving, and California's day after it
  await expect(outcome).toContainText('Draft');
  const add = page.getByRole('form', { name: 'Add holiday' });
  await add.getByLabel('State').fill('CA');
  await add.getByLabel('Date', { exact: true }).fill('12/01/2028');
  await add.getByLabel('Holiday', { exact: true }).fill('A day of this test');
  await add.getByRole('button', { name: 'Add holiday' }).click();
  await expect(page.getByText('A day of this test (CA, 12/01/2028) saved')).toBeVisible();
  await attempt('12/14/2028');
  await page.getByRole('button', { name: 'Remove A day of this test (CA, 12/01/2028)' }).click();
  await expect(page.getByText('A day of this test (CA, 12/01/2028) removed')).toBeVisible();
});

test("read-only users and users who mirror can't change rules", async ({ page, playwright }) => {
  await openAs(page, accounts.IRAD, desk);
  await expect(page.getByRole('button', { name: /^View TX/ }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Activate/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add rule' })).toHaveCount(0);

  const request = await playwright.request.newContext({ baseURL: new URL(page.url()).origin });
  const token = await openSession(request, accounts.ISAD);
  const [rule] = await fetchRules(request, token);
  await mirror(request, token, accounts.PRAD);
  const headers = { Authorization: `Bearer ${token}` };
  expect((await request.get('/api/desk/rules', { headers })).status()).toBe(403);
  expect((await request.put(`/api/desk/rules/${rule?.id}`, { headers, data: rule })).status()).toBe(403);
  await request.dispose();
});
