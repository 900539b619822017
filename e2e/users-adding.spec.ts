import { randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import { findLink, readEmail } from './mail';
import { type Person, register, requestAccount, test } from './people';
import {
  accounts,
  expect,
  fillForm,
  getMenu,
  getPortalData,
  mirror,
  openAs,
  openSession,
  password,
} from './portal';
import { clickTwice } from './replies';
import { importFile, startPortal } from './start';

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const message = (page: Page) => page.getByRole('group', { name: 'Message' });
const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const clickButton = (page: Page, name: string) => button(page, name).click();
const cell = (page: Page, name: string) => page.getByRole('cell', { name, exact: true });
const type = (page: Page) => page.getByLabel('Account Type');
const check = (page: Page, tin: string) => page.getByRole('checkbox', { name: `Select ${tin}` });
const tinField = (page: Page) => page.getByLabel('Tax ID Number (TIN)');
const created = (page: Page) => expect(page.getByText('User has been successfully created!')).toBeVisible();
const saved = (page: Page) => expect(message(page)).toHaveText('User has been successfully saved!');

const newTin = () => `95${randomInt(1_000_000, 9_999_999)}`;
const makeSomeone = () => {
  const last = `Z${Array.from({ length: 9 }, () => String.fromCharCode(97 + randomInt(26))).join('')}`;
  return { first: 'Ada', last, email: `${last.toLowerCase()}@example.com` };
};
type NewPerson = ReturnType<typeof makeSomeone>;

/** A TIN in the directory, or one that only has a bill. */
async function listedTin(data = getPortalData()) {
  const tin = newTin();
  const row = `${tin.slice(1)},${tin},P,Grace,Hopper\n`;
  await importFile(data, 'providers', `provider_id,tin,type,first_name,last_name\n${row}`);
  return tin;
}
async function billedTin(data = getPortalData()) {
  const tin = newTin();
  const row = `${tin},B${tin},Ada,Lovelace,2026-01-05,100\n`;
  const head = 'tin,bill_control_number,patient_first_name,patient_last_name,begin_service_date,charges\n';
  await importFile(data, 'bills', head + row);
  return tin;
}

async function fillPerson(page: Page, label: string, { first, last, email }: NewPerson) {
  await type(page).selectOption(label);
  await page.getByLabel('First Name').fill(first);
  await page.getByLabel('Last Name').fill(last);
  await page.getByLabel('Phone Number').fill('(216) 555-0100');
  await page.getByLabel('Email Address').fill(email);
}

async function fillWork(page: Page, affiliation = 'Provider or facility employee') {
  if (affiliation) await page.getByLabel('Affiliation').selectOption(affiliation);
  await page.getByLabel('Job Title').fill('Biller');
  await page.getByLabel('Company Name').fill('Lakeside');
}

const addUser = (page: Page, userName = accounts.ISAD) => openAs(page, userName, '/wcpp/AddUser');

/** Follows the email's link up to the first page after sign-in, as a new user does. */
async function firstSignIn(page: Page, { email }: NewPerson, url = '') {
  const mail = await readEmail(email, 'Finish setting up your account');
  const userName = /Username: +(\S+)/i.exec(mail)?.[1] ?? '';
  await page.context().clearCookies();
  await page.goto(url + new URL(findLink(mail)).pathname + new URL(findLink(mail)).search);
  await page.getByLabel(/^New Password/).fill(password);
  await page.getByLabel('Confirm New Password').fill(password);
  await clickButton(page, 'Submit');
  await page.waitForURL('**/sso/sign-in');
  await fillForm(page, userName);
  await expect(page.getByRole('link', { name: 'Sign Out' })).toBeVisible();
}

const makePerson = ({ email }: NewPerson) => ({ emailAddr: email }) as Person;

test.describe('Add User creates', () => {
  test('a provider admin with a new group and a TIN found by lookup', async ({ page }) => {
    const [ada, tin] = [makeSomeone(), await listedTin()];
    await addUser(page);
    await fillPerson(page, 'Provider Admin', ada);
    await fillWork(page, 'Other');
    await page.getByLabel('Other Description').fill('Lawyer');
    await clickButton(page, 'Add TIN Provider');
    await dialog(page).getByLabel('Tax ID Number (TIN)').fill(tin);
    await dialog(page).getByLabel('Last Name').fill('hop');
    await dialog(page).getByLabel('Last Name').press('Enter');
    await dialog(page).getByRole('checkbox', { name: 'Select Hopper, Grace' }).check();
    await clickButton(page, 'Add');
    await expect(page.getByRole('table', { name: 'Added TINs' })).toContainText('Hopper, Grace');
    await clickButton(page, 'CREATE USER');
    await created(page);
    await expect(page).toHaveURL(/\/wcpp\/ManageUsers$/);
    // The list shows the new group and highlights the user.
    await expect(page.getByText(/^Users in group \d+, Lakeside /)).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: ada.email })).toContainText('Just added');
    await expect(page.getByRole('link', { name: 'Back to User Search' })).toBeVisible();
    await firstSignIn(page, ada);
    await getMenu(page).getByRole('link', { name: 'Manage TINs' }).click();
    await expect(cell(page, tin)).toBeVisible();
  });

  test('a provider user with some of the Group TINs', async ({ page, office }) => {
    const ada = makeSomeone();
    await addUser(page);
    await fillPerson(page, 'Provider User', ada);
    await fillWork(page);
    await page.getByLabel('Group ID').fill(String(office.admin.grpInfoId));
    await clickButton(page, 'CREATE USER');
    await expect(message(page)).toContainText('Error: Select TIN');
    await check(page, office.tin).check();
    await clickButton(page, 'CREATE USER');
    await created(page);
    await firstSignIn(page, ada);
    await page.goto('/wcpp/billSearch');
    await expect(page.getByText(office.tin).first()).toBeVisible();
  });

  test('a non-network user, with all TINs accepted', async ({ page }) => {
    const [ada, billed, second, listed] = [
      makeSomeone(),
      await billedTin(),
      await billedTin(),
      await listedTin(),
    ];
    const add = async (tin: string) => {
      await tinField(page).fill(tin);
      await clickButton(page, 'ADD');
    };
    await addUser(page);
    await fillPerson(page, 'Non-Network User', ada);
    await fillWork(page);
    await add(listed);
    await expect(page.getByText(/^Error: This TIN cannot be added because it is registered/)).toBeVisible();
    await add(newTin());
    await expect(page.getByText(/^Error: This TIN cannot be added because no bills exist/)).toBeVisible();
    await add(billed);
    await expect(cell(page, billed)).toBeVisible();
    await add(billed);
    await expect(page.getByText('You already added this TIN')).toBeVisible();
    await tinField(page).fill(second);
    await tinField(page).press('Enter');
    await expect(cell(page, second)).toBeVisible();
    await clickButton(page, `Remove ${second}`);
    await expect(cell(page, second)).toHaveCount(0);
    await clickButton(page, 'CREATE USER');
    await created(page);
    await firstSignIn(page, ada);
    await page.goto('/wcpp/billSearch');
    await expect(page.getByText(billed).first()).toBeVisible();
    await expect(page.getByText(second)).toHaveCount(0);
  });

  for (const label of ['Internal Read-Only Admin', 'Internal System Admin'])
    test(`an ${label}`, async ({ page }) => {
      const ada = makeSomeone();
      await addUser(page);
      await fillPerson(page, label, ada);
      await clickButton(page, 'CREATE USER');
      await expect(message(page)).toContainText(/Error: Enter a valid .*Employee ID/);
      await page.getByLabel('Employee ID').fill('E-77');
      await clickButton(page, 'CREATE USER');
      await created(page);
      await firstSignIn(page, ada);
      await expect(getMenu(page).getByRole('link', { name: 'User Search' })).toBeVisible();
    });

  for (const label of ['Roster Admin', 'Roster User'])
    test(`a ${label} in an existing group`, async ({ page, create }) => {
      const [ada, { grpInfoId }] = [makeSomeone(), await create({ typeCd: 'ROAD' }, false)];
      await addUser(page);
      await fillPerson(page, label, ada);
      await expect(button(page, 'CREATE USER')).toBeDisabled();
      if (label === 'Roster Admin') await page.getByLabel('Existing').check();
      await fillWork(page, '');
      await page.getByLabel('Group ID').fill('9999999');
      await clickButton(page, 'COMPLETE PROFILE');
      await expect(message(page)).toContainText('Error: Enter a valid group Id');
      await page.getByLabel('Group ID').fill(String(grpInfoId));
      await clickButton(page, 'COMPLETE PROFILE');
      await created(page);
      await firstSignIn(page, ada);
      await expect(getMenu(page).getByRole('link', { name: 'Manage Rosters' })).toBeVisible();
    });

  test('one user on a double click, and none with a taken email', async ({ page }) => {
    const ada = makeSomeone();
    let calls = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/users/createUser')) calls++;
    });
    await addUser(page);
    for (const again of [false, true]) {
      if (again) await page.goto('/wcpp/AddUser');
      await fillPerson(page, 'Internal Read-Only Admin', ada);
      await page.getByLabel('Employee ID').fill('E-78');
      await clickTwice(button(page, 'CREATE USER'), '**/api/users/createUser');
      if (!again) await created(page);
    }
    await expect(message(page).getByRole('link')).toHaveText(
      'Error: The Email Address is associated to another account',
    );
    await message(page).getByRole('link').click();
    await expect(page.getByLabel('Email Address')).toBeFocused();
    await expect(page.getByLabel('First Name')).toHaveValue('Ada');
    expect(calls).toBe(2);
  });

  test("no user with the organization's own TIN", async ({ page }) => {
    const portal = await startPortal(['demo', '--bills', '10'], { WCPP_RESTRICTED_TINS: '950000001' });
    try {
      const { data, url } = portal;
      const row = '5000001,950000001,P,Grace,Hopper\n';
      await importFile(data, 'providers', `provider_id,tin,type,first_name,last_name\n${row}`);
      await page.request.post(`${url}/api/authenticate`, { data: { username: accounts.ISAD, password } });
      await page.goto(`${url}/wcpp/AddUser`);
      await fillPerson(page, 'Non-Network User', makeSomeone());
      await tinField(page).fill('950000001');
      await clickButton(page, 'ADD');
      await expect(page.getByText(/^Error: Adding a TIN owned by our organization/)).toBeVisible();

      await type(page).selectOption('Provider Admin');
      await fillWork(page);
      await clickButton(page, 'Add TIN Provider');
      await dialog(page).getByLabel('Tax ID Number (TIN)').fill('950000001');
      await dialog(page).getByRole('button', { name: 'Search' }).click();
      await dialog(page).getByRole('checkbox').check();
      await clickButton(page, 'Add');
      await clickButton(page, 'CREATE USER');
      await expect(message(page)).toContainText(/Adding a TIN owned by our organization .* resubmit\.\.$/);
    } finally {
      await portal.stop();
    }
  });
});

test.describe('a draft', () => {
  test('is saved once, continued from User Search, and completed', async ({ page, create }) => {
    const [ada, { grpInfoId }] = [makeSomeone(), await create({ typeCd: 'ROAD' }, false)];
    await addUser(page);
    await fillPerson(page, 'Roster User', ada);
    await fillWork(page, '');
    await page.getByLabel('Group ID').fill(String(grpInfoId));
    await clickButton(page, 'SAVE AS DRAFT');
    await saved(page);
    await page.getByLabel('Job Title').fill('Roster Clerk');
    await clickButton(page, 'SAVE AS DRAFT');
    await saved(page);
    await page.reload();
    await expect(page.getByLabel('Job Title')).toHaveValue('Roster Clerk');
    await clickButton(page, 'CANCEL');
    await expect(page).toHaveURL(/\/wcpp\/ManageUsers$/);

    await getMenu(page).getByRole('link', { name: 'User Search' }).click();
    await page.getByLabel('Email Address', { exact: true }).fill(ada.email);
    await clickButton(page, 'SEARCH');
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Continue Registration' }).click();
    await expect(page.getByLabel('Job Title')).toHaveValue('Roster Clerk');
    // Add User in the menu starts with another user.
    await getMenu(page).getByRole('link', { name: 'Add User' }).click();
    await expect(type(page)).toHaveValue('');
    await page.goBack();
    await expect(page.getByLabel('Job Title')).toHaveValue('Roster Clerk');
    await clickButton(page, 'COMPLETE PROFILE');
    await created(page);
    await firstSignIn(page, ada);
  });

  test('of a new group continues with its sources, and Back restores the input', async ({ page }) => {
    await addUser(page);
    await fillPerson(page, 'Roster Admin', makeSomeone());
    await clickButton(page, 'NEXT');
    await expect(message(page)).toContainText('Error: Enter a valid Job Title');
    await fillWork(page, '');
    await clickButton(page, 'NEXT');
    await expect(page).toHaveURL(/\/wcpp\/ManageRosterSourcesForUserGroup$/);
    await page.goBack();
    await expect(page.getByLabel('First Name')).toHaveValue('Ada');
    await expect(page.getByLabel('New')).toBeChecked();
    await page.reload();
    await expect(page.getByLabel('Company Name')).toHaveValue('Lakeside');
    await clickButton(page, 'RESET');
    await expect(page.getByLabel('First Name')).toHaveCount(0);
    await page.reload();
    await expect(type(page)).toHaveValue('');
  });
});

test('an account request goes from its email to the user, and is handled once', async ({ page, office }) => {
  const { email } = makeSomeone();
  await requestAccount(page.request, email, 'Paula', 'Reyes', office.tin);
  const link = findLink(await readEmail('support@portal.example', 'New account request', { words: email }));

  // The user must sign in first.
  await page.goto(link);
  await expect(page).toHaveURL(/\/wcpp\/login$/);
  await clickButton(page, 'SIGN IN');
  await page.waitForURL('**/sso/sign-in');
  await fillForm(page, accounts.ISAD);
  await expect(page.getByText('Account request of Paula Reyes')).toBeVisible();
  await expect(page).toHaveURL(/\/wcpp\/AddUser$/);
  await page.reload();
  await expect(page.getByText(`for Lakeside Orthopedics, FTIN ${office.tin}`)).toBeVisible();
  await expect(page.getByText('The TIN belongs to', { exact: false })).toBeVisible();
  await type(page).selectOption('Provider Admin');
  await expect(page.getByLabel('Existing')).toBeChecked();
  await expect(page.getByLabel('Email Address')).toHaveValue(email);
  await expect(page.getByLabel('Affiliation')).toHaveValue('BILLING_CO');
  await clickButton(page, 'CREATE USER');
  await created(page);

  await page.goto(link);
  await expect(page.getByText('The account request of Paula Reyes was already answered.')).toBeVisible();
  await page.goto('/wcpp/AddUser?request=999999');
  await expect(page.getByText(/^We couldn't find this account request/)).toBeVisible();
  await firstSignIn(page, { first: 'Paula', last: 'Reyes', email });
});

test.describe('a group administrator', () => {
  test('adds a user with the wizard, which preserves everything, by keyboard in a narrow window', async ({
    page,
    office,
  }) => {
    const ada = makeSomeone();
    await page.setViewportSize({ width: 360, height: 780 });
    await openAs(page, office.admin.userNm, '/wcpp/ManageUserAddUser');
    await page.getByLabel('First Name').focus();
    for (const typed of [ada.first, ada.last, 'K', '2165550100', ada.email]) {
      await page.keyboard.type(typed);
      await page.keyboard.press('Tab');
    }
    await expect(type(page)).toBeFocused();
    await page.keyboard.type('Provider U');
    await page.keyboard.press('Tab');
    await expect(button(page, 'NEXT')).toBeFocused();
    await page.keyboard.press('Enter');
    const title = `Manage Users: Add User: Manage TINs for Ada ${ada.last}`;
    await expect(heading(page, title)).toBeFocused();

    await page.reload();
    await expect(heading(page, title)).toBeVisible();
    await clickButton(page, 'CREATE USER');
    await expect(dialog(page)).toContainText('You must select at least one TIN');
    await page.keyboard.press('Escape');
    await check(page, office.tin).focus();
    await page.keyboard.press('Space');
    await expect(check(page, office.tin)).toBeChecked();
    await clickButton(page, 'PREVIOUS');
    await expect(page.getByLabel('Middle Initial')).toHaveValue('K');
    await page.reload();
    await expect(page.getByLabel('Last Name')).toHaveValue(ada.last);
    await clickButton(page, 'NEXT');
    await expect(check(page, office.tin)).toBeChecked();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(360);
    await clickTwice(button(page, 'CREATE USER'), '**/api/users/createUser');
    await created(page);
    await expect(page.getByRole('cell', { name: ada.email })).toBeVisible();

    // The first sign-in asks for the fields that the wizard left out.
    await firstSignIn(page, ada);
    await expect(dialog(page).getByLabel('Job Title')).toBeVisible();
  });

  test('adds an administrator, who has all TINs, and nobody twice', async ({ page, office, isad }) => {
    const ada = makeSomeone();
    await openAs(page, office.admin.userNm, '/wcpp/ManageUsers');
    await page.getByRole('link', { name: 'ADD USER' }).click();
    await expect(type(page).locator('option')).toHaveText(['Select One', 'Provider Admin', 'Provider User']);
    await fillPerson(page, 'Provider Admin', { ...ada, email: office.admin.emailAddr });
    await clickButton(page, 'NEXT');
    await expect(message(page)).toContainText('Error: The Email Address is associated to another account');
    await page.getByLabel('Email Address').fill(ada.email);
    await clickButton(page, 'NEXT');
    await expect(check(page, office.tin)).toBeChecked();
    await expect(check(page, office.tin)).toBeDisabled();
    await clickButton(page, 'CREATE USER');
    await created(page);
    await register(isad.request, makePerson(ada));

    // The form is for another user now, even after a reload.
    await page.goBack();
    await expect(page).toHaveURL(/\/wcpp\/ManageUserAddUser$/);
    await expect(page.getByLabel('Email Address')).toHaveValue('');
    await page.reload();
    await expect(page.getByLabel('Email Address')).toHaveValue('');
  });

  test('adds users on the single form only to their own group', async ({ page, office }) => {
    const ada = makeSomeone();
    await addUser(page, office.admin.userNm);
    await fillPerson(page, 'Provider User', ada);
    await fillWork(page);
    await expect(page.getByLabel('Group ID')).toHaveValue(String(office.admin.grpInfoId));
    await expect(page.getByLabel('Group ID')).toHaveAttribute('readonly');
    await check(page, office.tin).check();
    await clickButton(page, 'CREATE USER');
    await created(page);
    await firstSignIn(page, ada);
  });

  test('starts the wizard at its first step', async ({ page, office }) => {
    await openAs(page, office.admin.userNm, '/wcpp/AddUserManageTin');
    await expect(page).toHaveURL(/\/wcpp\/ManageUserAddUser$/);
    await clickButton(page, 'CANCEL');
    await expect(page).toHaveURL(/\/wcpp\/ManageUsers$/);
  });
});

test("users who mirror or have read-only access can't add users", async ({ page, office }) => {
  await mirror(page.request, await openSession(page.request, accounts.ISAD), office.admin.userNm);
  for (const [path, name] of [
    ['AddUser', 'CREATE USER'],
    ['ManageUserAddUser', 'NEXT'],
  ] as const) {
    await page.goto(`/wcpp/${path}`);
    await expect(page.getByText("You can't add users while mirroring.")).toBeVisible();
    await expect(button(page, name)).toBeDisabled();
  }
  await page.context().clearCookies();
  await addUser(page, accounts.IRAD);
  await expect(page.getByText("You don't have access")).toBeVisible();
});
