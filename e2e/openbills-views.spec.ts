import { test as peopleTest } from './people';
import {
  accounts,
  expect,
  expectInWidth,
  getPortalData,
  mirror,
  openAs,
  openSession,
  searchByBill,
  test,
} from './portal';
import { openFindMany, paste } from './screens/bulklookup';
import { openBills, showOpenBills } from './screens/openbills';
import { choose, dialog } from './screens/screen';
import { importFile } from './start';

const tab = (page: import('@playwright/test').Page, name: RegExp) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name });

test('a view is saved, counted, changed, shared and opened by its link', async ({ page, browser }) => {
  await showOpenBills(page, accounts.PRAD);
  await page.getByRole('button', { name: /^Payment reversed/ }).click();
  await expect(openBills(page).first()).toContainText('Payment reversed');
  await page.getByRole('button', { name: 'Save view' }).click();
  await dialog(page).getByLabel('Name').fill('Taken back, all');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/wcpp\/work\/bills\/[A-Z2-7]+$/);
  const link = page.url();
  const mine = tab(page, /^Taken back, all/);
  await expect(mine).toHaveAttribute('aria-current', 'page');
  const count = await page
    .getByRole('button', { name: /^Payment reversed/ })
    .locator('strong')
    .textContent();
  await expect(mine).toHaveText(`Taken back, all ${count}`);

  // A view includes its columns; the button shows how many are hidden.
  await page.getByRole('button', { name: /^Columns/ }).click();
  await page.getByRole('checkbox', { name: 'Provider' }).uncheck();
  await page.getByRole('checkbox', { name: 'Compact rows' }).check();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Provider' })).toHaveCount(0);
  await page.getByRole('button', { name: 'View (changed)' }).click();
  await choose(page, 'Save changes');
  await expect(page.getByRole('button', { name: 'View', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await choose(page, 'Rename or share');
  await dialog(page).getByLabel('Share with my group').check();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await page.reload();
  await expect(openBills(page).first()).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Provider' })).toHaveCount(0);

  // A colleague sees it but can't edit it.
  const theirs = await (await browser.newContext()).newPage();
  await openAs(theirs, accounts.PRUS, new URL(link).pathname);
  await expect(openBills(theirs).first()).toContainText('Payment reversed');
  await theirs.getByRole('button', { name: 'View', exact: true }).click();
  await expect(theirs.getByRole('menuitem', { name: /^Rename or share/ })).toBeDisabled();
  // Another office gets the same as for any invalid link.
  const foreign = await (await browser.newContext()).newPage();
  await openAs(foreign, accounts.NNUS, new URL(link).pathname);
  await expect(
    foreign.getByText("This doesn't exist, or you don't have permission to see it."),
  ).toBeVisible();

  await page.getByRole('button', { name: 'View', exact: true }).click();
  await choose(page, 'Delete view');
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page).toHaveURL(/\/wcpp\/work\/bills$/);
  await expect(mine).toHaveCount(0);
  await theirs.context().close();
  await foreign.context().close();
});

test('two users change a view: the slower one selects one of both', async ({ page, request }) => {
  const headers = { Authorization: `Bearer ${await openSession(request, accounts.PRAD)}` };
  const created = await request.post('/api/work/views', {
    data: {
      name: 'Two at it',
      shared: false,
      pinned: true,
      definition: { filter: { states: ['short'], marked: 'open' } },
    },
    headers,
  });
  expect(created.status()).toBe(201);
  const view = await created.json();
  await openAs(page, accounts.PRAD, `/wcpp/work/bills/${view.id}`);
  await expect(openBills(page).first()).toContainText('Paid below allowance');
  const faster = await request.put(`/api/work/views/${view.id}`, {
    data: { ...view, name: 'Faster', definition: { filter: { states: ['denied'], marked: 'open' } } },
    headers,
  });
  expect(faster.status()).toBe(200);
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await choose(page, 'Rename or share');
  await dialog(page).getByLabel('Name').fill('Slower');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page)).toContainText('prad.demo changed this view while you were editing.');
  await expect(dialog(page)).toContainText('Faster');
  await expect(dialog(page)).toContainText('Slower');
  await dialog(page).getByRole('button', { name: 'Save mine' }).click();
  await expect(tab(page, /^Slower/)).toBeVisible();
  expect((await request.delete(`/api/work/views/${view.id}`, { headers })).status()).toBe(204);
});

test('users without a view get suggestions', async ({ page, request }) => {
  await showOpenBills(page, accounts.NNUS);
  await page.getByRole('button', { name: 'Suggested views' }).click();
  await choose(page, 'Not repriced after 14 days');
  await expect(tab(page, /^Not repriced after 14 days \d+$/)).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('button', { name: 'At least 15 days old, change age' })).toBeVisible();
  const headers = { Authorization: `Bearer ${await openSession(request, accounts.NNUS)}` };
  const [view] = await (await request.get('/api/work/views', { headers })).json();
  expect((await request.delete(`/api/work/views/${view.id}`, { headers })).status()).toBe(204);
});

test("an export is created in the background, and stays until it's deleted", async ({ page }) => {
  await showOpenBills(page, accounts.PRAD);
  await page.getByRole('button', { name: /^Denied/ }).click();
  await expect(openBills(page).first()).toContainText('Denied');
  await page.getByRole('button', { name: 'Export' }).click();
  await dialog(page).getByRole('button', { name: 'Create file' }).click();
  const csv = dialog(page).getByRole('link', { name: /^CSV/ }).first();
  await expect(csv).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent('download'), csv.click()]);
  expect(file.suggestedFilename()).toBe('Open bills.csv');
  const before = await dialog(page).getByRole('listitem').count();
  await dialog(page)
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click();
  await expect(dialog(page).getByRole('listitem')).toHaveCount(before - 1);
});

test("found bills open in Open bills, with the number of those that aren't open", async ({
  page,
  specimens: { paid },
}) => {
  await showOpenBills(page);
  const open = (await openBills(page).first().getByRole('link').first().textContent()) ?? '';
  await openFindMany(page);
  await paste(page, `Bill #\n${open}\n${paid.billControlNumber}\n`);
  await page.getByRole('button', { name: 'Look up 2 lines' }).click();
  await page.getByRole('link', { name: 'View these 2 bills in Open bills' }).click();
  await expect(page.getByText("Showing only the 2 bills you selected. 1 of 2 isn't open.")).toBeVisible();
  await expect(openBills(page)).toHaveCount(1);
  await expect(openBills(page)).toContainText(open);
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/wcpp/work/bills');
  await page.reload();
  await expect(openBills(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Show all open bills' }).click();
  await expect(openBills(page).nth(1)).toBeVisible();

  await openAs(page, accounts.PRUS, '/wcpp/billSearch');
  await searchByBill(page, paid);
  await page.getByRole('link', { name: 'View this bill in Open bills' }).click();
  await expect(page.getByText("Showing only the bill you selected. 1 of 1 isn't open.")).toBeVisible();
});

peopleTest(
  'who lost a Tax ID lost its bills, and the administrator is told until that is put away',
  async ({ page, request, office, isad }) => {
    const user = await office.add('PRUS');
    const head = 'tin,bill_control_number,patient_first_name,patient_last_name,begin_service_date,charges';
    const bills = [1, 2, 3].map((n) => `${office.tin},L${office.tin}${n},Ada,Lost,2026-03-0${n},100`);
    await importFile(getPortalData(), 'bills', [head, ...bills].join('\n'));
    const headers = { Authorization: `Bearer ${await openSession(request, office.admin.userNm)}` };
    const found = await request.post('/api/work/bills/search', { data: { filter: {} }, headers });
    const list: { id: string; changed: number }[] = (await found.json()).bills;
    const assigned = await request.put('/api/work/bills/work', {
      data: {
        bills: list.slice(0, 2).map(({ id, changed }) => ({ id, version: 0, changed })),
        assignTo: user.userNm,
      },
      headers,
    });
    expect(assigned.status(), await assigned.text()).toBe(200);
    const ended = await isad.request.put(`/api/users/terminateUser/${accounts.ISAD}/${user.userNm}`, {
      headers: isad.headers,
      data: {},
    });
    expect(ended.status(), await ended.text()).toBe(200);

    await showOpenBills(page, office.admin.userNm);
    const message = page.getByText(
      `${user.userFirstName} ${user.userLastName} lost access to ${office.tin}. 2 bills are now unassigned.`,
    );
    await expect(message).toBeVisible();
    await page.getByRole('button', { name: 'Show bills' }).click();
    await expect(openBills(page)).toHaveCount(2);
    await expect(page.getByText(`Showing bills left unassigned when ${user.userFirstName}`)).toBeVisible();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(message).toHaveCount(0);
    await page.getByRole('button', { name: 'Show all open bills' }).click();
    await expect(openBills(page)).toHaveCount(3);
  },
);

test('users who mirror see no views and export nothing', async ({ page }) => {
  await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRAD);
  await page.goto('/wcpp/work/bills');
  await expect(openBills(page).first()).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Views' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Export' })).toHaveCount(0);
});

test('hidden columns stay hidden in this browser, and views fit a narrow window', async ({ page }) => {
  await showOpenBills(page, accounts.PRAD);
  await page.getByRole('button', { name: /^Columns/ }).click();
  await page.getByRole('checkbox', { name: 'Payer', exact: true }).uncheck();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^Columns \(14 of 16\)$/ })).toBeFocused();
  await page.reload();
  await expect(openBills(page).first()).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Payer', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: /^Columns/ }).click();
  await page.getByRole('button', { name: 'Show all columns' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Payer', exact: true })).toBeVisible();
  await page.getByRole('columnheader', { name: 'Service' }).getByRole('button').click();
  await page.getByRole('columnheader', { name: 'Service' }).getByRole('button').click();
  await expect(page.getByRole('columnheader', { name: 'Service' })).toHaveAttribute('aria-sort', /ending/);
  await page.setViewportSize({ width: 360, height: 800 });
  await expectInWidth(page.getByRole('navigation', { name: 'Views' }), 360);
});
