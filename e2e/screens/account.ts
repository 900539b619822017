import type { Page } from '@playwright/test';
import { mockReply } from '../replies';
import { accounts, openAs, expect, mirror, openSession, password, makeResetToken } from '../portal';
import { type Screen, type ScreenGroup, dialog, dismiss, visit, submit, findUsers, openMenu, choose, navigate, recover, tryAgain, screen } from './screen';

const accept = (page: Page) => mockReply(page, '**/api/public/**', { json: 'success' });
const refuse = (page: Page, message: string, fields: object[] = []) =>
  mockReply(page, '**/api/public/**', { status: 400, json: { message, fields } });
const mockValidLink = (page: Page) => mockReply(page, '**/api/public/checkLink', { json: 'success' });
async function requestAccount(page: Page, address = 'office@example.com') {
  await page.getByLabel('Email Address').fill(address);
  await page.getByRole('checkbox').check();
  await submit(page);
}
async function resetPassword(page: Page) {
  await page.getByLabel('Username').fill('preyes');
  await page.getByLabel('Email Address').fill('preyes@example.com');
  await submit(page);
}
async function forgotUsername(page: Page) {
  await page.getByLabel('Email Address').fill('preyes@example.com');
  await submit(page);
}
async function setPassword(page: Page, typed: string, again = typed) {
  await page.getByLabel(/^New Password/).fill(typed);
  await page.getByLabel('Confirm New Password').fill(again);
  await submit(page);
}
/** A portal where users only sign in with an external provider. */
const signInOutside = (page: Page) =>
  mockReply(page, '**/js/config.json', { json: { outsideSignIn: true, brandName: 'Provider Portal' } });
/** Opens a signed-out screen without a reload. */
async function openScreen(page: Page, heading: string | RegExp, path: string) {
  await navigate(page, path);
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
}
const message = (page: Page) => page.getByRole('group', { name: 'Message' });

/** Submits a new password with this server response. */
async function changePassword(page: Page, json: string) {
  await mockReply(page, '**/api/users/updatePwd', { json });
  await page.getByLabel('Current Password').fill(password);
  await page.getByLabel('New Password').fill('Rainy-Night-2027');
  await page.getByLabel('Confirm Password').fill('Rainy-Night-2027');
  await page.getByRole('button', { name: 'SAVE' }).click();
}

const day = '2026-03-02T15:00:00Z';
const ownFactors = {
  policy: 'required',
  factors: [
    { id: 1, kind: 'passkey', name: 'Work laptop', addedDt: day, usedDt: day },
    { id: 2, kind: 'app', name: 'Phone', addedDt: day, usedDt: '' },
  ],
  recoveryCodes: 8,
};
const openSessions = ['Firefox on Windows', 'Safari on iPhone', ''].map((device, n) => ({
  id: `${n}`,
  device,
  sinceDt: day,
  seenDt: day,
  thisHere: n === 0,
}));
const recoveryCodes = Array.from({ length: 10 }, (_, n) => `ABCD-EFGH-JKLM-NPQ${n}`);

/** The demo account with an incomplete profile. */
async function requiredProfile(page: Page) {
  await openSession(page.request, 'wortega');
  await page.goto('/wcpp/home');
  await expect(dialog(page)).toBeVisible();
}

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Request an Account', (page) => visit(page, 'requestAccount')),
    screen('Request an Account with errors', async (page) => {
      await requestAccount(page, 'not an address');
      await expect(message(page)).toBeVisible();
    }),
    screen('Request an Account, failed', async (page) => {
      await mockReply(page, '**/api/public/**', 'lost');
      await requestAccount(page);
      await expect(page.getByText(/^There was an error processing/)).toBeVisible();
    }),
    screen('Request an Account, mail sent', async (page) => {
      await accept(page);
      await requestAccount(page);
      await expect(page.getByText(/^Thank you/)).toBeVisible();
    }),
    screen('Request an Account, internal user', async (page) => {
      await openScreen(page, 'Reset Password', 'resetPassword');
      await openScreen(page, 'Request an Account', 'requestAccount');
      await refuse(page, 'INTERNAL_USER');
      await requestAccount(page);
      await expect(page.getByText(/^You appear to be an internal user/)).toBeVisible();
    }),
  ],
  [
    screen('Registration', async (page) => {
      await mockValidLink(page);
      await visit(page, 'registration?token=t');
    }),
    screen('Registration with errors', async (page) => {
      await page.getByLabel('Affiliation').selectOption('Other');
      await page.getByRole('button', { name: 'Add' }).click();
      await page.getByRole('button', { name: 'Done' }).click();
      await expect(message(page)).toBeVisible();
    }),
    screen('Registration with a provider', async (page) => {
      await page.getByLabel('FTIN').fill('123456789');
      await page.getByLabel('Provider Name').fill('Lakeside Orthopedics and Sports Medicine');
      await page.getByRole('button', { name: 'Add' }).click();
      await expect(page.getByRole('list', { name: 'Providers' })).toBeVisible();
    }),
    screen('Reset Password', (page) => openScreen(page, 'Reset Password', 'resetPassword')),
    screen('Reset Password with errors', async (page) => {
      await submit(page);
      await expect(message(page)).toBeVisible();
    }),
    screen('Reset Password, rejected', async (page) => {
      await refuse(page, 'INVALID_USERNAME_OR_EMAIL');
      await resetPassword(page);
      await expect(page.getByText(/does not match our records/)).toBeVisible();
    }),
    screen('Reset Password, mail sent', async (page) => {
      await accept(page);
      await resetPassword(page);
      await expect(page.getByText(/^A password reset link will be sent/)).toBeVisible();
    }),
    screen('Forgot Username', (page) => openScreen(page, 'Forgot Username', 'forgotusernm')),
    screen('Forgot Username, rejected', async (page) => {
      await refuse(page, 'USER_ACCT_NEW');
      await forgotUsername(page);
      await expect(page.getByText(/^Error: Please access the link/)).toBeVisible();
    }),
    screen('Forgot Username, mail sent', async (page) => {
      await accept(page);
      await forgotUsername(page);
      await expect(page.getByText(/^A password reset link will be sent/)).toBeVisible();
    }),
  ],
  [
    screen('New password', async (page) => {
      await mockValidLink(page);
      await visit(page, `confirmPasswordReset?token=${makeResetToken(3600)}`);
      await page.getByLabel(/^New Password/).fill('sunny day');
    }),
    screen('New password with errors', async (page) => {
      await setPassword(page, 'short', 'other');
      await expect(message(page)).toBeVisible();
    }),
    screen('New password, rejected', async (page) => {
      const text = 'This password is too easy to guess. Use a less common one.';
      await refuse(page, 'INVALID_PW', [{ path: 'newPassword', code: 'COMMON_PASSWORD', message: text }]);
      await setPassword(page, 'Password-2026');
      await expect(page.getByText(text)).toBeVisible();
    }),
    screen('New password, used link', async (page) => {
      await refuse(page, 'INVALID_TOKEN');
      await setPassword(page, password);
      await expect(message(page)).toBeVisible();
    }),
    screen('First password', async (page) => {
      await mockValidLink(page);
      await openScreen(page, /./, 'confirmAddUser?token=t');
    }),
  ],
  [
    screen('Account to confirm, with passwords elsewhere', async (page) => {
      await signInOutside(page);
      await mockValidLink(page);
      await visit(page, 'confirmAddUser?token=t');
      await expect(page.getByRole('button', { name: 'Confirm' })).toBeVisible();
    }),
    screen('Account to reset, with passwords elsewhere', async (page) => {
      await visit(page, `confirmPasswordReset?token=${makeResetToken(3600)}`);
      const confirm = page.getByRole('button', { name: 'Confirm' });
      // The link check uses the same endpoint.
      await expect(confirm).toBeVisible();
      await refuse(page, 'INVALID_TOKEN');
      await confirm.click();
      await expect(message(page)).toBeVisible();
    }),
    screen('Reset Password, with passwords elsewhere', (page) =>
      openScreen(page, 'Reset Password', 'resetPassword'),
    ),
  ],
  screen('Change Password, with passwords elsewhere', async (page) => {
    await signInOutside(page);
    await openAs(page, accounts.PRUS, '/wcpp/ChangePassword');
    await expect(page.getByText(/^You sign in with another provider/)).toBeVisible();
  }),
  screen('New password, expired link', (page) =>
    visit(page, `confirmPasswordReset?token=${makeResetToken(-60)}`),
  ),
  screen('New password, broken link', (page) => visit(page, 'confirmPasswordReset?token=broken')),
  screen('First password, expired link', (page) => visit(page, 'confirmAddUser?token=t&expire=1')),
  screen('Registration, invalid link', (page) => visit(page, 'registration')),
  screen('Registration, expired link', (page) => visit(page, 'registration?token=t&expire=1')),
  screen('Registration complete', (page) => visit(page, 'registrationComplete')),
  [
    screen('User Profile, failed to load', async (page) => {
      await mockReply(page, '**/api/users/userByName/**', { status: 404 });
      await openAs(page, accounts.PRUS, '/wcpp/UserProfile');
      await expect(tryAgain(page)).toBeVisible();
    }),
    screen('User Profile', async (page) => {
      await recover(page);
      await page.getByLabel('Affiliation').selectOption('Other');
      await expect(page.getByLabel('Other Description')).toBeVisible();
    }),
    screen('User Profile with errors', async (page) => {
      await navigate(page, 'ChangePassword');
      await expect(page.getByLabel('Current Password')).toBeVisible();
      await navigate(page, 'UserProfile');
      await page.getByLabel('First Name').fill('');
      await page.getByLabel('Phone Number').fill('216');
      await page.getByRole('button', { name: 'SAVE' }).click();
      await expect(message(page)).toBeVisible();
    }),
    screen('User Profile, not saved', async (page) => {
      await page.getByLabel('First Name').fill('Rosa');
      await page.getByLabel('Phone Number').fill('2165550100');
      await mockReply(page, '**/api/users/updateUser', 'lost');
      await page.getByRole('button', { name: 'SAVE' }).click();
      await expect(page.getByText(/^Error: An error has occurred/)).toBeVisible();
    }),
    screen('User Profile saved', async (page) => {
      await mockReply(page, '**/api/users/updateUser', { json: 'success' });
      await page.getByRole('button', { name: 'SAVE' }).click();
      await expect(page.getByText('Your profile was successfully updated.')).toBeVisible();
    }),
    screen('Change Password', async (page) => {
      await navigate(page, 'ChangePassword');
      await page.getByLabel('New Password').fill('Sunny');
    }),
    screen('Change Password, rejected', async (page) => {
      await changePassword(page, 'INVALID_PW CONTAINS_NAME');
      await expect(message(page)).toBeVisible();
    }),
    screen('Change Password done', async (page) => {
      await changePassword(page, 'success');
      await expect(page.getByText('Your password has been changed successfully.')).toBeVisible();
    }),
  ],
  [
    screen('User Profile while mirroring', async (page) => {
      await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRUS);
      await page.goto('/wcpp/UserProfile');
      await expect(page.getByText(/^You can view the profile of/)).toBeVisible();
    }),
    screen('Change Password while mirroring', async (page) => {
      await navigate(page, 'ChangePassword');
      await expect(page.getByLabel('Current Password')).toBeDisabled();
    }),
  ],
  [
    screen('Sign-in and security', async (page) => {
      await mockReply(page, '**/api/account/factors', { json: ownFactors });
      await mockReply(page, '**/api/account/sessions', { json: openSessions });
      await openAs(page, accounts.PRUS, '/wcpp/SignInAndSecurity');
      await expect(page.getByRole('button', { name: 'Remove Phone' })).toBeVisible();
    }),
    screen('Factor to remove', async (page) => {
      await page.getByRole('button', { name: 'Remove Phone' }).click();
      await expect(dialog(page)).toBeVisible();
    }),
    screen('Passkey to add', async (page) => {
      await dismiss(page);
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await expect(page.getByLabel('Name')).toBeVisible();
    }),
    screen('App to add, with errors', async (page) => {
      await dismiss(page);
      await page.getByRole('button', { name: 'Add an authenticator app' }).click();
      await page.getByLabel('Code from your app').fill('12');
      await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
      await expect(message(page)).toBeVisible();
    }),
    screen('Recovery codes', async (page) => {
      await mockReply(page, '**/api/account/factors/app', { json: { codes: recoveryCodes } });
      await page.getByLabel('Code from your app').fill('123456');
      await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
      await expect(page.getByText("You won't see them again.")).toBeVisible();
    }),
  ],
  screen('Sign-in and security, failed', async (page) => {
    await mockReply(page, '**/api/account/**', 'lost');
    await openAs(page, accounts.PRUS, '/wcpp/SignInAndSecurity');
    await expect(tryAgain(page)).toHaveCount(2);
  }),
  screen('Reset of two-step verification', async (page) => {
    await mockValidLink(page);
    await visit(page, 'confirmFactorReset?token=t');
    await expect(page.getByRole('button', { name: 'Reset two-step verification' })).toBeVisible();
  }),
  [
    screen('Required profile', (page) => requiredProfile(page)),
    screen('Required profile with errors', async (page) => {
      await page.getByRole('radio', { name: 'Other' }).check();
      await page.getByRole('button', { name: 'SUBMIT' }).click();
      await expect(message(page)).toBeVisible();
    }),
  ],
  screen(
    'Required profile, not saved',
    async (page) => {
      // The dialog would close after three seconds, before the check.
      await page.addInitScript(() => {
        const later = window.setTimeout;
        window.setTimeout = ((run: TimerHandler, ms?: number) =>
          ms === 3_000 ? 0 : later(run, ms)) as typeof setTimeout;
      });
      await requiredProfile(page);
      await mockReply(page, '**/api/users/updateBackfill', 'lost');
      await page.getByLabel('Job Title').fill('Biller');
      await page.getByLabel('Company Name').fill('Lakeside');
      await page.getByRole('radio', { name: 'Billing Company' }).check();
      await page.getByRole('button', { name: 'SUBMIT' }).click();
      await expect(page.getByText('There was an error submitting your information.')).toBeVisible();
    },
    { ownBrowser: true },
  ),
  [
    screen('User Profile of an administrator', async (page) => {
      await openAs(page, accounts.ISAD, '/wcpp/UserProfile');
      await expect(page.getByLabel('Employee ID')).toBeVisible();
    }),
    screen('Edit Profile', async (page) => {
      await navigate(page, 'UserSearch');
      await findUsers(page, 'Username', accounts.IRAD);
      await openMenu(page, accounts.IRAD);
      await choose(page, 'Edit Profile');
      await page.getByLabel('Employee ID').fill('');
      await page.getByRole('button', { name: 'SAVE' }).click();
      await expect(message(page)).toBeVisible();
    }),
  ],
  screen('Edit Profile without a user', async (page) => {
    await openAs(page, accounts.PRAD, '/wcpp/EditProfile');
    await expect(page.getByText('No user selected')).toBeVisible();
  }),
  screen('Edit Profile while mirroring', async (page) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRAD);
    await page.goto('/wcpp/ManageUsers');
    await openMenu(page, accounts.PRUS);
    await choose(page, 'Edit Profile');
    await expect(page.getByLabel('First Name')).toBeVisible();
  }),
];
