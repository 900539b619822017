import { randomInt } from 'node:crypto';
import { type APIRequestContext, request as contexts, type Page } from '@playwright/test';
import { type Person, test } from './people';
import {
  accounts,
  changeSearch,
  chooseTins,
  expect,
  getMenu,
  getPortalData,
  getPortalUrl,
  getSearchButton,
  mirror,
  openAs,
  openMode,
  openSession,
} from './portal';
import { mockReply } from './replies';
import { importFile, startPortal } from './start';
import { zone } from './zone';

const message = (page: Page) => page.getByRole('group', { name: 'Message' });
const dialog = (page: Page) => page.getByRole('dialog');
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const tinRows = (page: Page) => page.getByRole('table', { name: /TINs$/ }).locator('tbody').getByRole('row');
const check = (page: Page, tin: string) => page.getByRole('checkbox', { name: `Select ${tin}` });
const clickButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const tinField = (page: Page) => page.getByLabel('Tax ID Number (TIN)');
const billField = (page: Page) => page.getByLabel('Bill Control Number');
const providerField = (page: Page) => page.getByLabel('Provider ID Number');

const newTin = () => `98${randomInt(1_000_000, 9_999_999)}`;
const ftins = (...tins: string[]) => ({ userFtins: tins.map((ftin) => ({ ftin })) });

/** A TIN with a bill on file. The bill's number is B and the TIN. */
async function billedTin(data = getPortalData()): Promise<string> {
  const tin = newTin();
  const report = await importFile(
    data,
    'bills',
    `tin,bill_control_number,patient_first_name,patient_last_name,begin_service_date,charges\n${tin},B${tin},Ada,Lovelace,2026-01-05,100\n`,
  );
  expect(report).toContain('1 imported');
  return tin;
}

/** A TIN with a provider on file. The TIN's last digits are the provider's ID. */
async function listedTin(): Promise<string> {
  const tin = newTin();
  const report = await importFile(
    getPortalData(),
    'providers',
    `provider_id,tin,type,facility_name\n${getId(tin)},${tin},F,Riverside Clinic\n`,
  );
  expect(report).toContain('1 imported');
  return tin;
}
const getId = (tin: string) => tin.slice(1);

async function add(page: Page, typed: { tin: string; bill?: string; provider?: string }) {
  await clickButton(page, 'Reset');
  await tinField(page).fill(typed.tin);
  if (typed.bill) await billField(page).fill(typed.bill);
  if (typed.provider) await providerField(page).fill(typed.provider);
  await clickButton(page, 'Add');
}

async function find(page: Page, tin: string) {
  await openMode(page, 'Bill ID');
  await page.getByLabel('Bill Control Number', { exact: true }).fill(`B${tin}`);
  await getSearchButton(page).click();
  await expect(page.getByRole('table', { name: 'Bills' }).locator('tbody').getByRole('row')).toHaveCount(1);
}

/** Opens a screen about one user from the list of users. */
async function choose(page: Page, { userNm }: Person, action: string) {
  await page
    .getByRole('table', { name: 'Users' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: userNm, exact: true }) })
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

async function search(page: Page, { userNm }: Person) {
  await page.getByLabel('Username', { exact: true }).fill(userNm);
  await clickButton(page, 'SEARCH');
}

/**
 * One account's requests outside the browser, each with its own session, which no later sign-in
 * replaces.
 */
async function caller(request: APIRequestContext, userNm: string) {
  const apart = await contexts.newContext({ baseURL: getPortalUrl() });
  const headers = { Authorization: `Bearer ${await openSession(apart, userNm)}` };
  await apart.dispose();
  return {
    remove: (group: number | null, tin: string) =>
      request.delete(`/api/ftin/groupFtins/${group}/${tin}?lastUpdatedUserName=${userNm}`, { headers }),
    list: async (group: number | null): Promise<string[]> => {
      const answer = await request.get(`/api/ftin/groupFtins/${group}?activeFlag=true`, { headers });
      return (await answer.json()).map(({ ftin }: { ftin: string }) => ftin).sort();
    },
  };
}

test.describe("the group's own TINs", () => {
  test('a TIN is added with a bill, and its bills are found immediately', async ({ page, office }) => {
    const tin = await billedTin();
    await openAs(page, office.admin.userNm, '/wcpp/billSearch');
    await expect(getSearchButton(page)).toBeVisible();
    await getMenu(page).getByRole('link', { name: 'Manage TINs' }).click();
    await expect(heading(page, 'Manage Tax ID Numbers')).toBeFocused();
    await expect(tinRows(page)).toHaveCount(1);

    await billField(page).fill('B');
    await expect(providerField(page)).toBeDisabled();
    await add(page, { tin, bill: `b${tin}` });
    await expect(message(page)).toHaveText(`TIN ${tin} has been successfully added.`);
    await expect(message(page)).toBeFocused();
    // Newest first, with today's date.
    const date = new Date().toLocaleDateString('en-US', {
      month: '2-digit',
      day: '2-digit',
      year: 'numeric',
      timeZone: zone,
    });
    await expect(tinRows(page).first().getByRole('cell')).toHaveText(['', tin, date]);
    await expect(tinRows(page)).toHaveCount(2);

    await getMenu(page).getByRole('link', { name: 'Bill Search' }).click();
    await chooseTins(page, tin);
    await find(page, tin);
  });

  test('a TIN is added with a provider', async ({ page, office }) => {
    const tin = await listedTin();
    await openAs(page, office.admin.userNm, '/wcpp/ManageTins');
    await providerField(page).fill('1');
    await expect(billField(page)).toBeDisabled();
    await add(page, { tin, provider: getId(tin) });
    await expect(message(page)).toHaveText(`TIN ${tin} has been successfully added.`);
    await expect(tinRows(page)).toHaveCount(2);
  });

  test('invalid proof is rejected, and repeated guesses have to wait', async ({ page, office }) => {
    const billed = await billedTin();
    const listed = await listedTin();
    await openAs(page, office.admin.userNm, '/wcpp/ManageTins');
    await clickButton(page, 'Add');
    await expect(message(page)).toContainText(
      'An error has occurred. Please address all fields marked with “Error".',
    );
    await expect(message(page).getByRole('listitem')).toHaveText([
      'Error: Enter a Tax ID Number (TIN)',
      'Error: Enter a Bill Control Number or Provider ID Number',
    ]);

    const noBill = 'Error: The TIN and Bill Control Number combination is not on file.';
    const noProvider = 'Error: The TIN and Provider ID combination is not on file.';
    for (const [typed, text] of [
      [{ tin: billed, bill: 'B1' }, noBill],
      [{ tin: newTin(), bill: `B${billed}` }, noBill],
      [{ tin: listed, provider: '1' }, noProvider],
      [{ tin: newTin(), provider: getId(listed) }, noProvider],
    ] as const) {
      await add(page, typed);
      await expect(message(page).getByRole('listitem')).toHaveText([text]);
    }
    await add(page, { tin: billed, bill: `B${billed}` });
    await expect(message(page)).toHaveText(`TIN ${billed} has been successfully added.`);
    await add(page, { tin: billed, bill: `B${billed}` });
    await expect(message(page).getByRole('listitem')).toHaveText([
      'TIN already associated to the Provider Group.',
    ]);

    // Ten wrong proofs, however many right ones are among them.
    for (let tries = 0; tries < 6; tries++) {
      await add(page, { tin: newTin(), bill: 'B1' });
      await expect(message(page).getByRole('listitem')).toHaveText([noBill]);
    }
    await add(page, { tin: listed, provider: getId(listed) });
    await expect(message(page)).toHaveText(
      'Error:  An error has occurred.  Please try again or contact Customer Service. Too many attempts. Wait 15 minutes and try again.',
    );
    await expect(tinRows(page)).toHaveCount(2);
  });

  test("the portal organization's TINs are rejected for everyone", async ({ browser }) => {
    const portal = await startPortal(['demo', '--bills', '1000'], { WCPP_RESTRICTED_TINS: '969999999' });
    try {
      const context = await browser.newContext({ baseURL: portal.url });
      const page = await context.newPage();
      await openAs(page, accounts.PRAD, '/wcpp/ManageTins');
      await add(page, { tin: '969999999', bill: 'B1' });
      await expect(message(page).getByRole('listitem')).toHaveText([
        'Adding a TIN owned by our organization is not allowed.  Select a different TIN and resubmit..',
      ]);
      await openAs(page, accounts.ISAD, '/wcpp/UserSearch');
      const person = { userNm: accounts.NNUS } as Person;
      await search(page, person);
      await choose(page, person, 'Manage TINs');
      await add(page, { tin: '969999999' });
      await expect(message(page).getByRole('listitem')).toHaveText([
        'Error: Adding a TIN owned by our organization is not allowed.  Select a different TIN and resubmit.',
      ]);
      await context.close();
    } finally {
      await portal.stop();
    }
  });

  test('some can be removed, but not all', async ({ page, create }) => {
    const tins = Array.from({ length: 12 }, newTin).sort();
    const admin = await create({ typeCd: 'PRAD', ...ftins(...tins) });
    await openAs(page, admin.userNm, '/wcpp/ManageTins');
    await expect(tinRows(page)).toHaveCount(10);
    await clickButton(page, 'REMOVE SELECTED TIN(S)');
    await expect(dialog(page)).toContainText('You have not selected a TIN to remove.');
    await clickButton(page, 'OK');

    await page.getByRole('checkbox', { name: 'Select all rows' }).check();
    await clickButton(page, 'REMOVE SELECTED TIN(S)');
    await expect(dialog(page)).toContainText('You cannot remove all TINs.');
    await clickButton(page, 'OK');
    await expect(dialog(page)).toHaveCount(0);

    await page.getByRole('checkbox', { name: 'Select all rows' }).uncheck();
    for (const tin of tins.slice(0, 11)) {
      await page.getByLabel('Filter by TIN').fill(tin);
      await check(page, tin).check();
    }
    await clickButton(page, 'REMOVE SELECTED TIN(S)');
    await expect(dialog(page)).toContainText('Are you sure you want to remove the(se) TIN(s)?');
    await expect(dialog(page)).toContainText('No provider users have these TINs.');
    await clickButton(page, 'Cancel');
    await page.getByLabel('Filter by TIN').fill('');
    await clickButton(page, 'REMOVE SELECTED TIN(S)');
    await clickButton(page, 'OK');
    await expect(message(page)).toHaveText('The selected TIN(s) have been successfully removed.');
    await expect(message(page)).toBeFocused();
    await expect(tinRows(page).getByRole('cell')).toContainText(['', tins[11] ?? '', '']);
    await page.reload();
    await expect(tinRows(page)).toHaveCount(1);

    // The last one can't be removed.
    await check(page, tins[11] ?? '').check();
    await clickButton(page, 'REMOVE SELECTED TIN(S)');
    await expect(dialog(page)).toContainText('You cannot remove all TINs.');
  });

  test('two administrators who remove at once never leave the group without one', async ({
    page,
    request,
    create,
  }) => {
    const tins = [newTin(), newTin(), newTin()].sort();
    const admin = await create({ typeCd: 'PRAD', ...ftins(...tins) });
    const group = admin.grpInfoId;
    const other = await create({ typeCd: 'PRAD', grpInfoId: group, ...ftins(...tins) });
    const [first, second] = [await caller(request, admin.userNm), await caller(request, other.userNm)];

    await openAs(page, admin.userNm, '/wcpp/ManageTins');
    await expect(tinRows(page)).toHaveCount(3);
    const [a = '', b = '', c = ''] = tins;
    const answers = await Promise.all([
      first.remove(group, a),
      second.remove(group, b),
      first.remove(group, c),
    ]);
    expect(answers.map((answer) => answer.status()).sort()).toEqual([200, 200, 409]);
    const [remaining = '', ...others] = await first.list(group);
    expect(others).toEqual([]);

    // This page still shows all three.
    await check(page, remaining).check();
    await clickButton(page, 'REMOVE SELECTED TIN(S)');
    await clickButton(page, 'OK');
    await expect(message(page)).toContainText('You cannot remove all TINs.');
    await expect(message(page)).toContainText(`Not removed: ${remaining}.`);
    await expect(tinRows(page)).toHaveCount(1);
  });

  test('a provider user has read-only access', async ({ page, office }) => {
    const user = await office.add('PRUS');
    await openAs(page, user.userNm, '/wcpp/ManageTins');
    await expect(
      page.getByText("You don't have permission to edit TINs. Ask your group's administrator."),
    ).toBeVisible();
    await expect(tinRows(page)).toHaveCount(1);
    for (const control of [tinField(page), billField(page), providerField(page), check(page, office.tin)])
      await expect(control).toBeDisabled();
    for (const name of ['Add', 'Reset', 'REMOVE SELECTED TIN(S)'])
      await expect(page.getByRole('button', { name, exact: true })).toBeDisabled();
  });

  test("internal staff have none, and can't change any while mirroring", async ({
    page,
    request,
    office,
  }) => {
    const token = await openAs(page, accounts.ISAD, '/wcpp/ManageTins');
    await expect(page.getByText("Your account isn't in a group")).toBeVisible();

    await mirror(page.request, token, office.admin.userNm);
    await page.reload();
    await expect(page.getByText("You can't change TINs while mirroring.")).toBeVisible();
    await expect(tinRows(page)).toHaveCount(1);
    for (const control of [tinField(page), check(page, office.tin)]) await expect(control).toBeDisabled();
    for (const name of ['Add', 'Reset', 'REMOVE SELECTED TIN(S)'])
      await expect(page.getByRole('button', { name, exact: true })).toBeDisabled();
    const refused = await page.request.delete(
      `/api/ftin/groupFtins/${office.admin.grpInfoId}/${office.tin}?lastUpdatedUserName=${accounts.ISAD}`,
      { headers: { Authorization: `Bearer ${token}` } },
    );
    expect(refused.status()).toBe(403);
    const admin = await caller(request, office.admin.userNm);
    expect(await admin.list(office.admin.grpInfoId)).toEqual([office.tin]);
  });

  test("the office that had a TIN objects when another adds it, and it's revoked", async ({
    page,
    office,
    create,
  }) => {
    const tin = await billedTin();
    const holder = await create({ typeCd: 'PRAD', ...ftins(tin) });
    const sharings = page.getByRole('row').filter({ hasText: tin });
    await openAs(page, office.admin.userNm, '/wcpp/ManageTins');
    await add(page, { tin, bill: `B${tin}` });
    await expect(message(page)).toHaveText(`TIN ${tin} has been successfully added.`);

    await openAs(page, holder.userNm, '/wcpp/UserProfile');
    await page.getByRole('link', { name: 'TIN sharing' }).click();
    await expect(heading(page, 'TIN sharing')).toBeFocused();
    await expect(sharings).toContainText('Another office');
    await sharings.getByRole('button', { name: /^Object/ }).click();
    await dialog(page).getByLabel('Reason').fill('They are not our doctors');
    await clickButton(page, 'Object');
    await expect(sharings).toContainText('Pending decision');
    await page.goBack();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await expect(page.getByRole('row').filter({ hasText: 'Added a TIN to another group' })).toContainText(
      'another office',
    );

    await openAs(page, accounts.ISAD, '/wcpp/home');
    await page.getByRole('link', { name: /TIN sharings? pending a decision$/ }).click();
    await sharings.getByRole('button', { name: /^Decide/ }).click();
    await expect(dialog(page)).toContainText(`Bill Control Number B${tin}`);
    await expect(dialog(page)).toContainText('They are not our doctors');
    await clickButton(page, 'Revoke');
    await expect(
      page.getByRole('table', { name: 'In use or decided' }).getByRole('row').filter({ hasText: tin }),
    ).toContainText('Revoked');

    await openAs(page, office.admin.userNm, '/wcpp/ManageTins');
    await expect(tinRows(page)).toHaveCount(1);
  });

  test('adding and removing works by keyboard alone', async ({ page, office }) => {
    const tin = await billedTin();
    await openAs(page, office.admin.userNm, '/wcpp/ManageTins');
    await tinField(page).focus();
    await page.keyboard.type(tin);
    await page.keyboard.press('Tab');
    await page.keyboard.type(`B${tin}`);
    await page.keyboard.press('Enter');
    await expect(message(page)).toBeFocused();
    await expect(tinRows(page)).toHaveCount(2);

    await check(page, tin).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'REMOVE SELECTED TIN(S)' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'REMOVE SELECTED TIN(S)' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(message(page)).toHaveText('The selected TIN(s) have been successfully removed.');
    await expect(message(page)).toBeFocused();
  });
});

test.describe("the List a user's TINs", () => {
  test('determine what that user can search', async ({ page, browser, create, baseURL }) => {
    const [a, b] = [await billedTin(), await billedTin()];
    const admin = await create({ typeCd: 'PRAD', ...ftins(a, b) });
    const user = await create({ typeCd: 'PRUS', grpInfoId: admin.grpInfoId, ...ftins(a) });
    await openAs(page, admin.userNm, '/wcpp/ManageUsers');
    await choose(page, user, 'Manage TINs');
    await expect(page.getByText(`(${user.userNm})`)).toBeVisible();
    await expect(check(page, a)).toBeChecked();
    await expect(check(page, b)).not.toBeChecked();

    await check(page, a).uncheck();
    await clickButton(page, 'SAVE');
    await expect(dialog(page)).toContainText('You cannot remove all TINs.');
    await clickButton(page, 'OK');

    // A reload preserves the user and drops unsaved changes.
    await page.reload();
    await expect(check(page, a)).toBeChecked();
    await clickButton(page, 'CANCEL');
    await expect(heading(page, 'Manage Users')).toBeFocused();

    await choose(page, user, 'Manage TINs');
    await check(page, a).uncheck();
    await page.getByLabel('Filter by Tax ID (TIN)').fill(b);
    await check(page, b).check();
    await clickButton(page, 'SAVE');
    await expect(page.getByText('The selected account was successfully updated.')).toBeVisible();
    await expect(page).toHaveURL(/\/wcpp\/ManageUsers$/);

    const context = await browser.newContext({ baseURL });
    const theirs = await context.newPage();
    await openAs(theirs, user.userNm, '/wcpp/billSearch');
    await find(theirs, b);
    await changeSearch(theirs);
    await theirs.getByRole('combobox', { name: 'Select up to 5 TINS' }).click();
    await expect(theirs.getByRole('option', { name: b })).toBeVisible();
    await expect(theirs.getByRole('option', { name: a })).toHaveCount(0);
    await context.close();
  });

  test('are all selected and locked for a provider administrator', async ({ page, office }) => {
    const other = await office.add('PRAD');
    await openAs(page, office.admin.userNm, '/wcpp/ManageUsers');
    await choose(page, other, 'Manage TINs');
    await expect(page.getByText("A provider administrator has all of the group's TINs.")).toBeVisible();
    await expect(check(page, office.tin)).toBeChecked();
    for (const control of [check(page, office.tin), page.getByRole('checkbox', { name: 'Select all rows' })])
      await expect(control).toBeDisabled();
    await expect(page.getByRole('button', { name: 'SAVE' })).toBeDisabled();
  });

  test('without a user redirect to the users', async ({ page, office }) => {
    await openAs(page, office.admin.userNm, '/wcpp/ManageTinsForUser');
    await expect(heading(page, 'Manage Users')).toBeVisible();
    await expect(page).toHaveURL(/\/wcpp\/ManageUsers$/);
  });

  test('open from User Search, which is restored', async ({ page, office }) => {
    const user = await office.add('PRUS');
    await openAs(page, accounts.IRAD, '/wcpp/UserSearch');
    await search(page, user);
    await choose(page, user, 'View TINs');
    await expect(heading(page, 'View TINs')).toBeFocused();
    await expect(tinRows(page).getByRole('cell')).toHaveText([office.tin]);
    await expect(page.getByRole('checkbox')).toHaveCount(0);
    await page.reload();
    await expect(tinRows(page)).toHaveCount(1);
    await clickButton(page, 'BACK');
    await expect(heading(page, 'User Search')).toBeVisible();
    await expect(page.getByLabel('Username', { exact: true })).toHaveValue(user.userNm);
    await expect(page.getByRole('cell', { name: user.userNm, exact: true })).toBeVisible();

    await page.goto('/wcpp/ViewTinsForUser');
    await expect(heading(page, 'User Search')).toBeVisible();
  });
});

test.describe('the TINs of a non-network user', () => {
  test('are added if they have bills outside the network, and can all be removed', async ({
    page,
    browser,
    create,
    baseURL,
  }) => {
    const [first, further, listed] = [await billedTin(), await billedTin(), await listedTin()];
    const user = await create({ typeCd: 'NNUS', ...ftins(first) });
    await openAs(page, accounts.ISAD, '/wcpp/UserSearch');
    await search(page, user);
    await choose(page, user, 'Manage TINs');
    await expect(page.getByText(`(${user.userNm})`)).toBeVisible();
    const remove = (tin: string) => page.getByRole('button', { name: `Delete ${tin}` });
    await expect(remove(first)).toBeDisabled();
    await expect(page.getByTitle('Cannot delete the last record')).toBeVisible();

    for (const [tin, text] of [
      ['', 'Error: Enter a Tax ID Number (TIN)'],
      ['12345678a', 'Error: Enter a valid Tax ID Number (TIN)'],
      ['12345678', 'Error: Enter a 9-digit Tax ID Number (TIN)'],
      [first, 'TIN already associated to the Non-Network User'],
      [
        listed,
        'Error: This TIN cannot be added because it is registered as In-network TIN.  Only non-network TINs are permitted for non-network user.',
      ],
      [
        newTin(),
        'Error: This TIN cannot be added because no bills exist in the system. Only TINs with existing bills can be associated with user account.',
      ],
    ] as const) {
      await add(page, { tin });
      await expect(message(page).getByRole('listitem')).toHaveText([text]);
    }
    await add(page, { tin: further });
    await expect(message(page)).toHaveText(`TIN ${further} has been successfully added to the user.`);
    await expect(tinRows(page).first()).toContainText(further);

    await remove(first).click();
    await expect(dialog(page)).toContainText('Are you sure you want to remove this TIN?');
    await clickButton(page, 'OK');
    await expect(message(page)).toHaveText(`The selected TIN ${first} has been successfully removed.`);
    await expect(message(page)).toBeFocused();
    await expect(remove(further)).toBeDisabled();

    const context = await browser.newContext({ baseURL });
    const theirs = await context.newPage();
    await openAs(theirs, user.userNm, '/wcpp/billSearch');
    await find(theirs, further);
    await context.close();

    await clickButton(page, 'Cancel');
    await expect(heading(page, 'User Search')).toBeVisible();
    await expect(page.getByLabel('Username', { exact: true })).toHaveValue(user.userNm);
  });

  test("aren't for provider accounts, nor without a user", async ({ page }) => {
    await openAs(page, accounts.PRUS, '/wcpp/ManageTINsforNNUS');
    await expect(page.getByText("You don't have access")).toBeVisible();
    await openAs(page, accounts.ISAD, '/wcpp/ManageTINsforNNUS');
    await expect(heading(page, 'User Search')).toBeVisible();
  });
});

test('every TIN screen fits a narrow window', async ({ page, office }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
  await openAs(page, office.admin.userNm, '/wcpp/ManageTins');
  await expect(tinRows(page)).toHaveCount(1);
  await clickButton(page, 'Add');
  await expect(message(page)).toBeVisible();
  expect(await fits()).toBe(true);

  await page.goto('/wcpp/ManageUsers');
  await choose(page, office.admin, 'Manage TINs');
  await expect(tinRows(page)).toHaveCount(1);
  expect(await fits()).toBe(true);
});

test('a message between two cards has equal distances', async ({ page }) => {
  await mockReply(page, '**/api/ftin/groupFtins/*/awaited', { status: 400 });
  await openAs(page, accounts.PRAD, '/wcpp/ManageTins');
  const note = page.getByText("Couldn't check for TINs pending review.");
  await expect(note).toBeVisible();
  const [above, below] = await note.evaluate((element) => {
    const text = document.createRange();
    text.selectNodeContents(element);
    const { top, bottom } = text.getBoundingClientRect();
    const edge = (neighbour: Element | null) => neighbour?.getBoundingClientRect();
    return [
      top - (edge(element.previousElementSibling)?.bottom ?? 0),
      (edge(element.nextElementSibling)?.top ?? 0) - bottom,
    ];
  });
  expect(above).toBeCloseTo(below ?? 0, 0);
});
