import { randomInt } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { findLink, readEmail } from './mail';
import { type Person, test } from './people';
import { accounts, expect, fillForm, getMenu, mirror, openAs, openSession, password } from './portal';
import { clickTwice, mockReply, restore } from './replies';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const message = (page: Page) => page.getByRole('group', { name: 'Message' });
const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const clickButton = (page: Page, name: string) => button(page, name).click();
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const getBody = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody');
const groups = (page: Page) => getBody(page, 'Portal User Groups').getByRole('row');
const rows = (page: Page) => getBody(page, 'Roster Hub Sources').getByRole('row');
const hub = (page: Page) => field(page, 'Provider Hub Provider Group ID *');
const source = (page: Page) => field(page, 'Roster Hub Source Name *');

const added = (name: string) => `Roster Hub Source "${name}" was successfully added to this group.`;
const removed = (name: string) => `Roster Hub Source "${name}" was successfully removed from this group.`;
const formatDuplicateError = (name: string) =>
  `Error: The Roster Hub Source "${name}" is already associated with this Portal User Group.`;
const names = {
  cuyahoga: 'Cuyahoga Credentialing Exchange',
  lakes: 'Great Lakes Provider Hub',
  lone: 'Lone Star Delegated Network',
  magnolia: 'Magnolia Health Delegates',
  prairie: 'Prairie Credentialing Service',
  tidewater: 'Tidewater Physician Registry',
};

const manageGroups = (page: Page, userName = accounts.ISAD) => openAs(page, userName, '/wcpp/ManageGroups');

async function search(page: Page, label: string, typed: string) {
  await field(page, label).fill(typed);
  await clickButton(page, 'SEARCH');
}

/** Searches by ID, as an administrator does. */
async function toSources(page: Page, groupId: number | null) {
  await search(page, 'Portal User Group ID', String(groupId));
  await clickButton(page, `Actions for group ${groupId}`);
  await page.getByRole('menuitem', { name: 'Manage Roster Hub Sources' }).click();
  await expect(heading(page, `Manage Roster Hub Sources For User Group ${groupId}`)).toBeVisible();
}

async function addByName(page: Page, name: string) {
  await source(page).fill(name.slice(0, 6).toLowerCase());
  await page.getByRole('option', { name }).click();
  await clickButton(page, 'ADD');
}

async function addByGroup(page: Page, typed: string) {
  await hub(page).fill(typed);
  await clickButton(page, 'ADD');
}

/** Removes a group's existing source, which needs a confirmation. */
async function removeHeld(page: Page, name: string) {
  await clickButton(page, `Remove ${name}`);
  await expect(dialog(page)).toContainText(`Remove ${name} from group`);
  await clickButton(page, 'REMOVE');
}

/** A roster group for one test. */
const rosterGroup = (create: (part: Record<string, unknown>, registered?: boolean) => Promise<Person>) =>
  create({ typeCd: 'ROAD' }, false);

/** A second administrator on another computer. */
async function openElsewhere(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({ baseURL });
  return context.newPage();
}

test.describe('groups are found', () => {
  test('by each criterion, one at a time', async ({ page, create, office }) => {
    const person = await rosterGroup(create);
    await manageGroups(page);
    const first = groups(page).first();
    await search(page, 'Portal User Group ID', '1010');
    await expect(groups(page)).toHaveCount(1);
    await expect(first).toContainText('1010');
    await expect(first).toContainText('Roster Group');
    for (const closed of ['Tax ID Number (TIN)', 'Roster Hub Source', 'Provider Hub Provider Group ID'])
      await expect(field(page, closed)).toBeDisabled();

    await clickButton(page, 'RESET');
    await search(page, 'Tax ID Number (TIN)', office.tin);
    await expect(first).toContainText(`${office.admin.grpInfoId}LakesideProvider Group`);
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await expect(page.getByRole('menuitem')).toHaveText(['View Users']);
    await page.keyboard.press('Escape');

    await clickButton(page, 'RESET');
    await field(page, 'Roster Hub Source').fill('lone star');
    await page.getByRole('option', { name: names.lone }).click();
    await expect(field(page, 'Portal User Group ID')).toBeDisabled();
    await clickButton(page, 'SEARCH');
    await expect(groups(page).filter({ hasText: '1011' })).toHaveCount(1);

    await clickButton(page, 'RESET');
    await search(page, 'Provider Hub Provider Group ID', 'g2011');
    await expect(groups(page).filter({ hasText: '1010' })).toHaveCount(1);

    await clickButton(page, 'RESET');
    await clickButton(page, 'More Options');
    await search(page, 'Username', person.userNm);
    await expect(groups(page)).toHaveCount(1);
    await expect(first).toContainText(String(person.grpInfoId));

    await clickButton(page, 'RESET');
    await search(page, 'Email Address/Domain', person.emailAddr.toUpperCase());
    await expect(first).toContainText(String(person.grpInfoId));
    await clickButton(page, 'RESET');
    await search(page, 'Email Address/Domain', 'example.com');
    await expect(page.getByText(/^1-10 of /)).toBeVisible();
    await expect(page.getByRole('columnheader', { name: 'Portal User Group ID' })).toHaveAttribute(
      'aria-sort',
      'ascending',
    );
  });

  test('or not, and a search without a criterion sends no request', async ({ page }) => {
    await manageGroups(page);
    await clickButton(page, 'SEARCH');
    await expect(message(page)).toContainText(
      'An error has occurred. Please address all fields marked with "Error".',
    );
    await message(page).getByRole('link', { name: 'Error: Enter at least one search criteria' }).click();
    await expect(field(page, 'Portal User Group ID')).toBeFocused();
    await search(page, 'Portal User Group ID', '99999999999999');
    await expect(page.getByText(/^There are no groups available for the criteria entered/)).toBeVisible();
    await expect(page.getByText('No results found. Please try a different search.')).toBeVisible();

    await mockReply(page, '**/api/admin/groupList', { status: 400 });
    await clickButton(page, 'SEARCH');
    await expect(page.getByText(/^Error: There was an error retrieving data/)).toBeVisible();
    await restore(page, '**/api/admin/groupList');
    await clickButton(page, 'Try again');
    await expect(page.getByText('No results found. Please try a different search.')).toBeVisible();
  });

  test('again after CANCEL, Back and Reload', async ({ page }) => {
    await manageGroups(page);
    await clickButton(page, 'More Options');
    await search(page, 'Username', accounts.ROAD);
    await clickButton(page, 'Actions for group 1010');
    await page.getByRole('menuitem', { name: 'Manage Roster Hub Sources' }).click();
    await expect(rows(page)).toHaveCount(2);
    await clickButton(page, 'CANCEL');
    await expect(heading(page, 'Manage Portal User Groups')).toBeFocused();
    const found = async () => {
      await expect(field(page, 'Username')).toHaveValue(accounts.ROAD);
      await expect(groups(page)).toHaveCount(1);
    };
    await found();
    await page.reload();
    await found();
    await page.goBack();
    await expect(heading(page, 'Manage Roster Hub Sources For User Group 1010')).toBeVisible();
    await page.goBack();
    await found();
    expect(page.url()).not.toContain('road');
  });
});

test.describe('the sources of a group', () => {
  test('are added and removed immediately, by name and by provider group', async ({ page, create }) => {
    const { grpInfoId } = await rosterGroup(create);
    await manageGroups(page);
    await toSources(page, grpInfoId);
    await expect(page.getByText('No groups have been added yet.')).toBeVisible();
    await expect(button(page, 'ADD')).toBeDisabled();
    await addByName(page, names.magnolia);
    await expect(message(page)).toHaveText(added(names.magnolia));
    await addByGroup(page, '20301');
    await expect(message(page)).toHaveText(added(names.lone));
    await addByGroup(page, 'g2060');
    await expect(message(page)).toHaveText(added(names.prairie));
    await expect(rows(page)).toHaveCount(3);
    await addByGroup(page, '20302');
    await expect(message(page)).toHaveText(formatDuplicateError(names.lone));
    await addByGroup(page, '4711');
    await expect(message(page)).toHaveText(
      'Error: Roster Hub Source not found for the Provider Hub Provider Group ID entered.',
    );
    await removeHeld(page, names.lone);
    await expect(message(page)).toHaveText(removed(names.lone));
    await page.reload();
    await expect(rows(page)).toHaveCount(2);
    await expect(rows(page).filter({ hasText: names.prairie })).toHaveCount(1);
    await clickButton(page, 'CANCEL');
    await clickButton(page, 'RESET');
    await field(page, 'Roster Hub Source').fill('prairie');
    await page.getByRole('option', { name: names.prairie }).click();
    await clickButton(page, 'SEARCH');
    await expect(groups(page).filter({ hasText: String(grpInfoId) })).toHaveCount(1);
  });

  test('are changed by two administrators at once, and both see the result', async ({
    page,
    create,
    browser,
    baseURL,
  }) => {
    const { grpInfoId } = await rosterGroup(create);
    const other = await openElsewhere(browser, baseURL);
    for (const each of [page, other]) {
      await manageGroups(each);
      await toSources(each, grpInfoId);
    }
    await addByName(page, names.magnolia);
    await expect(message(page)).toHaveText(added(names.magnolia));
    // The other page doesn't show it yet, but the server has it.
    await addByName(other, names.magnolia);
    await expect(message(other)).toHaveText(formatDuplicateError(names.magnolia));
    await expect(rows(other)).toHaveCount(1);
    await removeHeld(page, names.magnolia);
    await expect(message(page)).toHaveText(removed(names.magnolia));
    await removeHeld(other, names.magnolia);
    await expect(message(other)).toHaveText(removed(names.magnolia));
    await expect(rows(other)).toHaveCount(0);
    await other.context().close();
  });

  test('are added and removed once on a double click', async ({ page, create }) => {
    const { grpInfoId } = await rosterGroup(create);
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/roster/user/group/')) calls.push(request.url());
    });
    await manageGroups(page);
    await toSources(page, grpInfoId);
    for (const name of [names.cuyahoga, names.magnolia]) {
      await source(page).fill(name);
      await page.getByRole('option', { name }).click();
      await clickTwice(button(page, 'ADD'), '**/api/roster/user/group/**');
      await expect(message(page)).toHaveText(added(name));
    }
    await button(page, `Remove ${names.cuyahoga}`).dblclick();
    await clickTwice(button(page, 'REMOVE'), '**/api/roster/user/group/**');
    await expect(message(page)).toHaveText(removed(names.cuyahoga));
    await expect(rows(page)).toHaveCount(1);
    expect(calls).toHaveLength(3);
  });

  test('show their provider groups in a dialog, worked by keyboard', async ({ page }) => {
    await manageGroups(page);
    await toSources(page, 1010);
    const view = button(page, `View Provider Hub Provider Groups of ${names.lakes}`);
    const title = `Provider Hub Provider Groups of Roster Hub Source ${names.lakes}`;
    const listed = getBody(page, 'Provider Hub Provider Groups').getByRole('row');
    await view.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: title })).toBeVisible();
    await expect(listed).toHaveCount(5);
    await expect(listed.first()).toContainText('G2020');
    await dialog(page).getByRole('button', { name: 'Next' }).last().click();
    await expect(listed).toHaveCount(2);
    await dialog(page).getByLabel('Filter by Admin Group Flag').selectOption('Yes');
    await expect(listed).toHaveCount(1);
    await dialog(page).getByLabel('Filter by Provider Group Name').fill('nothing is called so');
    await expect(page.getByText('No matching results found. Try adjusting your filters.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
    await expect(view).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(listed).toHaveCount(5);
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    await expect(dialog(page)).toHaveCount(0);
  });

  test('show what failed', async ({ page, create }) => {
    const { grpInfoId } = await rosterGroup(create);
    const fail = (path: string, status = 400) =>
      mockReply(page, `**/api/roster/${path}`, { status, json: {} });
    await manageGroups(page);
    await fail('sources');
    await search(page, 'Portal User Group ID', String(grpInfoId));
    await clickButton(page, `Actions for group ${grpInfoId}`);
    await page.getByRole('menuitem', { name: 'Manage Roster Hub Sources' }).click();
    await expect(page.getByText(/^Error: Unable to retrieve roster sources/)).toBeVisible();
    await restore(page, '**/api/roster/sources');
    await clickButton(page, 'Try again');
    await expect(page.getByText('No groups have been added yet.')).toBeVisible();
    await fail('sourceGroups');
    await page.reload();
    await expect(page.getByText(/^Error: Unable to retrieve roster data/)).toBeVisible();
    await restore(page, '**/api/roster/sourceGroups');
    await page.reload();

    await fail('user/group/addSource?*', 500);
    await addByName(page, names.tidewater);
    await expect(message(page)).toHaveText('Error: Failed adding source to group. Please try again later.');
    await restore(page, '**/api/roster/user/group/addSource?*');
    await clickButton(page, 'ADD');
    await expect(message(page)).toHaveText(added(names.tidewater));
    await fail('user/group/removeSource?*', 500);
    await removeHeld(page, names.tidewater);
    await expect(message(page)).toHaveText(
      'Error: Failed removing source from group. Please try again later.',
    );
    await expect(rows(page)).toHaveCount(1);
  });

  test('are changed by keyboard in a narrow window', async ({ page, create }) => {
    const { grpInfoId } = await rosterGroup(create);
    await page.setViewportSize({ width: 360, height: 780 });
    await manageGroups(page);
    await field(page, 'Portal User Group ID').focus();
    await page.keyboard.type(String(grpInfoId));
    await page.keyboard.press('Enter');
    await button(page, `Actions for group ${grpInfoId}`).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(heading(page, `Manage Roster Hub Sources For User Group ${grpInfoId}`)).toBeFocused();
    await expect(source(page)).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(source(page)).toBeFocused();
    await page.keyboard.type('magn');
    await page.keyboard.press('Enter');
    await expect(source(page)).toHaveValue(`${names.magnolia} (204)`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(button(page, 'ADD')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(message(page)).toHaveText(added(names.magnolia));
    await expect(message(page)).toBeFocused();
    await hub(page).focus();
    await page.keyboard.press('Enter');
    await expect(message(page)).toHaveText(
      'Please select a Roster Hub Source Name or enter a Provider Hub Provider Group ID',
    );
    await hub(page).focus();
    await page.keyboard.type('20301');
    await page.keyboard.press('Enter');
    await expect(message(page)).toHaveText(added(names.lone));
    // Visible, whatever part of the table isn't.
    const { x = 360, width: wide = 0 } = (await button(page, `Remove ${names.lone}`).boundingBox()) ?? {};
    expect(x + wide).toBeLessThanOrEqual(360);
    await button(page, `Remove ${names.lone}`).focus();
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByRole('button', { name: 'CANCEL' })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(message(page)).toHaveText(removed(names.lone));
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(360);
  });
});

test.describe('account types', () => {
  test('a read-only administrator changes nothing', async ({ page }) => {
    await manageGroups(page, accounts.IRAD);
    await toSources(page, 1010);
    await expect(page.getByText(/^Your account can view roster hub sources/)).toBeVisible();
    for (const name of ['ADD', 'RESET', `Remove ${names.lakes}`])
      await expect(button(page, name)).toBeDisabled();
    await clickButton(page, `View Provider Hub Provider Groups of ${names.lakes}`);
    await expect(dialog(page)).toBeVisible();
  });

  for (const type of ['PRAD', 'PRUS', 'NNUS', 'ROAD', 'ROUS'] as const)
    test(`${type} can't search groups`, async ({ page }) => {
      await manageGroups(page, accounts[type]);
      await expect(page.getByText("You don't have access")).toBeVisible();
    });

  test('a group administrator who opens the address can change nothing', async ({ page }) => {
    await openAs(page, accounts.PRAD, '/wcpp/ManageRosterSourcesForUserGroup');
    await expect(heading(page, 'Add User')).toBeVisible();
    await expect(page.getByText(/^Your account can view roster hub sources/)).toBeVisible();
    await clickButton(page, 'CANCEL');
    await expect(page).toHaveURL(/\/wcpp\/home$/);
  });

  test('a user who mirrors changes nothing', async ({ page }) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRAD);
    await page.goto('/wcpp/ManageRosterSourcesForUserGroup');
    await expect(page.getByText("You can't change roster hub sources while mirroring.")).toBeVisible();
    await expect(source(page)).toBeDisabled();
  });
});

const makeSomeone = () => {
  const last = `Y${Array.from({ length: 9 }, () => String.fromCharCode(97 + randomInt(26))).join('')}`;
  return { last, email: `${last.toLowerCase()}@example.com` };
};

async function typeRosterAdmin(page: Page, { last, email }: ReturnType<typeof makeSomeone>) {
  await openAs(page, accounts.ISAD, '/wcpp/AddUser');
  await page.getByLabel('Account Type').selectOption('Roster Admin');
  for (const [label, value] of [
    ['First Name', 'Ada'],
    ['Last Name', last],
    ['Phone Number', '(216) 555-0100'],
    ['Email Address', email],
    ['Job Title', 'Roster Lead'],
    ['Company Name', 'Lakeside'],
  ] as const)
    await page.getByLabel(label).fill(value);
  await clickButton(page, 'NEXT');
  await expect(page).toHaveURL(/\/wcpp\/ManageRosterSourcesForUserGroup$/);
}

async function continueDraft(page: Page, email: string) {
  await getMenu(page).getByRole('link', { name: 'User Search' }).click();
  await search(page, 'Email Address', email);
  await page.getByRole('button', { name: /^Actions for Ada/ }).click();
  await page.getByRole('menuitem', { name: 'Continue Registration' }).click();
}

test.describe('a roster administrator with a new group', () => {
  test('goes through all steps: sources, draft, continued, completed, first sign-in', async ({ page }) => {
    const ada = makeSomeone();
    await typeRosterAdmin(page, ada);
    await clickButton(page, 'SAVE AS DRAFT');
    await expect(message(page)).toHaveText('You must add at least one roster source before saving as draft');
    await addByName(page, names.prairie);
    await addByGroup(page, '20301');
    await expect(rows(page)).toHaveCount(2);
    await page.reload();
    await expect(rows(page)).toHaveCount(2);
    // There and back with all input and selections.
    await clickButton(page, 'Back to add user');
    await expect(page.getByLabel('Job Title')).toHaveValue('Roster Lead');
    await clickButton(page, 'NEXT');
    await expect(rows(page)).toHaveCount(2);
    await clickTwice(button(page, 'SAVE AS DRAFT'), '**/api/users/saveDraftUser');
    await expect(message(page)).toHaveText('User has been successfully saved!');
    await clickButton(page, 'SAVE AS DRAFT');
    await expect(message(page)).toHaveText('User has been successfully saved!');

    await continueDraft(page, ada.email);
    await expect(page.getByLabel('Job Title')).toHaveValue('Roster Lead');
    await clickButton(page, 'NEXT');
    await expect(rows(page)).toHaveCount(2);
    await clickButton(page, `Remove ${names.lone}`);
    await addByName(page, names.magnolia);
    await clickTwice(button(page, 'COMPLETE PROFILE'), '**/api/users/**');
    await expect(page.getByText('User has been successfully saved!')).toBeVisible();
    await expect(page).toHaveURL(/\/wcpp\/ManageUsers$/);
    await expect(page.getByRole('cell', { name: ada.email })).toHaveCount(1);

    const mail = await readEmail(ada.email, 'Finish setting up your account');
    const link = new URL(findLink(mail));
    await page.context().clearCookies();
    await page.goto(link.pathname + link.search);
    await page.getByLabel(/^New Password/).fill(password);
    await page.getByLabel('Confirm New Password').fill(password);
    await clickButton(page, 'Submit');
    await page.waitForURL('**/sso/sign-in');
    await fillForm(page, /Username: +(\S+)/i.exec(mail)?.[1] ?? '');
    await expect(page.getByRole('link', { name: 'Sign Out' })).toBeVisible();
    const sourceGroups = page.waitForResponse('**/api/roster/sourceGroup/*');
    await getMenu(page).getByRole('link', { name: 'Manage Rosters' }).click();
    await clickButton(page, 'UPLOAD...');
    const answered: { grpName: string }[] = await (await sourceGroups).json();
    expect(answered.map(({ grpName }) => grpName).sort()).toEqual([
      'Bayou Orthopedics',
      'Delta Family Medicine',
      'Peoria Sports Medicine',
    ]);
  });

  test('is one draft, with Back, Forward and Reload', async ({ page }) => {
    const ada = makeSomeone();
    const draft = page.getByText(`Draft of Ada ${ada.last}`);
    const save = async () => {
      await clickButton(page, 'SAVE AS DRAFT');
      await expect(message(page)).toHaveText('User has been successfully saved!');
    };
    await typeRosterAdmin(page, ada);
    await addByName(page, names.prairie);
    await save();
    // The form's entry, older than the draft, continues it. The sources' entry does too, because
    // it was saved later.
    await page.goBack();
    await expect(draft).toBeVisible();
    await page.getByLabel('Job Title').fill('Roster Clerk');
    await save();
    await page.goForward();
    await expect(rows(page)).toHaveCount(1);
    await addByName(page, names.magnolia);
    await save();
    await page.reload();
    await expect(rows(page)).toHaveCount(2);
    await page.goBack();
    await expect(draft).toBeVisible();
    await page.reload();
    await expect(draft).toBeVisible();
    await expect(page.getByLabel('Job Title')).toHaveValue('Roster Clerk');
    await clickButton(page, 'NEXT');
    await expect(rows(page)).toHaveCount(2);
    await clickButton(page, 'Back to add user');
    await expect(draft).toBeVisible();
    await save();
    // Each history entry on the way back.
    await page.goBack();
    await expect(rows(page)).toHaveCount(2);
    await page.goBack();
    await expect(draft).toBeVisible();
    await save();

    await clickButton(page, 'NEXT');
    await clickButton(page, 'COMPLETE PROFILE');
    await expect(page).toHaveURL(/\/wcpp\/ManageUsers$/);
    await expect(page.getByRole('cell', { name: ada.email })).toHaveCount(1);
    // The user has been created, so the form is empty.
    await page.goBack();
    await expect(page.getByText(`Ada ${ada.last} was added.`)).toBeVisible();
    await expect(page.getByLabel('Account Type')).toHaveValue('');
  });

  test("is completed immediately, and User Search links to the group's sources", async ({ page, isad }) => {
    const ada = makeSomeone();
    await typeRosterAdmin(page, ada);
    await addByName(page, names.prairie);
    await clickButton(page, 'COMPLETE PROFILE');
    await expect(page).toHaveURL(/\/wcpp\/ManageUsers$/);
    const mail = await readEmail(ada.email, 'Finish setting up your account');
    const token = new URL(findLink(mail)).searchParams.get('token');
    const data = { token, newPassword: password };
    expect((await isad.request.post('/api/public/registration/complete', { data })).status()).toBe(200);

    await getMenu(page).getByRole('link', { name: 'User Search' }).click();
    await search(page, 'Email Address', ada.email);
    await page.getByRole('button', { name: /^Actions for Ada/ }).click();
    await page.getByRole('menuitem', { name: 'Manage Roster Hub Sources' }).click();
    await expect(rows(page)).toHaveCount(1);
    await addByName(page, names.tidewater);
    await expect(message(page)).toHaveText(added(names.tidewater));
    await clickButton(page, 'CANCEL');
    await expect(page).toHaveURL(/\/wcpp\/UserSearch$/);
    await expect(page.getByRole('cell', { name: ada.email })).toBeVisible();
  });

  test("isn't saved twice, and a failed save shows why and preserves everything", async ({
    page,
    create,
  }) => {
    const ada = makeSomeone();
    await typeRosterAdmin(page, ada);
    await addByName(page, names.prairie);
    await mockReply(page, '**/api/users/saveDraftUser', 'lost');
    await clickButton(page, 'COMPLETE PROFILE');
    await expect(message(page)).toHaveText(/^Error: An error occurred while saving the draft user\./);
    await restore(page, '**/api/users/saveDraftUser');
    await clickButton(page, 'RESET');
    await expect(page.getByText('No groups have been added yet.')).toBeVisible();
    await page.reload();
    await expect(page.getByText('No groups have been added yet.')).toBeVisible();

    // Another user takes the address in the meantime.
    await create({ typeCd: 'IRAD', employeeId: 'E-1', emailAddr: ada.email }, false);
    await addByName(page, names.prairie);
    await clickButton(page, 'COMPLETE PROFILE');
    await expect(message(page)).toContainText(/^Error: An unexpected error occurred\./);
    await expect(message(page)).toContainText('Error: The Email Address is associated to another account');
    await expect(page).toHaveURL(/\/wcpp\/ManageRosterSourcesForUserGroup$/);
  });
});
