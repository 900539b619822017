import { accounts, expect, expectInWidth, mirror, openAs, openSession, test } from './portal';
import { openBills, openRowMenu, showOpenBills } from './screens/openbills';
import { choose, dialog } from './screens/screen';

test('a bill is assigned, followed up, noted and finished, and can be reopened', async ({ page }) => {
  await showOpenBills(page);
  const tile = page.getByRole('button', { name: /^Denied/ });
  await tile.click();
  await expect(tile).toHaveAttribute('aria-pressed', 'true');
  await expect(openBills(page).first()).toContainText('Denied');
  const link = openBills(page).first().getByRole('link');
  const number = (await link.textContent()) ?? '';
  const row = openBills(page).filter({ hasText: number });

  await link.focus();
  await page.keyboard.press('x');
  await expect(row.getByRole('checkbox')).toBeChecked();
  await page.keyboard.press('a');
  await dialog(page).getByLabel('Assign to').selectOption({ label: 'Julian Hendricks' });
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Julian Hendricks');

  await row.getByRole('button', { name: /^Actions for/ }).click();
  await choose(page, 'Work on bill');
  const today = await dialog(page).getByLabel('Follow-up date').getAttribute('min');
  await dialog(page)
    .getByLabel('Follow-up date')
    .fill(today ?? '');
  await dialog(page).getByRole('button', { name: 'Save and next' }).click();
  await expect(dialog(page).getByRole('heading', { name: /^Bill / })).not.toContainText(number);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^My follow-ups [1-9]/ })).toBeVisible();
  // A closing dialog returns the focus.
  await expect(dialog(page)).toHaveCount(0);

  await row.getByRole('link').focus();
  await page.keyboard.press('n');
  await dialog(page).getByLabel('New note').fill('Called the payer.\nThey look again.');
  await dialog(page).getByRole('button', { name: 'Add note' }).click();
  await expect(dialog(page).getByRole('listitem').first()).toContainText('Called the payer.');
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();

  await row.getByRole('link').focus();
  await page.keyboard.press('e');
  await expect(row).toHaveCount(0);
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByLabel('Work status').selectOption('done');
  await page.keyboard.press('Escape');
  await expect(row).toBeVisible();
  await expect.poll(() => page.evaluate(() => history.state.kept?.criteria.marked)).toBe('done');
  await page.reload();
  await expect(row).toBeVisible();
  await openRowMenu(page, 0);
  await choose(page, 'Reopen');
  await expect(row).toHaveCount(0);
});

test('a note and a follow-up take four actions, and saving moves to the next bill', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await showOpenBills(page);
  await expect(openBills(page).first()).toContainText('days overdue');
  const top = (await openBills(page).first().boundingBox())?.y;
  expect(top).toBeLessThan(320);
  const numbers = await openBills(page).locator('td a').allTextContents();
  await openBills(page).nth(1).getByRole('link').focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('heading', { name: `Bill ${numbers[1]}` })).toBeVisible();
  await expect(dialog(page).getByRole('textbox', { name: 'Note' })).toBeFocused();
  await page.keyboard.type('Called the payer');
  await dialog(page).getByRole('button', { name: '+7 days' }).click();
  await page.keyboard.press('Control+Enter');
  await expect(dialog(page).getByRole('heading', { name: `Bill ${numbers[2]}` })).toBeVisible();
  await expect(dialog(page).getByRole('textbox', { name: 'Note' })).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(openBills(page).nth(2).getByRole('link')).toBeFocused();
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toContainText('Called the payer');
  await page.keyboard.press('Escape');
  // The bill's page is one key away too.
  await expect(openBills(page).nth(1).getByRole('link')).toBeFocused();
  await page.keyboard.press('o');
  await expect(page).toHaveURL(/\/work\/bill\//);
});

test('the list is sorted by the server, and filters apply immediately', async ({ page }) => {
  await showOpenBills(page);
  const charges = async () =>
    (await openBills(page).locator('td[data-label=Charge]').allTextContents()).map((text) =>
      Number(text.replaceAll(/[$,]/g, '')),
    );
  const sort = page.getByRole('columnheader', { name: 'Charge' }).getByRole('button');
  await sort.click();
  await sort.click();
  await expect
    .poll(async () => {
      const all = await charges();
      return all.length > 1 && all.every((charge, at) => at === 0 || charge <= (all[at - 1] ?? 0));
    })
    .toBe(true);
  const [first] = await charges();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.poll(async () => Math.max(...(await charges()))).toBeLessThanOrEqual(first ?? 0);
  const filters = page.getByRole('list', { name: 'Filters' });
  await filters.getByRole('button', { name: 'Due', exact: true }).click();
  await dialog(page).getByLabel('Due').selectOption('week');
  await page.keyboard.press('Escape');
  await expect(openBills(page).first()).toContainText(/due (today|in \d days?)/);
  await filters.getByRole('button', { name: 'Remove filter: Due within 7 days' }).click();
  await expect(filters.getByRole('button', { name: 'Due', exact: true })).toBeVisible();
});

test('a phone shows two lines per bill', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await showOpenBills(page);
  const row = await openBills(page).first().boundingBox();
  expect(row?.y).toBeLessThan(500);
  expect(row?.height).toBeLessThan(90);
  const table = page.getByRole('table', { name: 'Bills' });
  await expectInWidth(table, 390);
  // The sort buttons start above the bills' numbers.
  const sort = await table.locator('thead').getByRole('button').first().boundingBox();
  const link = await openBills(page).first().getByRole('link').first().boundingBox();
  expect(Math.abs((sort?.x ?? 0) - (link?.x ?? 99))).toBeLessThanOrEqual(4);
});

test('offices whose names begin alike look different', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await showOpenBills(page);
  const office = openBills(page)
    .getByTitle(/^Tax ID \d{9}, Lakeside/)
    .first();
  // All of the room is for the rest of the name.
  const room = await office.boundingBox();
  const own = await office.locator('span').nth(1).boundingBox();
  expect(own?.x).toBe(room?.x);
  expect(own?.width).toBeGreaterThan(64);
});

test('rows have the same height, however many reasons a bill has', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await showOpenBills(page);
  await page.getByRole('button', { name: /^Paid below allowance/ }).click();
  const more = openBills(page).getByRole('button', { name: /^[A-Z]+-\w+ \+\d more reason codes?$/ });
  await expect(more.first()).toBeVisible();
  const heights = await openBills(page).evaluateAll((rows) =>
    rows.map((row) => row.getBoundingClientRect().height),
  );
  expect(Math.max(...heights)).toBeLessThanOrEqual(48.5);
  const several = Number(/\+(\d)/.exec((await more.first().textContent()) ?? '')?.[1]) + 1;
  await more.first().focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('listitem')).toHaveCount(several);
  await page.keyboard.press('Escape');
  await expect(more.first()).toBeFocused();
});

test("two users change a bill: the slower one sees the other's change", async ({ page, request }) => {
  await showOpenBills(page);
  await page.getByRole('button', { name: /^Payment reversed/ }).click();
  await expect(openBills(page).first()).toContainText('Payment reversed');
  const number = (await openBills(page).first().getByRole('link').textContent()) ?? '';
  const token = await openSession(request, accounts.PRAD);
  const headers = { Authorization: `Bearer ${token}` };
  const found = await request.post('/api/work/bills/search', {
    data: { filter: { states: ['takenBack'] }, limit: 1 },
    headers,
  });
  const [bill] = (await found.json()).bills;
  expect(bill.billControlNumber).toBe(number);
  const change = {
    bills: [{ id: bill.id, version: bill.work.version, changed: bill.changed }],
    assignTo: accounts.PRUS,
  };
  const first = await request.put('/api/work/bills/work', { data: change, headers });
  expect(first.status()).toBe(200);
  const second = await request.put('/api/work/bills/work', { data: change, headers });
  expect(second.status()).toBe(409);
  expect((await second.json())[0].work.assignedTo.userName).toBe(accounts.PRUS);

  await openRowMenu(page, 0);
  await choose(page, 'Mark as done');
  await expect(
    page.getByText(new RegExp(`^Rachel Dunn just changed bill ${number}: assigned to Julian Hendricks\\b`)),
  ).toBeVisible();
  await expect(openBills(page).filter({ hasText: number })).toContainText('Julian Hendricks');
});

test("a group's work is hidden from users who mirror, and they change nothing", async ({ page }) => {
  await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRUS);
  await page.goto('/wcpp/work/bills');
  await expect(openBills(page).first()).toBeVisible();
  const note = await page.request.get('/api/work/people');
  expect(note.status()).toBe(401);
});

test('staff without a scope see so, and the list fits a narrow window', async ({ page }) => {
  await openAs(page, accounts.ISAD, '/wcpp/work/bills');
  await expect(page.getByText("Open bills are listed by a user's Tax IDs.")).toBeVisible();
  await page.setViewportSize({ width: 360, height: 800 });
  await showOpenBills(page);
  await expectInWidth(page.getByRole('table', { name: 'Bills' }), 360);
});
