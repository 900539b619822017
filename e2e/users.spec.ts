import { readFileSync } from 'node:fs';
import type { Download, Page } from '@playwright/test';
import { findLink, readEmail } from './mail';
import { type Person, test } from './people';
import { accounts, expect, fillForm, getMenu, openAs } from './portal';
import { mockReply } from './replies';
import { zone } from './zone';

const users = (page: Page) => page.getByRole('table', { name: 'Users' }).locator('tbody').getByRole('row');
const getRow = (page: Page, { userNm }: Pick<Person, 'userNm'>) =>
  users(page).filter({ has: page.getByRole('cell', { name: userNm, exact: true }) });
const dialog = (page: Page) => page.getByRole('dialog');
const message = (page: Page) => page.getByRole('group', { name: 'Message' });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const ok = (page: Page) => dialog(page).getByRole('button', { name: 'OK', exact: true });
const items = (page: Page) => page.getByRole('menuitem');

async function openMenu(page: Page, person: Pick<Person, 'userNm'>) {
  await getRow(page, person)
    .getByRole('button', { name: /^Actions for/ })
    .click();
}

async function choose(page: Page, person: Pick<Person, 'userNm'>, action: string) {
  await openMenu(page, person);
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** Selects an action and confirms it. */
async function change(page: Page, person: Pick<Person, 'userNm'>, action: string, question: string) {
  await choose(page, person, action);
  await expect(page.getByRole('dialog', { name: question })).toContainText(person.userNm);
  await ok(page).click();
  await expect(dialog(page)).toHaveCount(0);
}

async function search(page: Page, criterion: string, typed: string) {
  await page.getByLabel(criterion, { exact: true }).fill(typed);
  await page.getByRole('button', { name: 'SEARCH' }).click();
}

const questions = {
  toAdmin: 'Are you sure you want to convert this account to Provider Admin?',
  toUser: 'Are you sure you want to convert this account to Provider User?',
  terminate: 'Are you sure you want to terminate this account?',
  reset: 'Are you sure you want to reset the password for this account?',
  resend: 'Are you sure you want to resend the registration emails for this account?',
};

test.describe("a group's administrator", () => {
  test("sees the group's users by first name with all their data", async ({ page, office }) => {
    const user = await office.add('PRUS', false);
    await openAs(page, office.admin.userNm, '/wcpp/ManageUsers');
    await expect(users(page)).toHaveCount(2);
    await expect(page.getByRole('columnheader')).toHaveText([
      'First Name',
      'Last Name',
      'Username',
      'Email Address',
      'Account Status',
      'Account Type',
      'Group ID',
      'Create Date',
      'Last Login Date',
      'Update Account',
    ]);
    await expect(page.getByRole('columnheader', { name: 'First Name' })).toHaveAttribute(
      'aria-sort',
      'ascending',
    );
    const today = new Date().toLocaleDateString('en-US', {
      month: '2-digit',
      day: '2-digit',
      year: 'numeric',
      timeZone: zone,
    });
    const cells = (person: Person) => getRow(page, person).getByRole('cell');
    const group = String(office.admin.grpInfoId);
    await expect(cells(user)).toHaveText([
      'Pia',
      user.userLastName,
      user.userNm,
      user.emailAddr,
      'New',
      'Provider User',
      group,
      today,
      '',
      '',
    ]);
    await expect(cells(office.admin)).toContainText(['Active', 'Provider Admin', group, today, today]);
  });

  test('converts, resets, resends and terminates, and the list shows it', async ({ page, office }) => {
    const user = await office.add('PRUS');
    const invited = await office.add('PRUS', false);
    await openAs(page, office.admin.userNm, '/wcpp/ManageUsers');

    await openMenu(page, office.admin);
    await expect(items(page)).toHaveText(['Edit Profile', 'Manage TINs', 'Access History']);
    await page.keyboard.press('Escape');
    await openMenu(page, user);
    await expect(items(page)).toHaveText([
      'Edit Profile',
      'Manage TINs',
      'Convert to Provider Admin',
      'Reset Password',
      'Terminate',
      'Access History',
    ]);
    await page.keyboard.press('Escape');

    await change(page, user, 'Convert to Provider Admin', questions.toAdmin);
    await expect(message(page)).toHaveText('The selected account was successfully updated.');
    await expect(message(page)).toBeFocused();
    await expect(getRow(page, user)).toContainText('Provider Admin');
    await change(page, user, 'Convert to Provider User', questions.toUser);
    await expect(message(page)).toHaveText('The selected account was successfully updated.');
    await expect(getRow(page, user)).toContainText('Provider User');

    const first = findLink(await readEmail(invited.emailAddr, 'Finish setting up your account'));
    await change(page, invited, 'Resend Registration', questions.resend);
    await expect(message(page)).toHaveText('The Registration Emails were resent to the selected account.');
    await expect
      .poll(async () => findLink(await readEmail(invited.emailAddr, 'Finish setting up your account')))
      .not.toBe(first);

    await change(page, user, 'Reset Password', questions.reset);
    await expect(message(page)).toHaveText('The selected account was successfully updated.');
    await expect(getRow(page, user)).toContainText('Inactive');

    await choose(page, user, 'Access History');
    const history = dialog(page).locator('tbody').getByRole('row');
    await expect(history).toContainText([
      `${office.admin.userNm}Password reset by an administrator`,
      `${office.admin.userNm}Converted to Provider User`,
      `${office.admin.userNm}Converted to Provider Admin`,
      'Registration completed',
      `${accounts.ISAD}Account created`,
    ]);
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();

    await change(page, user, 'Terminate', questions.terminate);
    await expect(message(page)).toHaveText('The selected account was successfully terminated.');
    await expect(getRow(page, user)).toContainText('Terminated');
    await openMenu(page, user);
    await expect(items(page)).toHaveText(['New account from this one', 'Access History']);
  });

  test('lets a user back in by the link of a reset', async ({ page, office, browser, baseURL }) => {
    const user = await office.add('PRUS');
    await openAs(page, office.admin.userNm, '/wcpp/ManageUsers');
    await change(page, user, 'Reset Password', questions.reset);
    await expect(message(page)).toBeVisible();
    const link = findLink(await readEmail(user.emailAddr, 'Reset your password'));

    const context = await browser.newContext({ baseURL });
    const theirs = await context.newPage();
    await theirs.goto(link);
    await theirs.getByLabel(/^New Password/).fill('Rainy-Night-2027');
    await theirs.getByLabel('Confirm New Password').fill('Rainy-Night-2027');
    await theirs.getByRole('button', { name: 'Submit' }).click();
    await theirs.waitForURL('**/sso/sign-in');
    await fillForm(theirs, user.userNm, 'Rainy-Night-2027');
    await expect(theirs.getByRole('link', { name: 'Sign Out' })).toBeVisible();
    await context.close();

    await page.reload();
    await expect(getRow(page, user)).toContainText('Active');
  });

  test('sees when a change fails, and can cancel it', async ({ page, office }) => {
    const user = await office.add('PRUS');
    await openAs(page, office.admin.userNm, '/wcpp/ManageUsers');
    await choose(page, user, 'Terminate');
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(getRow(page, user).getByRole('button')).toBeFocused();

    await mockReply(page, '**/api/users/terminateUser/**', 'lost');
    await change(page, user, 'Terminate', questions.terminate);
    await expect(message(page)).toHaveText(
      'Error: An error has occurred.  Please try again or contact Customer Service.',
    );
    expect(await message(page).textContent()).toContain('occurred.  Please');
    await expect(getRow(page, user)).toContainText('Active');
  });

  test('sees that the list has changed', async ({ page, office, isad }) => {
    const user = await office.add('PRUS');
    await openAs(page, office.admin.userNm, '/wcpp/ManageUsers');
    await choose(page, user, 'Convert to Provider Admin');
    const ended = await isad.request.put(`/api/users/terminateUser/${accounts.ISAD}/${user.userNm}`, {
      headers: isad.headers,
      data: { userNm: user.userNm },
    });
    expect(await ended.json()).toBe(1);
    await ok(page).click();
    await expect(message(page)).toContainText('The account has been terminated.');
    await expect(getRow(page, user)).toContainText('Terminated');
  });

  test("edits a user's profile and returns to the list", async ({ page, office }) => {
    const user = await office.add('PRUS');
    await openAs(page, office.admin.userNm, '/wcpp/ManageUsers');
    await choose(page, user, 'Edit Profile');
    await expect(heading(page, 'Edit Profile')).toBeFocused();
    await expect(page).toHaveURL(/\/wcpp\/EditProfile$/);
    await expect(page.getByLabel('Username')).not.toBeEditable();

    await page.reload();
    await page.getByLabel('Phone Number').fill('216');
    await page.getByRole('button', { name: 'SAVE' }).click();
    await expect(message(page).getByRole('link')).toHaveText(['Error: Enter a valid Phone Number']);
    await page.getByLabel('Phone Number').fill('(216) 555-0142');
    await page.getByLabel('First Name').fill('Ida');
    await page.getByRole('button', { name: 'SAVE' }).click();
    await expect(message(page)).toHaveText(/^The profile of Ida .* was successfully updated\.$/);

    await page.getByRole('link', { name: 'CANCEL' }).click();
    await expect(heading(page, 'Manage Users')).toBeFocused();
    await expect(getRow(page, user)).toContainText('Ida');
  });

  test('is redirected from a profile without a user', async ({ page, office }) => {
    await openAs(page, office.admin.userNm, '/wcpp/EditProfile');
    await expect(page.getByText('No user selected')).toBeVisible();
    await page.getByRole('link', { name: 'Select one in Manage Users' }).click();
    await expect(users(page)).toHaveCount(1);
  });

  test('never leaves the group without one when two act at once', async ({
    page,
    office,
    browser,
    baseURL,
    isad,
  }) => {
    const second = await office.add('PRAD');
    const context = await browser.newContext({ baseURL });
    const theirs = await context.newPage();
    await openAs(page, office.admin.userNm, '/wcpp/ManageUsers');
    await openAs(theirs, second.userNm, '/wcpp/ManageUsers');
    await choose(page, second, 'Convert to Provider User');
    await choose(theirs, office.admin, 'Convert to Provider User');
    await Promise.all([ok(page).click(), ok(theirs).click()]);
    for (const each of [page, theirs])
      await expect(message(each).or(each.getByText(/^Account cannot be changed/))).toBeVisible();
    await context.close();

    const found = await isad.request.post('/api/admin/userList', {
      headers: isad.headers,
      data: { groupId: String(office.admin.grpInfoId) },
    });
    const types = (await found.json()).map(({ typeCd }: { typeCd: string }) => typeCd);
    expect(types.sort()).toEqual(['PRAD', 'PRUS']);
  });

  test('works by keyboard and in a narrow window', async ({ page, office }) => {
    const user = await office.add('PRUS');
    await page.setViewportSize({ width: 360, height: 740 });
    await openAs(page, office.admin.userNm, '/wcpp/ManageUsers');
    const button = getRow(page, user).getByRole('button');
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(items(page).first()).toBeFocused();
    for (let presses = 0; presses < 4; presses++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    // The safe button has the focus.
    await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(button).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(items(page).first()).toBeFocused();
    await page.keyboard.press('End');
    await expect(items(page).last()).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByText('Registration completed')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(button).toBeFocused();
  });
});

test('a provider user sees Manage Users read-only, and whom to ask', async ({ page, office }) => {
  const user = await office.add('PRUS');
  await openAs(page, user.userNm);
  await getMenu(page).getByRole('link', { name: 'Manage Users' }).click();
  await expect(users(page)).toHaveCount(2);
  await expect(page.getByRole('button', { name: '+ADD USER' })).toBeDisabled();
  await expect(page.getByText("Only your group's administrator can add and change users.")).toBeVisible();
  await expect(page.getByRole('button', { name: /^Actions for/ })).toHaveCount(0);
});

test.describe('User Search', () => {
  const only = (page: Page, usable: string) =>
    Promise.all(
      ['Username', 'Email Address', 'Tax ID Number (TIN)', 'Group ID'].map((label) => {
        const field = expect(page.getByLabel(label, { exact: true }));
        return label === usable ? field.toBeEnabled() : field.toBeDisabled();
      }),
    );

  test('accepts one criterion, and reports problems with it', async ({ page }) => {
    await openAs(page, accounts.ISAD, '/wcpp/UserSearch');
    await expect(page.getByRole('button', { name: 'Export' })).toBeDisabled();
    const problems = message(page).getByRole('link');
    await page.getByRole('button', { name: 'SEARCH' }).click();
    await expect(message(page)).toBeFocused();
    await expect(problems).toHaveText([
      'Error: Enter Username or Email Address or Tax ID Number (TIN) or Group ID',
    ]);
    await search(page, 'Username', 'pr');
    await expect(problems).toHaveText(['Error: Enter a minimum of 3 characters in username field']);
    await only(page, 'Username');
    await page.getByRole('button', { name: 'RESET' }).click();
    await search(page, 'Group ID', '10x');
    await expect(problems).toHaveText(['Error: Enter numeric only for Group ID field']);
    await only(page, 'Group ID');
    await page.getByLabel('Group ID', { exact: true }).fill('');
    await page.getByLabel('Email Address', { exact: true }).fill('x');
    await only(page, 'Email Address');
    // The account type doesn't count as a criterion.
    await expect(page.getByLabel('Account Type')).toBeEnabled();
  });

  test('finds by each criterion, narrowed by the account type', async ({ page, office }) => {
    const user = await office.add('PRUS');
    await openAs(page, accounts.ISAD, '/wcpp/UserSearch');
    const both = [office.admin, user].map(({ userNm }) => userNm);
    for (const [criterion, typed, found] of [
      ['Username', user.userNm.slice(0, 8), [user.userNm]],
      ['Email Address', user.emailAddr.toUpperCase(), [user.userNm]],
      ['Email Address', `*${user.userLastName.slice(1)}@`, [user.userNm]],
      ['Tax ID Number (TIN)', office.tin, both],
      ['Group ID', String(office.admin.grpInfoId), both],
    ] as const) {
      await search(page, criterion, typed);
      await expect(users(page)).toHaveCount(found.length);
      for (const userNm of found) await expect(getRow(page, { userNm })).toBeVisible();
      expect(new URL(page.url()).search).toBe('');
      await page.getByRole('button', { name: 'RESET' }).click();
      await expect(users(page)).toHaveCount(0);
    }
    await page.getByLabel('Account Type').selectOption('Provider Admin');
    await search(page, 'Group ID', String(office.admin.grpInfoId));
    await expect(users(page)).toHaveCount(1);
    await expect(getRow(page, office.admin)).toBeVisible();
  });

  test('shows when nobody is found, and links to Add User', async ({ page }) => {
    await openAs(page, accounts.ISAD, '/wcpp/UserSearch');
    await search(page, 'Username', 'nobodyatall');
    await expect(
      page.getByText(
        'There are no users available for the criteria entered. Please revise your search criteria and try again or go to ADD USER.',
      ),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: 'Export' })).toBeDisabled();
    await page.getByRole('link', { name: 'ADD USER', exact: true }).click();
    await expect(page).toHaveURL(/\/wcpp\/AddUser$/);
  });

  test('is preserved by Reload, Back and a visit to another screen', async ({ page, office }) => {
    const user = await office.add('PRUS');
    await openAs(page, accounts.ISAD, '/wcpp/UserSearch');
    await search(page, 'Group ID', String(office.admin.grpInfoId));
    await page.getByLabel('Filter by Username').fill(user.userNm);
    await expect(users(page)).toHaveCount(1);
    await page.waitForFunction(
      (userNm) => JSON.stringify(history.state).includes(`"userName":"${userNm}"`),
      user.userNm,
    );
    const restored = async () => {
      await expect(page.getByLabel('Group ID', { exact: true })).toHaveValue(String(office.admin.grpInfoId));
      await expect(page.getByLabel('Filter by Username')).toHaveValue(user.userNm);
      await expect(users(page)).toHaveCount(1);
    };
    await page.reload();
    await restored();
    await choose(page, user, 'Edit Profile');
    await expect(page.getByLabel('First Name')).toHaveValue('Pia');
    await page.getByLabel('First Name').fill('Ida');
    await page.getByRole('button', { name: 'SAVE' }).click();
    await expect(message(page)).toHaveText(/^The profile of Ida .* was successfully updated\.$/);
    await page.getByRole('link', { name: 'CANCEL' }).click();
    await restored();
    await expect(getRow(page, user)).toContainText('Ida');
    await page.goBack();
    await expect(heading(page, 'Edit Profile')).toBeVisible();
    await page.goBack();
    await restored();
  });

  test('exports the visible rows', async ({ page, office }) => {
    const user = await office.add('PRUS');
    await openAs(page, accounts.ISAD, '/wcpp/UserSearch');
    await search(page, 'Group ID', String(office.admin.grpInfoId));
    const exporting = page.getByRole('button', { name: 'Export' });
    const saved = async (kind: string): Promise<Download> => {
      await exporting.click();
      const downloaded = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: kind }).click();
      return downloaded;
    };
    const csv = await saved('Comma-separated (CSV)');
    await expect(exporting).not.toHaveAttribute('aria-disabled', 'true');
    expect(csv.suggestedFilename()).toBe('UserSearch.csv');
    const lines = readFileSync(await csv.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines[0]?.replace('\uFEFF', '')).toBe(
      'First Name,Last Name,Username,Email Address,Account Status,Account Type,Group ID',
    );
    expect(lines).toContain(
      `Pia,${user.userLastName},${user.userNm},${user.emailAddr},Active,Provider User,${office.admin.grpInfoId}`,
    );
    expect(lines).toHaveLength(3);
    expect((await saved('Excel workbook (XLSX)')).suggestedFilename()).toBe('UserSearch.xlsx');
  });

  test('offers the actions that type and status allow', async ({ page, create, office, isad }) => {
    const invited = await office.add('PRUS', false);
    const draft = await isad.request.put('/api/users/saveDraftUser', {
      headers: isad.headers,
      data: {
        isSaveAsDraftOperation: true,
        typeCd: 'ROAD',
        userFirstName: 'Pia',
        userLastName: 'Draft',
        emailAddr: `d${office.tin}@example.com`,
        phoneNum: '2165550100',
        jobTitle: 'Biller',
        companyNm: 'Lakeside',
      },
    });
    expect(draft.status(), await draft.text()).toBe(200);
    const ended = await create({ typeCd: 'IRAD', employeeId: `E${office.tin}` });
    await openAs(page, accounts.ISAD, '/wcpp/UserSearch');
    const offered = async (person: Pick<Person, 'userNm'>, actions: string[]) => {
      await page.getByRole('button', { name: 'RESET' }).click();
      await search(page, 'Username', person.userNm);
      await openMenu(page, person);
      const withReason = actions.includes('Mirror') ? ['Mirror with a reason'] : [];
      await expect(items(page)).toHaveText([...actions, 'Access History', ...withReason]);
      await page.keyboard.press('Escape');
    };
    await offered(office.admin, [
      'Mirror',
      'Edit Profile',
      'View TINs',
      'Convert to Provider User',
      'Reset Password',
      'Terminate',
    ]);
    await offered({ userNm: accounts.NNUS }, [
      'Mirror',
      'Edit Profile',
      'Manage TINs',
      'Reset Password',
      'Terminate',
    ]);
    await offered({ userNm: accounts.ROAD }, [
      'Edit Profile',
      'Manage Roster Hub Sources',
      'Reset Password',
      'Terminate',
    ]);
    await offered(invited, ['Resend Registration', 'Edit Profile', 'View TINs', 'Terminate']);
    await offered(await draft.json(), ['Continue Registration', 'Delete Draft']);
    await offered(ended, ['Edit Profile', 'Reset Password', 'Terminate']);
  });
});

test.describe('a system administrator', () => {
  test('converts and terminates, but never the last administrator of a group', async ({ page, office }) => {
    const user = await office.add('PRUS');
    await openAs(page, accounts.ISAD, '/wcpp/UserSearch');
    await search(page, 'Group ID', String(office.admin.grpInfoId));
    await choose(page, office.admin, 'Convert to Provider User');
    await ok(page).click();
    await expect(
      page.getByRole('dialog', {
        name: 'Account cannot be changed to PRUS because this is the only PRAD for user group.',
      }),
    ).toBeVisible();
    await ok(page).click();
    await expect(dialog(page)).toHaveCount(0);
    await change(page, office.admin, 'Terminate', questions.terminate);
    await expect(message(page)).toHaveText(
      'Error: This account cannot be terminated because there is not another Admin in the group.',
    );
    await expect(getRow(page, office.admin)).toContainText('Active');

    await change(page, user, 'Convert to Provider Admin', questions.toAdmin);
    await expect(message(page)).toHaveText('The selected account was successfully converted to PRAD');
    await change(page, office.admin, 'Convert to Provider User', questions.toUser);
    await expect(message(page)).toHaveText('The selected account was successfully converted to PRUS');
    await expect(getRow(page, office.admin)).toContainText('Provider User');
    await change(page, office.admin, 'Reset Password', questions.reset);
    await expect(message(page)).toHaveText('The selected account was successfully updated');
    await change(page, office.admin, 'Terminate', questions.terminate);
    await expect(message(page)).toHaveText('The selected account was successfully terminated');
    await expect(getRow(page, office.admin)).toContainText('Terminated');
  });

  test('changes the employee ID of internal staff', async ({ page, create, office }) => {
    const colleague = await create({ typeCd: 'IRAD', employeeId: `E${office.tin}` });
    await openAs(page, accounts.ISAD, '/wcpp/UserSearch');
    await search(page, 'Username', colleague.userNm);
    await choose(page, colleague, 'Edit Profile');
    await page.getByLabel('Employee ID').fill('not an id!');
    await page.getByRole('button', { name: 'SAVE' }).click();
    await expect(message(page)).toContainText(
      'Error: An error has occurred. Please try again or contact Customer Service.',
    );
    await expect(message(page).getByRole('link')).toHaveText(['Error: Enter a valid Employee ID']);
    await page.getByLabel('Employee ID').fill(`F${office.tin}`);
    await page.getByRole('button', { name: 'SAVE' }).click();
    await expect(message(page)).toHaveText(/^The profile of Pia .* was successfully updated\.$/);
    await page.reload();
    await expect(page.getByLabel('Employee ID')).toHaveValue(`F${office.tin}`);
  });

  test("continues to a user's screens with the needed state", async ({ page, office, isad }) => {
    const handed = () =>
      page.evaluate(() => {
        const { user, searchInfo, mode, groupInfo } = history.state;
        return { userNm: user.userNm, criteria: searchInfo.criteria, mode, groupInfo };
      });
    const go = async (userNm: string, action: string, screen: string) => {
      await page.goto('/wcpp/UserSearch');
      await search(page, 'Username', userNm);
      await choose(page, { userNm }, action);
      await expect(page).toHaveURL(new RegExp(`/wcpp/${screen}$`));
      const found = await handed();
      expect(found).toMatchObject({ userNm, criteria: { userName: userNm } });
      return found;
    };
    await openAs(page, accounts.ISAD);
    await go(office.admin.userNm, 'View TINs', 'ViewTinsForUser');
    await page.getByRole('button', { name: 'BACK' }).click();
    await expect(page.getByLabel('Username', { exact: true })).toHaveValue(office.admin.userNm);
    await expect(users(page)).toHaveCount(1);
    await go(accounts.NNUS, 'Manage TINs', 'ManageTINsforNNUS');
    const { mode, groupInfo } = await go(
      accounts.ROAD,
      'Manage Roster Hub Sources',
      'ManageRosterSourcesForUserGroup',
    );
    expect(mode).toBe('existingGroup');
    expect(groupInfo.groupInfoId).toBe(1010);
    const draft = await isad.request.put('/api/users/saveDraftUser', {
      headers: isad.headers,
      data: {
        isSaveAsDraftOperation: true,
        typeCd: 'ROAD',
        userFirstName: 'Pia',
        userLastName: `D${office.admin.userLastName}`,
        emailAddr: `d${office.tin}@example.com`,
        phoneNum: '2165550100',
        jobTitle: 'Biller',
        companyNm: 'Lakeside',
      },
    });
    const continued = await go((await draft.json()).userNm, 'Continue Registration', 'AddUser');
    expect(continued.mode).toBe('draftUser');
    await expect(page.getByLabel('Last Name')).toHaveValue(`D${office.admin.userLastName}`);
  });

  test('mirrors a user: sees the menu and screens, changes nothing, and returns with Revert', async ({
    page,
    office,
  }) => {
    const user = await office.add('PRUS');
    const token = await openAs(page, accounts.ISAD, '/wcpp/UserSearch');
    await search(page, 'Username', office.admin.userNm);
    await choose(page, office.admin, 'Mirror');
    await expect(page).toHaveURL(/\/wcpp\/home$/);
    const banner = page.getByRole('region', { name: 'Mirroring' });
    await expect(banner).toContainText(`Mirroring (Pia ${office.admin.userLastName}) `);
    await expect(getMenu(page).getByRole('listitem')).toHaveText([
      'Bill Search',
      'Claim Search',
      'Client List',
      'Manage Users',
      'Manage TINs',
      'Provider Demographics',
      'Provider Resources',
    ]);

    await getMenu(page).getByRole('link', { name: 'Manage Users' }).click();
    await expect(page.getByRole('button', { name: '+ADD USER' })).toBeDisabled();
    for (const action of ['Convert to Provider Admin', 'Reset Password', 'Terminate']) {
      await choose(page, user, action);
      await expect(ok(page)).toBeDisabled();
      await expect(dialog(page)).toContainText("You can't make changes while mirroring.");
      await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    }
    await choose(page, user, 'Edit Profile');
    await expect(page.getByLabel('First Name')).not.toBeEditable();
    await expect(page.getByRole('button', { name: 'SAVE' })).toBeDisabled();
    await page.getByRole('link', { name: 'CANCEL' }).click();
    const refused = await page.request.put(`/api/users/terminateUser/${office.admin.userNm}/${user.userNm}`, {
      headers: { Authorization: `Bearer ${token}` },
      data: {},
    });
    expect(refused.status()).toBe(403);
    await expect(getRow(page, user)).toContainText('Active');

    await banner.getByRole('button', { name: 'Revert' }).click();
    await page.getByRole('button', { name: 'YES' }).click();
    await expect(banner).toHaveCount(0);
    await expect(page).toHaveURL(/\/wcpp\/home$/);
    await getMenu(page).getByRole('link', { name: 'User Search' }).click();
    // The earlier search belonged to another visit.
    await expect(page.getByLabel('Username')).toHaveValue('');
    await search(page, 'Username', office.admin.userNm);
    await choose(page, office.admin, 'Access History');
    await expect(dialog(page).locator('tbody').getByRole('row')).toContainText([
      'Stopped mirroring this user',
      'Started mirroring this user',
    ]);
  });

  test('stays when mirroring fails, with a message', async ({ page, office }) => {
    await openAs(page, accounts.ISAD, '/wcpp/UserSearch');
    await search(page, 'Username', office.admin.userNm);
    await mockReply(page, '**/api/session/mirror', 'lost');
    await choose(page, office.admin, 'Mirror');
    await expect(message(page)).toHaveText(
      'Error: An error has occurred. Please try again or contact Customer Service.',
    );
    await expect(page).toHaveURL(/\/wcpp\/UserSearch$/);
  });
});

test.describe('a read-only administrator', () => {
  test('mirrors and views, without other actions', async ({ page, office }) => {
    const invited = await office.add('PRUS', false);
    await openAs(page, accounts.IRAD, '/wcpp/UserSearch');
    await search(page, 'Group ID', String(office.admin.grpInfoId));
    await expect(users(page)).toHaveCount(2);
    await openMenu(page, invited);
    await expect(items(page)).toHaveText(['View TINs']);
    await page.keyboard.press('Escape');
    await openMenu(page, office.admin);
    await expect(items(page)).toHaveText(['Mirror', 'View TINs', 'Mirror with a reason']);
    await items(page).first().click();
    await expect(page.getByRole('region', { name: 'Mirroring' })).toBeVisible();
  });

  test('has no menus and no ADD USER on Manage Users', async ({ page }) => {
    await openAs(page, accounts.IRAD, '/wcpp/ManageUsers');
    await expect(page.getByText('Your account can view users but not change them.')).toBeVisible();
    await expect(page.getByRole('button', { name: '+ADD USER' })).toBeDisabled();
    await expect(page.getByRole('button', { name: /^Actions/ })).toHaveCount(0);
  });
});

test('a returning user gets a new account after a termination, prefilled from the old one', async ({
  page,
  office,
  isad,
}) => {
  const old = await office.add('PRUS');
  const ended = await isad.request.put(`/api/users/terminateUser/${accounts.ISAD}/${old.userNm}`, {
    headers: isad.headers,
    data: {},
  });
  expect(await ended.json()).toBe(1);

  await openAs(page, office.admin.userNm, '/wcpp/ManageUsers');
  await page.getByRole('button', { name: `Actions for Pia ${old.userLastName} (${old.userNm})` }).click();
  await page.getByRole('menuitem', { name: 'New account from this one' }).click();
  await expect(page.getByLabel(/^Last Name/)).toHaveValue(old.userLastName);
  await page.getByRole('button', { name: 'NEXT' }).click();
  await page.getByRole('checkbox', { name: new RegExp(office.tin) }).check();
  await page.getByRole('button', { name: 'CREATE USER' }).click();
  await expect(page.getByText('Just added')).toBeVisible();
  const rows = page.getByRole('table', { name: 'Users' }).locator('tbody').getByRole('row');
  await expect(rows.filter({ hasText: old.emailAddr })).toHaveCount(2);
  await expect(rows.filter({ hasText: old.emailAddr }).filter({ hasText: 'Terminated' })).toContainText(
    old.userNm,
  );
});

test('staff start the new account in Add User', async ({ page, office, isad }) => {
  const old = await office.add('PRAD');
  await isad.request.put(`/api/users/terminateUser/${accounts.ISAD}/${old.userNm}`, {
    headers: isad.headers,
    data: {},
  });
  await openAs(page, accounts.ISAD, '/wcpp/UserSearch');
  await page.getByLabel('Username', { exact: true }).fill(old.userNm);
  await page.getByRole('button', { name: 'SEARCH' }).click();
  await page.getByRole('button', { name: `Actions for Pia ${old.userLastName} (${old.userNm})` }).click();
  await page.getByRole('menuitem', { name: 'New account from this one' }).click();
  await expect(page.getByText(`New account from Pia ${old.userLastName} (${old.userNm})`)).toBeVisible();
  await expect(page.getByLabel(/^Email Address/)).toHaveValue(old.emailAddr);
  await page.getByRole('button', { name: 'CREATE USER' }).click();
  await expect(page.getByText('User has been successfully created!')).toBeVisible();
});
