import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { findLink, readEmail } from './mail';
import {
  accounts,
  expect,
  fillForm,
  getPortalData,
  mirror,
  openAs,
  openSession,
  password,
  signIn,
  test,
} from './portal';
import { mockReply, restore } from './replies';
import { findFreePort, type Portal, startPortal } from './start';

type Type = keyof typeof accounts;

/**
 * Creates an account that only one test changes. Its profile has only a name and an email
 * address.
 */
async function addAccount(
  type: Type,
  data = getPortalData(),
  signsIn: '--password-stdin' | '--mail' = '--password-stdin',
): Promise<string> {
  const userName = `u${randomUUID().slice(0, 8)}`;
  const args = ['user', 'add', '--data', data, '--type', type, signsIn];
  args.push('--user-name', userName, '--email', `${userName}@example.com`);
  args.push('--first-name', 'Pia', '--last-name', 'Quist', '--employee-id', `E-${userName}`);
  await new Promise<void>((resolve, reject) => {
    const program = execFile(join(import.meta.dirname, '../bin/wcpp'), args, (error) =>
      error ? reject(error) : resolve(),
    );
    program.stdin?.end(`${password}\n`);
  });
  return userName;
}

/** Creates an account with a complete profile. */
async function addWithProfile(request: APIRequestContext, type: Type): Promise<string> {
  const userName = await addAccount(type);
  const headers = { Authorization: `Bearer ${await openSession(request, userName)}` };
  const { id } = await (await request.get(`/api/users/userByName/${userName}`, { headers })).json();
  const saved = await request.put('/api/users/updateUser', {
    headers,
    data: {
      id,
      userNm: userName,
      userFirstName: 'Pia',
      userLastName: 'Quist',
      emailAddr: `${userName}@example.com`,
      phoneNum: '2165550100',
      affiliationCd: 'OFC_STAFF',
      jobTitle: 'Biller',
      companyNm: 'Lakeside',
    },
  });
  expect(saved.status()).toBe(200);
  return userName;
}

const save = (page: Page) => page.getByRole('button', { name: 'SAVE' });
const message = (page: Page) => page.getByRole('group', { name: 'Message' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'User Profile Information' });
const accountLink = (page: Page, name: string) =>
  page.getByRole('banner').getByRole('link', { name: `${name}'s Account` });

const saved = 'Your profile was successfully updated.';

for (const type of ['PRAD', 'PRUS', 'NNUS', 'ROAD', 'ROUS', 'IRAD', 'ISAD'] as const)
  test(`${type} edits, saves and sees their own profile`, async ({ page }) => {
    const userName = await addWithProfile(page.request, type);
    await openAs(page, userName);
    await accountLink(page, 'Pia Quist').click();
    await expect(page).toHaveURL(/\/wcpp\/UserProfile$/);

    await expect(page.getByLabel('Username')).toHaveValue(userName);
    await expect(page.getByLabel('Username')).not.toBeEditable();
    const internal = type === 'IRAD' || type === 'ISAD';
    await expect(page.getByLabel('Employee ID')).toHaveCount(internal ? 1 : 0);
    if (internal) await expect(page.getByLabel('Employee ID')).not.toBeEditable();
    await expect(page.getByLabel('Affiliation')).toHaveCount(['PRAD', 'PRUS', 'NNUS'].includes(type) ? 1 : 0);
    await expect(page.getByLabel('Job Title')).toHaveCount(internal ? 0 : 1);

    await page.getByLabel('First Name').fill('');
    await page.getByLabel('Phone Number').fill('216-555');
    await save(page).click();
    await expect(message(page)).toBeFocused();
    await expect(message(page)).toContainText(
      'An error has occurred. Please address all fields marked with “Error”.',
    );
    await expect(message(page).getByRole('link')).toHaveText([
      'Error: Enter valid First Name',
      'Error: Enter a valid numeric Phone Number',
    ]);

    await page.getByLabel('First Name').fill('Ida');
    await page.getByLabel('Phone Number').fill('(216) 555-0177');
    await save(page).click();
    await expect(message(page)).toHaveText(saved);
    await expect(accountLink(page, 'Ida Quist')).toBeVisible();

    await page.reload();
    await expect(page.getByLabel('First Name')).toHaveValue('Ida');
    await expect(page.getByLabel('Phone Number')).toHaveValue('216-555-0177');
    await expect(accountLink(page, 'Ida Quist')).toBeVisible();
  });

test('another kind of affiliation needs a description', async ({ page }) => {
  await openAs(page, await addWithProfile(page.request, 'PRUS'), '/wcpp/UserProfile');
  await page.getByLabel('Affiliation').selectOption('Other');
  await save(page).click();
  await expect(message(page).getByRole('link')).toHaveText(['Error: Enter Other Desc']);
  await page.getByLabel('Other Description').fill('Attorney');
  await save(page).click();
  await expect(message(page)).toHaveText(saved);
  await page.reload();
  await expect(page.getByLabel('Other Description')).toHaveValue('Attorney');
});

test("another account's email address is rejected, and the input stays", async ({ page }) => {
  const userName = await addWithProfile(page.request, 'PRUS');
  const token = await openAs(page, userName, '/wcpp/UserProfile');
  await page.getByLabel('Job Title').fill('Nurse');
  await page.getByLabel('Email Address').fill('PRAD.demo@example.com');
  await save(page).click();
  await expect(message(page).getByRole('link')).toHaveText([
    'Error: This email address belongs to another account. Enter a different one.',
  ]);
  await expect(page.getByLabel('Job Title')).toHaveValue('Nurse');
  const headers = { Authorization: `Bearer ${token}` };
  const stored = await page.request.get(`/api/users/userByName/${userName}`, { headers });
  expect((await stored.json()).jobTitle).toBe('Biller');
});

test('a new email address takes effect after its link is opened', async ({ page }) => {
  const userName = await addWithProfile(page.request, 'PRUS');
  await openAs(page, userName, '/wcpp/UserProfile');
  const before = await page.getByLabel('Email Address').inputValue();
  const address = `new.${before}`;
  await page.getByLabel('Email Address').fill(address);
  await save(page).click();
  await expect(message(page)).toHaveText(
    `${saved} We sent a confirmation link to the new address. It takes effect after you confirm it.`,
  );
  await page.reload();
  await expect(page.getByLabel('Email Address')).toHaveValue(before);
  await expect(page.getByText(`Open the link we sent to ${address} to confirm it.`)).toBeVisible();

  await page.goto(findLink(await readEmail(address, 'Confirm your new email address')));
  await page.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(message(page)).toHaveText('Your email address is updated.');
  await page.goto('/wcpp/UserProfile');
  await expect(page.getByLabel('Email Address')).toHaveValue(address);
  await readEmail(before, 'Your email address was changed');
});

test("a profile that doesn't load is retried", async ({ page }) => {
  await mockReply(page, '**/api/users/userByName/**', { status: 404 });
  await openAs(page, accounts.ROAD, '/wcpp/UserProfile');
  await expect(page.getByRole('alert')).toHaveText(
    'Error: An error has occurred. Please try again or contact Customer Service.',
  );
  await restore(page, '**/api/users/userByName/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByLabel('Username')).toHaveValue(accounts.ROAD);
});

test.describe('changing the password', () => {
  const change = async (page: Page, current: string, next: string) => {
    await page.getByLabel('Current Password').fill(current);
    await page.getByLabel('New Password').fill(next);
    await page.getByLabel('Confirm Password').fill(next);
    await save(page).click();
  };

  test('ends the other sessions, and only the new password works', async ({ page, playwright, baseURL }) => {
    const userName = await addWithProfile(page.request, 'PRUS');
    const otherContext = await playwright.request.newContext({ baseURL });
    await openSession(otherContext, userName);
    await openAs(page, userName, '/wcpp/UserProfile');
    await page.getByRole('link', { name: 'Change Password' }).click();
    await expect(page.getByRole('heading', { name: 'Change Password' })).toBeFocused();

    const chosen = 'Rainy-Night-2027';
    await change(page, 'not the password', chosen);
    await expect(message(page).getByRole('link')).toHaveText(['Error: Current Password is incorrect']);
    await change(page, password, chosen);
    await expect(message(page)).toHaveText('Your password has been changed successfully.');
    await expect(page.getByLabel('Current Password')).toHaveValue('');
    expect((await otherContext.get('/api/session')).status()).toBe(401);
    await otherContext.dispose();

    await page.getByRole('link', { name: 'Sign Out' }).click();
    await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible();
    await page.goto('/wcpp/login');
    await signIn(page, userName);
    await expect(page.getByRole('alert')).toHaveText('Error: The Username or Password is incorrect.');
    await fillForm(page, userName, chosen);
    await expect(page.getByRole('heading', { name: 'Welcome, Pia' })).toBeVisible();
  });

  test('is rejected for an unsuitable password, with the broken rule', async ({ page }) => {
    await openAs(page, await addWithProfile(page.request, 'PRUS'), '/wcpp/ChangePassword');
    const byServer = 'Error: The password change was not successful.';
    for (const [chosen, rule, text] of [
      [
        'tsiuQ-Night-2027',
        'Must not contain your username, first name or last name, forwards or backwards',
        byServer,
      ],
      // The browser has this list too.
      ['Password-2027', 'This password is too easy to guess.', 'New Password does not meet requirements.'],
      [password, 'Different from your current password', byServer],
    ] as const) {
      await change(page, password, chosen);
      await expect(message(page)).toContainText(text);
      await expect(page.getByRole('listitem').filter({ hasText: rule })).toContainText('not met');
    }
  });

  test('is blocked for a while after too many tries', async ({ page }) => {
    await openAs(page, await addWithProfile(page.request, 'PRUS'), '/wcpp/ChangePassword');
    for (let tries = 1; tries <= 5; tries++) {
      const answered = page.waitForResponse('**/api/users/updatePwd');
      await change(page, `wrong ${tries}`, 'Rainy-Night-2027');
      await answered;
    }
    await expect(message(page)).toContainText('Error: Current Password is incorrect');
    await change(page, password, 'Rainy-Night-2027');
    await expect(message(page)).toContainText(
      /^Error: The password change was not successful\. Too many attempts\. Wait/,
    );
  });
});

test.describe('the required profile dialog', () => {
  test("can't be dismissed, lists missing fields, and never returns after saving", async ({ page }) => {
    await openAs(page, await addAccount('PRAD'));
    await expect(dialog(page)).toBeVisible();
    await expect(page.getByLabel('Job Title')).toBeFocused();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await expect(dialog(page).getByRole('button')).toHaveText(['SUBMIT']);

    await page.getByRole('radio', { name: 'Other' }).check();
    await page.getByRole('button', { name: 'SUBMIT' }).click();
    await expect(message(page)).toBeFocused();
    await expect(message(page)).toContainText('Please fix all errors.');
    await expect(message(page).getByRole('link')).toHaveText([
      'Enter a job title.',
      'Enter a company name.',
      'Enter account type description.',
    ]);

    await page.getByLabel('Job Title').fill('Biller');
    await page.getByLabel('Company Name').fill('Lakeside');
    await page.getByLabel('Description of Other').fill('Attorney of the office');
    await page.getByRole('button', { name: 'SUBMIT' }).click();
    await expect(dialog(page)).toBeHidden();

    await page.goto('/wcpp/UserProfile');
    await expect(page.getByLabel('Other Description')).toHaveValue('Attorney of the office');
    await expect(dialog(page)).toBeHidden();
  });

  test('closes three seconds after an error, and returns with the next page', async ({ page }) => {
    const userName = await addAccount('NNUS');
    await mockReply(page, '**/api/users/updateBackfill', 'lost');
    await openAs(page, userName);
    await page.getByLabel('Job Title').fill('Biller');
    await page.getByLabel('Company Name').fill('Lakeside');
    await page.getByRole('radio', { name: 'Billing Company' }).check();
    await page.getByRole('button', { name: 'SUBMIT' }).click();
    await expect(page.getByText('There was an error submitting your information.')).toBeVisible();
    await expect(dialog(page)).toBeHidden();
    await page.reload();
    await expect(dialog(page)).toBeVisible();
  });

  for (const type of ['ROAD', 'ISAD'] as const)
    test(`doesn't ask ${type}`, async ({ page }) => {
      const response = page.waitForResponse('**/api/users/needsBackfill/**');
      await openAs(page, await addAccount(type));
      expect(await (await response).json()).toBe(false);
      await expect(dialog(page)).toBeHidden();
    });
});

test("while mirroring, the mirrored user's account is read-only", async ({ page }) => {
  const userName = await addAccount('PRUS');
  const token = await openSession(page.request, accounts.ISAD);
  await mirror(page.request, token, userName);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));

  await page.goto('/wcpp/home');
  await expect(page.getByRole('heading', { name: 'Welcome, Pia' })).toBeVisible();
  await page.goto('/wcpp/UserProfile');
  await expect(page.getByLabel('Username')).toHaveValue(userName);
  await expect(
    page.getByText(/^You can view the profile of .* but not change it while mirroring\.$/),
  ).toBeVisible();
  await expect(page.getByLabel('First Name')).not.toBeEditable();
  await expect(page.getByLabel('Affiliation')).not.toBeEditable();
  await expect(save(page)).toBeDisabled();
  await page.getByRole('link', { name: 'Change Password' }).click();
  await expect(page.getByText("You can't change passwords while mirroring.")).toBeVisible();
  await expect(page.getByLabel('Current Password')).toBeDisabled();
  await expect(save(page)).toBeDisabled();

  // The profile is incomplete, but only its owner is asked to complete it.
  await expect(dialog(page)).toBeHidden();
  expect(requested.filter((url) => url.includes('needsBackfill'))).toEqual([]);
  const headers = { Authorization: `Bearer ${token}` };
  for (const [method, path] of [
    ['put', '/api/users/updateUser'],
    ['post', '/api/users/updatePwd'],
    ['post', '/api/users/updateBackfill'],
  ] as const) {
    const refused = await page.request[method](path, { headers, data: {} });
    expect(refused.status(), path).toBe(403);
  }
});

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: Locator) {
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${target}`);
}

test('all steps by keyboard: complete the profile, edit it, continue to the password', async ({ page }) => {
  await openAs(page, await addAccount('PRUS'));
  await expect(page.getByLabel('Job Title')).toBeFocused();
  await page.keyboard.type('Biller');
  await tabTo(page, page.getByLabel('Company Name'));
  await page.keyboard.type('Lakeside');
  await tabTo(page, page.getByRole('radio', { name: 'Provider Office Staff' }));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeHidden();

  await tabTo(page, accountLink(page, 'Pia Quist'));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Affiliation')).toHaveValue('BILLING_CO');
  await tabTo(page, save(page));
  await page.keyboard.press('Enter');
  // The banner has the focus. Its first link jumps to the field.
  await expect(message(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Phone Number')).toBeFocused();
  await page.keyboard.type('2165550178');
  await page.keyboard.press('Enter');
  await expect(message(page)).toHaveText(saved);
  await expect(message(page)).toBeFocused();
  await tabTo(page, page.getByRole('link', { name: 'Change Password' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Change Password' })).toBeFocused();
});

test.describe("emails that can't be delivered", () => {
  let portal: Portal;
  test.beforeAll(async () => {
    portal = await startPortal(['serve'], {
      WCPP_SMTP_URL: `smtp://127.0.0.1:${await findFreePort()}`,
      WCPP_SECOND_FACTOR: 'ISAD=offered',
      // The tests make failing attempts on purpose, so don't log them.
      WCPP_LOG_LEVEL: 'error',
    });
  });
  test.afterAll(() => portal.stop());

  test('are shown to a system administrator at home while they are retried', async ({ page }) => {
    const { data, url } = portal;
    const administrator = await addAccount('ISAD', data);
    await addAccount('PRUS', data, '--mail');
    await page.goto(`${url}/wcpp/login`);
    await signIn(page, administrator);
    await expect(page.getByRole('link', { name: 'Sign Out' })).toBeVisible();
    const mails = page.getByRole('table', { name: 'Failed emails' });
    await expect(async () => {
      await page.reload();
      await expect(mails).toBeVisible({ timeout: 3_000 });
    }).toPass();
    await expect(mails.locator('tbody').getByRole('row')).toContainText([/Registration.*Retrying/]);
    await expect(page.getByRole('button', { name: /^Resend/ })).toHaveCount(0);
  });
});

test('a failed email is sent again', async ({ page }) => {
  const mail = {
    id: 7,
    kind: 'password-reset',
    to: 'ada@example.com',
    status: 'failed',
    attempts: 13,
    error: '550 no such mailbox',
    createdAt: '2026-03-02T15:00:00Z',
  };
  let mails = [mail];
  await mockReply(page, '**/api/mails/failed', () => ({ json: mails }));
  await mockReply(page, '**/api/mails/7/resend', () => {
    mails = [];
    return { status: 204 };
  });
  await openAs(page, accounts.ISAD);
  await page.getByRole('button', { name: 'Resend to ada@example.com' }).click();
  await expect(page.getByText('Resending email')).toBeVisible();
  await expect(page.getByRole('table')).toBeHidden();
});
