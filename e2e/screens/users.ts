import type { Page } from '@playwright/test';
import { mockReply, restore } from '../replies';
import { accounts, openAs, expect, mirror, openSession } from '../portal';
import { type Screen, type ScreenGroup, dialog, users, manageUsers, findUsers, openMenu, choose, confirm, providers, dismiss, navigate, leave, recover, tryAgain, screen } from './screen';

const accessEntries = [
  { at: '2026-03-02T15:00:00Z', userName: 'isad.demo', action: 'Started mirroring this user', result: 'ok' },
  { at: '2026-03-02T15:20:00Z', userName: 'isad.demo', action: 'Stopped mirroring this user', result: 'ok' },
  { at: '2026-03-03T09:05:00Z', userName: '', action: 'Account locked', result: 'ok' },
];

/** Runs an action on the first user who has it, with this server response. */
async function changeUser(page: Page, action: string, json?: object | number | string) {
  const calls = '**/api/users/{convert,terminateUser,resetPassword,regenRegistration}**';
  await mockReply(page, calls, json === undefined ? 'lost' : { json });
  for (const button of await users(page).getByRole('button').all()) {
    await button.click();
    await expect(page.getByRole('menu')).toBeVisible();
    const item = page.getByRole('menuitem', { name: action, exact: true });
    if (await item.isVisible()) {
      await item.click();
      await expect(dialog(page)).toBeVisible();
      return;
    }
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
  }
  throw new Error(`no user has ${action}`);
}
const accountRequest = {
  id: 7,
  affiliation: 'OFC_STAFF',
  firstName: 'Paula',
  lastName: 'Reyes',
  middleInitial: 'T',
  phoneNumber: '2165550100',
  jobTitle: 'Office Manager',
  companyName: 'Lakeside Orthopedics',
  companyUrl: '',
  emailAddress: 'paula.reyes@example.com',
  providerList: [{ ftin: '341234567', providerName: 'Lakeside Orthopedics and Sports Medicine' }],
  campaign: '',
  status: 'SUBMITTED',
  submittedDt: '2026-03-02T15:00:00Z',
};

async function addTin(page: Page, tin: string) {
  await page.getByLabel('Tax ID Number (TIN)').fill(tin);
  await page.getByRole('button', { name: 'ADD', exact: true }).click();
}
async function openLookup(page: Page, tin = '341234567') {
  if ((await dialog(page).count()) === 0) await page.getByRole('button', { name: 'Add TIN Provider' }).click();
  await dialog(page).getByLabel('Tax ID Number (TIN)').fill(tin);
  await dialog(page).getByRole('button', { name: 'Search' }).click();
}
async function wizardTins(page: Page, type: string) {
  await page.getByLabel('First Name').fill('Ada');
  await page.getByLabel('Last Name').fill('Whitcombe-Fairbanks');
  await page.getByLabel('Phone Number').fill('2165550100');
  await page.getByLabel('Email Address').fill('ada.whitcombe@example.com');
  await page.getByLabel('Account Type').selectOption(type);
  await page.getByRole('button', { name: 'NEXT' }).click();
  await expect(
    page.getByRole('heading', { name: /^Manage Users: Add User: Manage TINs for Ada/ }),
  ).toBeVisible();
}

const selectType = async (page: Page, type: string) => {
  await page.getByLabel('Account Type').selectOption(type);
  await expect(page.getByLabel('First Name')).toBeVisible();
};
const answerRequest = (page: Page, id: number, request: object) =>
  mockReply(page, `**/api/accountRequests/${id}`, { json: { ...request, id } });
const findProviders = (page: Page) =>
  mockReply(page, '**/api/provider/list/**', { json: providers });

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Manage Users, failed', async (page) => {
      await mockReply(page, '**/api/users/manageUsers/**', { status: 400 });
      await openAs(page, accounts.PRAD, '/wcpp/ManageUsers');
      await expect(tryAgain(page)).toBeVisible();
    }),
    screen('Manage Users', async (page) => {
      await recover(page);
      await expect(users(page).getByRole('row').first()).toBeVisible();
    }),
    screen('Manage Users, menu of a row', async (page) => {
      await users(page).getByRole('button').first().click();
      await expect(page.getByRole('menu')).toBeVisible();
    }),
    screen('Manage Users, question', async (page) => {
      await dismiss(page);
      await changeUser(page, 'Terminate');
    }),
    screen('Manage Users, done', async (page) => {
      await dismiss(page);
      await changeUser(page, 'Terminate', 1);
      await confirm(page);
      await expect(page.getByText('The selected account was successfully terminated.')).toBeVisible();
    }),
    screen('Manage Users, refused', async (page) => {
      await changeUser(page, 'Convert to Provider User', 600);
      await confirm(page);
      await expect(page.getByText(/^Account cannot be changed to PRUS/)).toBeVisible();
    }),
    screen('Wizard, person with errors', async (page) => {
      await navigate(page, 'ManageUserAddUser');
      await page.getByRole('button', { name: 'NEXT' }).click();
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('Wizard, TINs of a provider user', async (page) => {
      await wizardTins(page, 'Provider User');
      await page
        .getByRole('checkbox', { name: /^Select \d/ })
        .first()
        .check();
    }),
    screen('Wizard, no TIN', async (page) => {
      await page
        .getByRole('checkbox', { name: /^Select \d/ })
        .first()
        .uncheck();
      await page.getByRole('button', { name: 'CREATE USER' }).click();
      await expect(dialog(page)).toBeVisible();
    }),
    screen('Wizard, TINs of an administrator', async (page) => {
      await dismiss(page);
      await navigate(page, 'ManageUserAddUser');
      await wizardTins(page, 'Provider Admin');
    }),
  ],
  screen('Manage Users of a provider user', (page) => manageUsers(page, accounts.PRUS)),
  [
    screen('Manage Users while mirroring', async (page) => {
      await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRAD);
      await page.goto('/wcpp/ManageUsers');
      await expect(users(page).getByRole('row').first()).toBeVisible();
      await changeUser(page, 'Reset Password');
    }),
    screen('Add User while mirroring', async (page) => {
      await dismiss(page);
      await navigate(page, 'AddUser');
      await expect(page.getByText(/^You can't add users while mirroring/)).toBeVisible();
    }),
    screen('Wizard while mirroring', async (page) => {
      await leave(page);
      await navigate(page, 'ManageUserAddUser');
      await expect(page.getByText(/^You can't add users while mirroring/)).toBeVisible();
    }),
  ],
  [
    screen('Manage Users without a group', async (page) => {
      await openAs(page, accounts.ISAD, '/wcpp/ManageUsers');
      await expect(page.getByText(/^To find users in all groups/)).toBeVisible();
    }),
    screen('User Search', async (page) => {
      await navigate(page, 'UserSearch');
      await expect(page.getByRole('button', { name: 'SEARCH' })).toBeVisible();
    }),
    screen('User Search with errors', async (page) => {
      await page.getByRole('button', { name: 'SEARCH' }).click();
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('User Search, failed', async (page) => {
      await mockReply(page, '**/api/admin/userList/page', { status: 400 });
      await findUsers(page, 'Username', 'prad');
      await expect(tryAgain(page)).toBeVisible();
    }),
    screen('User Search with results', async (page) => {
      await restore(page, '**/api/admin/userList/page');
      await findUsers(page, 'Group ID', '1001');
      await expect(users(page).getByRole('row')).toHaveCount(10);
    }),
    screen('User Search without results', async (page) => {
      await findUsers(page, 'Username', 'nobody at all');
      await expect(page.getByText(/^There are no users available/)).toBeVisible();
    }),
    screen('Access history', async (page) => {
      await mockReply(page, '**/api/users/accessHistory/**', { json: accessEntries });
      await findUsers(page, 'Username', accounts.PRUS);
      await openMenu(page, accounts.PRUS);
      await choose(page, 'Access History');
      await expect(dialog(page).getByRole('row')).toHaveCount(5);
    }),
    screen('Access history, none', async (page) => {
      await dismiss(page);
      await mockReply(page, '**/api/users/accessHistory/**', { json: [] });
      await openMenu(page, accounts.PRUS);
      await choose(page, 'Access History');
      await expect(dialog(page).getByText(/^No access/)).toBeVisible();
    }),
    screen('Add User, draft', async (page) => {
      await dismiss(page);
      await findUsers(page, 'Group ID', '1011');
      await page.getByLabel('Filter by Account Status').fill('Draft');
      await expect(users(page).getByRole('row').first()).toContainText('Draft');
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Continue Registration' }).click();
      await expect(page.getByRole('button', { name: 'CANCEL' })).toBeVisible();
    }),
  ],
  [
    screen('Add User, failed to load', async (page) => {
      await mockReply(page, '**/api/users/getUserTypes', { status: 400 });
      await openAs(page, accounts.ISAD, '/wcpp/AddUser');
      await expect(tryAgain(page)).toBeVisible();
    }),
    screen('Add User', async (page) => {
      await recover(page);
      await expect(page.getByLabel('Account Type')).toBeVisible();
    }),
    screen('Add User, internal administrator', (page) => selectType(page, 'Internal System Admin')),
    screen('Add User, roster admin', (page) => selectType(page, 'Roster Admin')),
    screen('Add User, provider user', async (page) => {
      await selectType(page, 'Provider User');
      await page.getByLabel('Group ID').fill('1001');
      await page
        .getByRole('checkbox', { name: /^Select \d/ })
        .first()
        .check();
    }),
    screen('Add User, group without TINs', async (page) => {
      await page.getByLabel('Group ID').fill('99999');
      await expect(page.getByText("Error: Group 99999 doesn't exist.")).toBeVisible();
    }),
    screen('Add User, non-network user', async (page, { tins }) => {
      await mockReply(page, '**/api/ftin/validateNonNetworkFtin/100000001', { json: 'success' });
      await selectType(page, 'Non-Network User');
      await addTin(page, '100000001');
      await expect(page.getByRole('table', { name: 'Added TINs' })).toBeVisible();
      await addTin(page, tins[0] ?? '');
      await expect(page.getByText(/because it is registered as In-network TIN/)).toBeVisible();
    }),
    screen('Add User with errors', async (page) => {
      await selectType(page, 'Provider Admin');
      await page.getByLabel('Affiliation').selectOption('Other');
      await page.getByLabel('Email Address').fill('not an address');
      await page.getByRole('button', { name: 'CREATE USER' }).click();
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('Add TIN Provider with errors', async (page) => {
      await openLookup(page, '12345');
      await expect(page.getByText('Error: Enter a 9-digit Tax ID Number (TIN)')).toBeVisible();
    }),
    screen('Add TIN Provider without results', async (page) => {
      await openLookup(page, '999999999');
      await expect(page.getByText('No Providers found for the selected Tax ID')).toBeVisible();
    }),
    screen('Add TIN Provider, failed', async (page) => {
      await mockReply(page, '**/api/provider/list/**', 'lost');
      await openLookup(page);
      await expect(dialog(page).getByRole('button', { name: 'Try again' })).toBeVisible();
    }),
    screen('Add TIN Provider', async (page) => {
      await findProviders(page);
      await openLookup(page);
      await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
      await expect(page.getByText('Error: Please select one.')).toBeVisible();
    }),
    screen('Add User, provider admin of a new group', async (page) => {
      await dialog(page).getByRole('checkbox').first().check();
      await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
      await expect(page.getByRole('table', { name: 'Added TINs' })).toBeVisible();
    }),
  ],
  [
    screen('Add User, account request', async (page) => {
      await answerRequest(page, 7, accountRequest);
      await openAs(page, accounts.ISAD, '/wcpp/AddUser?request=7');
      await page.getByLabel('Account Type').selectOption('Provider User');
      await expect(page.getByLabel('First Name')).toHaveValue('Paula');
    }),
    screen('Add User, answered account request', async (page) => {
      await answerRequest(page, 8, { ...accountRequest, status: 'CLOSED' });
      await leave(page);
      await navigate(page, 'AddUser?request=8');
      await expect(page.getByText(/was already answered/)).toBeVisible();
    }),
    screen('Add User, unknown account request', async (page) => {
      await leave(page);
      await navigate(page, 'AddUser?request=99999');
      await expect(page.getByText(/^We couldn't find this account request/)).toBeVisible();
    }),
  ],
  screen('Add User, not permitted', async (page) => {
    await openAs(page, accounts.IRAD, '/wcpp/AddUser');
    await expect(page.getByText("You don't have access")).toBeVisible();
  }),
  screen('Wizard without a group', async (page) => {
    await openAs(page, accounts.ISAD, '/wcpp/ManageUserAddUser');
    await expect(page.getByText("You don't have access")).toBeVisible();
  }),
];
