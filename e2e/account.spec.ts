import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { findLink, readEmail } from './mail';
import { expect, fillForm, getPortalData, getPortalUrl, makeResetToken, password, test } from './portal';
import { clickTwice, mockReply, restore } from './replies';
import { type Portal, startPortal } from './start';

const newPassword = 'Rainy-Night-2027';

/** The portal that all specs share. */
const shared = (): Pick<Portal, 'url' | 'data'> => ({ url: getPortalUrl(), data: getPortalData() });

/** An unused username, and so an unused address. */
const randomUserName = () => `u${randomUUID().slice(0, 8)}`;
const getAddress = (userName: string) => `${userName}@example.com`;

/** Creates an account for one test: active, or with a registration link, which it returns. */
async function addAccount(portal: Pick<Portal, 'url' | 'data'>, active: boolean) {
  const userName = randomUserName();
  const args = ['user', 'add', '--data', portal.data, '--public-url', portal.url, '--type', 'ROUS'];
  args.push('--user-name', userName, '--email', getAddress(userName));
  args.push('--first-name', 'Paula', '--last-name', 'Reyes', ...(active ? ['--password-stdin'] : []));
  const added = promisify(execFile)(join(import.meta.dirname, '../bin/wcpp'), args);
  added.child.stdin?.end(`${password}\n`);
  const { stdout } = await added;
  return { userName, link: /https?:\S+/.exec(stdout)?.[0] ?? '' };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const message = (page: Page) => page.getByRole('group', { name: 'Message' });
const submit = (page: Page) => page.getByRole('button', { name: 'Submit' });
const email = (page: Page) => page.getByLabel('Email Address');
const thanks =
  'A password reset link will be sent to your email address if the information entered matches our records.';

async function requestReset(page: Page, userName: string, address = getAddress(userName), url = '') {
  await page.goto(`${url}/wcpp/resetPassword`);
  await page.getByLabel('Username').fill(userName);
  await email(page).fill(address);
  await submit(page).click();
}

async function requestUsername(page: Page, address: string, url = '') {
  await page.goto(`${url}/wcpp/forgotusernm`);
  await email(page).fill(address);
  await email(page).press('Enter');
}

async function choose(page: Page, typed: string) {
  await page.getByLabel(/^New Password/).fill(typed);
  await page.getByLabel('Confirm New Password').fill(typed);
  await submit(page).click();
}

/** Signs in on the form that opens after a password was set. */
async function signInWith(page: Page, userName: string, typed: string) {
  await page.waitForURL('**/sso/sign-in');
  await fillForm(page, userName, typed);
  await expect(page.getByRole('link', { name: 'Sign Out' })).toBeVisible();
}

test.describe('an account request', () => {
  const restart = (page: Page) => page.getByRole('link', { name: 'restart registration' });

  async function start(page: Page, address: string, url = '') {
    await page.goto(`${url}/wcpp/login`);
    await page.getByRole('link', { name: 'Request an Account' }).click();
    await expect(heading(page, 'Request an Account')).toBeFocused();
    await email(page).fill(address);
    await expect(submit(page)).toBeDisabled();
    await page.getByRole('checkbox', { name: /^I agree to the Terms and Conditions/ }).check();
    await submit(page).click();
  }

  async function fillIn(page: Page, code: string) {
    await page.getByLabel('Authentication Code').fill(code);
    await page.getByLabel('Affiliation').selectOption('Provider Staff or Facility Employee');
    await page.getByLabel('First Name').fill('Paula');
    await page.getByLabel('Last Name').fill('Reyes');
    await page.getByLabel('Phone Number').fill('(216) 555-0100');
    await page.getByLabel('Job Title').fill('Office Manager');
    await page.getByLabel('Company Name').fill('Lakeside Orthopedics');
    await page.getByLabel('FTIN').fill('123456789');
    await page.getByLabel('Provider Name').fill('Lakeside Orthopedics');
    await page.getByRole('button', { name: 'Add' }).click();
    await expect(page.getByRole('list', { name: 'Providers' })).toBeVisible();
  }

  const getDoneButton = (page: Page) => page.getByRole('button', { name: 'Done' });

  test('goes from the email to the support team; its link works once', async ({ page, context }) => {
    const address = getAddress(randomUserName());
    await start(page, address);
    await expect(message(page)).toContainText('An email with instructions will arrive shortly.');

    const mail = await readEmail(address, 'Your account request');
    const code = /Authentication Code: +(\S+)/.exec(mail)?.[1] ?? '';
    // Opened the way a demo user does.
    await page.getByRole('link', { name: 'Read the emails it sends' }).click();
    const listed = page.getByRole('listitem').filter({ hasText: address });
    await listed.getByRole('link', { name: 'Your account request' }).click();
    await page.getByRole('link', { name: '/wcpp/registration?' }).click();
    await expect(heading(page, 'Registration')).toBeVisible();
    await expect(page).toHaveURL(/\/wcpp\/registration$/);
    await page.reload();
    await expect(page).toHaveURL(/\/wcpp\/registration$/);

    // The link opened again, as users do who have lost the first tab.
    const other = await context.newPage();
    await other.goto(findLink(mail));
    await fillIn(other, code);
    await other.getByLabel('Job Title').fill('Somebody else');

    await fillIn(page, 'AAAAA-BBBBB-CCCCC-22222');
    await getDoneButton(page).click();
    await expect(message(page)).toContainText(
      'This authentication code has already been used or is invalid.',
    );
    await page.getByLabel('Authentication Code').fill(code.toLowerCase());
    await clickTwice(getDoneButton(page), '**/api/public/**');
    await expect(page).toHaveURL(/\/wcpp\/registrationComplete$/);
    await expect(page.getByText(/^Thank you for your request\. Your application/)).toBeVisible();
    await page.reload();
    await expect(page.getByText(/^Thank you for your request\. Your application/)).toBeVisible();
    await expect.poll(() => readEmail('support@portal.example', 'New account request')).toContain(address);
    await getDoneButton(page).click();
    await expect(page).toHaveURL(/\/wcpp\/login$/);

    await getDoneButton(other).click();
    await expect(message(other)).toContainText(
      'This authentication code has already been used or is invalid.',
    );
    await expect(other.getByLabel('Job Title')).toHaveValue('Somebody else');
  });

  test("can't start or continue without a valid link", async ({ page }) => {
    for (const [address, text] of [
      ['registration', 'Invalid activation link. Please restart registration.'],
      ['registration?token=abc&expire=1', 'Your activation link has expired, please restart registration.'],
      ['requestAccount?token=abc&expire=1', 'Your activation link has expired, please restart registration.'],
    ] as const) {
      await page.goto(`/wcpp/${address}`);
      await expect(page.getByRole('alert')).toHaveText(text);
      expect(page.url()).not.toContain('token');
    }
    await restart(page).click();
    await expect(page).toHaveURL(/\/wcpp\/emailRegistration$/);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page).toHaveURL(/\/wcpp\/login$/);
  });

  test('preserves the input when the server rejects it', async ({ page }) => {
    await mockReply(page, '**/api/public/**', 'lost');
    await page.goto('/wcpp/registration?token=made-up');
    await fillIn(page, 'AAAAA-BBBBB-CCCCC-22222');
    await getDoneButton(page).click();
    await expect(message(page)).toContainText(
      'There was an error processing your request. Please try again.',
    );
    await expect(message(page).getByRole('link', { name: 'support@portal.example' })).toBeVisible();
    await restore(page, '**/api/public/**');
    await getDoneButton(page).click();
    await expect(message(page)).toContainText(
      'This authentication code has already been used or is invalid.',
    );
  });

  test('is not for internal staff', async ({ page }) => {
    const portal = await startPortal(['demo', '--bills', '10'], { WCPP_INTERNAL_DOMAINS: 'network.example' });
    const internal = /^You appear to be an internal user/;
    try {
      const calls: string[] = [];
      page.on('request', (request) => calls.push(request.url()));
      await start(page, 'ada@NETWORK.example', portal.url);
      await expect(page.getByText(internal)).toBeVisible();
      expect(calls.filter((url) => url.includes('/api/public/'))).toEqual([]);

      // The server doesn't rely on that.
      await mockReply(page, '**/js/config.json', {});
      await start(page, 'ada@network.example', portal.url);
      await expect(page.getByText(internal)).toBeVisible();
      expect(calls.filter((url) => url.includes('/api/public/'))).toHaveLength(1);
    } finally {
      await portal.stop();
    }
  });
});

test.describe('a new account', () => {
  const rule = (page: Page, text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text });

  test('gets its first password with the registration link, and signs in', async ({ page }) => {
    const { userName, link } = await addAccount(shared(), false);
    expect(link).toContain('/wcpp/confirmAddUser?');
    await page.goto(link);
    await expect(heading(page, 'Finish setting up your account')).toBeVisible();
    await expect(page).toHaveURL(/\/wcpp\/confirmAddUser$/);
    await page.reload();

    await choose(page, 'reyes');
    await expect(message(page)).toContainText('New Password does not meet requirements. Please try again.');
    await expect(rule(page, 'At least one number')).toContainText('not met');
    // Only the server has the user's names and the full list of common passwords.
    await choose(page, 'Not-seyeR-2027');
    await expect(rule(page, /^Must not contain your username/)).toContainText('not met');
    await choose(page, 'Password-2027');
    await expect(rule(page, 'This password is too easy to guess.')).toBeVisible();
    await choose(page, newPassword);
    await signInWith(page, userName, newPassword);

    await page.getByRole('link', { name: 'Sign Out' }).click();
    await page.goto(link);
    await expect(page.getByRole('alert')).toContainText('This registration link was already used');
    await expect(page.getByLabel(/^New Password/)).toHaveCount(0);
    await page.getByRole('link', { name: 'Reset Password' }).click();
    await expect(heading(page, 'Reset Password')).toBeFocused();
  });

  test('gets another link with Reset Password, and the earlier one expires', async ({ page }) => {
    const { userName, link } = await addAccount(shared(), false);
    await requestUsername(page, getAddress(userName));
    await expect(message(page)).toHaveText(
      'Error: Please access the link in the Registration Email to finish setting up your account or contact your Account Administrator.',
    );
    await requestReset(page, userName);
    await expect(message(page)).toHaveText(thanks);
    const mailed = findLink(await readEmail(getAddress(userName), 'Finish setting up your account'));
    await page.goto(link);
    await expect(page.getByRole('alert')).toContainText('This registration link was already used');
    await page.goto(mailed);
    await choose(page, newPassword);
    await signInWith(page, userName, newPassword);
  });

  test('shows that a link has expired', async ({ page }) => {
    for (const screen of ['confirmAddUser', 'confirmRegistration']) {
      await page.goto(`/wcpp/${screen}?token=abc&expire=1`);
      await expect(page.getByRole('alert')).toHaveText('Your registration link has expired.');
    }
  });
});

test.describe('a forgotten password', () => {
  test('is replaced with the emailed link, which works once and in one tab', async ({ page, context }) => {
    const { userName } = await addAccount(shared(), true);
    await requestReset(page, userName);
    await expect(message(page)).toHaveText(thanks);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page).toHaveURL(/\/wcpp\/login$/);

    const link = findLink(await readEmail(getAddress(userName), 'Reset your password'));
    const other = await context.newPage();
    for (const each of [page, other]) {
      await each.goto(link);
      await expect(heading(each, 'Reset Password')).toBeVisible();
      await expect(each).toHaveURL(/\/wcpp\/confirmPasswordReset$/);
    }
    await page.reload();
    await choose(page, newPassword);
    await page.waitForURL('**/sso/sign-in');
    await expect(page.getByRole('status')).toHaveText('Your password was changed. Sign in with the new one.');
    await fillForm(page, userName, password);
    await expect(page.getByRole('alert')).toHaveText('Error: The Username or Password is incorrect.');
    await signInWith(page, userName, newPassword);

    await choose(other, 'Cloudy-Noon-2027');
    await expect(message(other)).toContainText(
      'An error has occurred. Please address all fields marked with “Error”.',
    );
    await other.getByRole('link', { name: 'restart reset password' }).click();
    await expect(other).toHaveURL(/\/wcpp\/resetPassword$/);
  });

  test('is requested once by a double click', async ({ page }) => {
    const { userName } = await addAccount(shared(), true);
    let calls = 0;
    page.on('request', (request) => {
      if (request.url().includes('/api/public/')) calls++;
    });
    await page.goto('/wcpp/forgotpassword');
    await page.getByLabel('Username').fill(userName);
    await email(page).fill(getAddress(userName));
    await clickTwice(submit(page), '**/api/public/**');
    await expect(message(page)).toHaveText(thanks);
    expect(calls).toBe(1);
  });

  test('needs a valid link', async ({ page }) => {
    await page.goto(`/wcpp/confirmPasswordReset?token=${makeResetToken(-60)}`);
    await expect(page.getByRole('alert')).toHaveText(
      'Your password reset link has expired. Please click here to restart reset password.',
    );
    await expect(page).toHaveURL(/\/wcpp\/confirmPasswordReset$/);
    await page.getByRole('link', { name: 'click here' }).click();
    await expect(heading(page, 'Reset Password')).toBeFocused();

    for (const search of ['', '?token=', '?token=a.b.c']) {
      await page.goto(`/wcpp/confirmPasswordReset${search}`);
      await expect(heading(page, 'OOPS!')).toBeVisible();
    }

    // An invalid signature: reported when the link is opened, or else when it's used.
    await page.goto(`/wcpp/confirmPasswordReset?token=${makeResetToken(600)}`);
    await expect(page.getByRole('alert')).toContainText('Error: This link was already used');
    await mockReply(page, '**/api/public/checkLink', 'lost');
    await page.reload();
    await choose(page, newPassword);
    await expect(message(page)).toContainText(
      'An error has occurred. Please address all fields marked with “Error”.',
    );
  });

  test('is limited to five requests', async ({ page }) => {
    const userName = randomUserName();
    await requestReset(page, userName);
    for (let tries = 2; tries <= 5; tries++) {
      await expect(message(page)).toContainText('does not match our records.');
      await submit(page).click();
    }
    await submit(page).click();
    await expect(message(page)).toHaveText(
      'An error has occured. Please try again or contact Customer Service. Too many attempts. Wait 15 minutes and try again.',
    );
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page).toHaveURL(/\/wcpp\/login$/);
  });
});

test.describe('a forgotten username', () => {
  test('is emailed, and links to sign-in', async ({ page }) => {
    const { userName } = await addAccount(shared(), true);
    await requestUsername(page, getAddress(userName).toUpperCase());
    await expect(message(page)).toHaveText(`${thanks}Check your email for your username, then sign in.`);
    await expect(email(page)).toHaveCount(0);
    expect(await readEmail(getAddress(userName), 'Your username')).toContain(`Username:  ${userName}`);
    await page.getByRole('link', { name: 'sign in' }).click();
    await expect(page).toHaveURL(/\/wcpp\/login$/);
  });

  test('is not sent to an unknown address; Cancel goes to sign-in', async ({ page }) => {
    await requestUsername(page, getAddress(randomUserName()));
    await expect(message(page)).toHaveText('Error: Email Address does not exist.');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page).toHaveURL(/\/wcpp\/login$/);
  });
});

test.describe('the account status decides', () => {
  // Unlisted accounts of the demo. The tests change them, so they don't use the shared portal.
  let portal: Portal;
  test.beforeAll(async () => {
    portal = await startPortal(['demo', '--bills', '10']);
  });
  test.afterAll(() => portal.stop());

  for (const [status, userName] of [
    ['locked', 'rporter'],
    ['inactive', 'vibrahim'],
    ['deactivated', 'amontgomery'],
  ] as const) {
    test(`${status}: the username is emailed, and a new password works again`, async ({ page }) => {
      await requestUsername(page, getAddress(userName), portal.url);
      await expect(message(page)).toContainText(thanks);
      await readEmail(getAddress(userName), 'Your username', portal);
      await requestReset(page, userName, getAddress(userName), portal.url);
      await expect(message(page)).toHaveText(thanks);
      await page.goto(findLink(await readEmail(getAddress(userName), 'Reset your password', portal)));
      await choose(page, newPassword);
      await signInWith(page, userName, newPassword);
    });
  }

  test('terminated: nothing works', async ({ page }) => {
    await requestUsername(page, getAddress('sosborne'), portal.url);
    await expect(message(page)).toHaveText('Error: Email Address does not exist.');
    await requestReset(page, 'sosborne', getAddress('sosborne'), portal.url);
    await expect(message(page)).toHaveText(
      'Error: The account has been terminated. Please contact your account administrator.',
    );
  });

  test('new: the user gets the registration link', async ({ page }) => {
    await requestUsername(page, getAddress('sgaines'), portal.url);
    await expect(message(page)).toContainText('Error: Please access the link in the Registration Email');
    await requestReset(page, 'sgaines', getAddress('sgaines'), portal.url);
    await expect(message(page)).toHaveText(thanks);
    await page.goto(
      findLink(await readEmail(getAddress('sgaines'), 'Finish setting up your account', portal)),
    );
    await choose(page, newPassword);
    await signInWith(page, 'sgaines', newPassword);
  });

  test("draft: the account doesn't exist yet", async ({ page }) => {
    await requestUsername(page, getAddress('sunderwood'), portal.url);
    await expect(message(page)).toHaveText('Error: Email Address does not exist.');
    await requestReset(page, 'sunderwood', getAddress('sunderwood'), portal.url);
    await expect(message(page)).toContainText('does not match our records.');
  });
});

test("a portal that doesn't reveal accounts responds to everyone alike", async ({ page }) => {
  const portal = await startPortal(['demo', '--bills', '10'], { WCPP_ACCOUNT_DISCLOSURE: 'neutral' });
  try {
    await requestUsername(page, getAddress(randomUserName()), portal.url);
    await expect(message(page)).toContainText(thanks);
    await requestReset(page, randomUserName(), undefined, portal.url);
    await expect(message(page)).toHaveText(thanks);
  } finally {
    await portal.stop();
  }
});
