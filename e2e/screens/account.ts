import type { Page } from '@playwright/test';
import { address } from '../directory';
import { accounts, enter, expect, mirror, openSession, password, resetToken } from '../portal';
import { type Screen, dialog, visit, submit, resetPassword, users, searchUsers, openMenu, choose, screen } from './screen';

const accept = (page: Page) => page.route('**/api/public/**', (route) => route.fulfill({ json: 'success' }));
const refuse = (page: Page, message: string, fields: object[] = []) =>
  page.route('**/api/public/**', (route) => route.fulfill({ status: 400, json: { message, fields } }));
async function requestAccount(page: Page, address = 'office@example.com') {
  await visit(page, 'requestAccount');
  await page.getByLabel('Email Address').fill(address);
  await page.getByRole('checkbox').check();
  await submit(page);
}
async function forgotUsername(page: Page) {
  await visit(page, 'forgotusernm');
  await page.getByLabel('Email Address').fill('preyes@example.com');
  await submit(page);
}
async function setPassword(page: Page, typed: string, again = typed) {
  await page.getByLabel(/^New Password/).fill(typed);
  await page.getByLabel('Confirm New Password').fill(again);
  await submit(page);
}

/** Sends the form of a new password, and lets the server answer so. */
async function changePassword(page: Page, answer: string) {
  await page.route('**/api/users/updatePwd', (route) => route.fulfill({ json: answer }));
  await page.getByLabel('Current Password').fill(password);
  await page.getByLabel('New Password').fill('Rainy-Night-2027');
  await page.getByLabel('Confirm Password').fill('Rainy-Night-2027');
  await page.getByRole('button', { name: 'SAVE' }).click();
}

/** The account of the demo whose profile is not finished. */
async function requiredProfile(page: Page) {
  await openSession(page.request, 'wortega');
  await page.goto('/wcpp/home');
  await expect(dialog(page)).toBeVisible();
}

export const screens: Screen[] = [
  screen('Request an Account', (page) => visit(page, 'requestAccount')),
  screen('Request an Account with errors', async (page) => {
    await requestAccount(page, 'not an address');
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Request an Account, internal user', async (page) => {
    await refuse(page, 'INTERNAL_USER');
    await requestAccount(page);
    await expect(page.getByText(/^You appear to be an internal user/)).toBeVisible();
  }),
  screen('Request an Account that failed', async (page) => {
    await page.route('**/api/public/**', (route) => route.abort());
    await requestAccount(page);
    await expect(page.getByText(/^There was an error processing/)).toBeVisible();
  }),
  screen('Request an Account, mail sent', async (page) => {
    await accept(page);
    await requestAccount(page);
    await expect(page.getByText(/^Thank you/)).toBeVisible();
  }),
  screen('Registration', (page) => visit(page, 'registration?token=t')),
  screen('Registration with errors', async (page) => {
    await visit(page, 'registration?token=t');
    await page.getByLabel('Affiliation').selectOption('Other');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Registration with a provider', async (page) => {
    await visit(page, 'registration?token=t');
    await page.getByLabel('FTIN').fill('123456789');
    await page.getByLabel('Provider Name').fill('Lakeside Orthopedics and Sports Medicine');
    await page.getByRole('button', { name: 'Add' }).click();
    await expect(page.getByRole('list', { name: 'Providers' })).toBeVisible();
  }),
  screen('Registration, invalid link', (page) => visit(page, 'registration')),
  screen('Registration, expired link', (page) => visit(page, 'registration?token=t&expire=1')),
  screen('Registration complete', (page) => visit(page, 'registrationComplete')),
  screen('Reset Password', (page) => visit(page, 'resetPassword')),
  screen('Reset Password with errors', async (page) => {
    await visit(page, 'resetPassword');
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Reset Password that was refused', async (page) => {
    await refuse(page, 'INVALID_USERNAME_OR_EMAIL');
    await resetPassword(page);
    await expect(page.getByText(/does not match our records/)).toBeVisible();
  }),
  screen('Reset Password, mail sent', async (page) => {
    await accept(page);
    await resetPassword(page);
    await expect(page.getByText(/^A password reset link will be sent/)).toBeVisible();
  }),
  screen('New password', async (page) => {
    await visit(page, `confirmPasswordReset?token=${resetToken(3600)}`);
    await page.getByLabel(/^New Password/).fill('sunny day');
  }),
  screen('New password with errors', async (page) => {
    await visit(page, `confirmPasswordReset?token=${resetToken(3600)}`);
    await setPassword(page, 'short', 'other');
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('New password that was refused', async (page) => {
    const message = 'This password is too easy to guess. Choose a less common one.';
    await refuse(page, 'INVALID_PW', [{ path: 'newPassword', code: 'COMMON_PASSWORD', message }]);
    await visit(page, `confirmPasswordReset?token=${resetToken(3600)}`);
    await setPassword(page, 'Password-2026');
    await expect(page.getByText(message)).toBeVisible();
  }),
  screen('New password, used link', async (page) => {
    await refuse(page, 'INVALID_TOKEN');
    await visit(page, `confirmPasswordReset?token=${resetToken(3600)}`);
    await setPassword(page, password);
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('New password, expired link', (page) =>
    visit(page, `confirmPasswordReset?token=${resetToken(-60)}`),
  ),
  screen('New password, broken link', (page) => visit(page, 'confirmPasswordReset?token=broken')),
  screen('First password', (page) => visit(page, 'confirmAddUser?token=t')),
  screen('First password, expired link', (page) => visit(page, 'confirmAddUser?token=t&expire=1')),
  screen('Forgot Username', (page) => visit(page, 'forgotusernm')),
  screen('Forgot Username that was refused', async (page) => {
    await refuse(page, 'USER_ACCT_NEW');
    await forgotUsername(page);
    await expect(page.getByText(/^Error: Please access the link/)).toBeVisible();
  }),
  screen('Forgot Username, mail sent', async (page) => {
    await accept(page);
    await forgotUsername(page);
    await expect(page.getByText(/^A password reset link will be sent/)).toBeVisible();
  }),
  screen('User Profile', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/UserProfile');
    await page.getByLabel('Affiliation').selectOption('Other');
    await expect(page.getByLabel('Other Description')).toBeVisible();
  }),
  screen('User Profile of an administrator', async (page) => {
    await enter(page, accounts.ISAD, '/wcpp/UserProfile');
    await expect(page.getByLabel('Employee ID')).toBeVisible();
  }),
  screen('User Profile with errors', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/UserProfile');
    await page.getByLabel('First Name').fill('');
    await page.getByLabel('Phone Number').fill('216');
    await page.getByRole('button', { name: 'SAVE' }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('User Profile saved', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/UserProfile');
    await page.route('**/api/users/updateUser', (route) => route.fulfill({ json: 'success' }));
    await page.getByRole('button', { name: 'SAVE' }).click();
    await expect(page.getByText('Your profile was successfully updated.')).toBeVisible();
  }),
  screen('User Profile, not saved', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/UserProfile');
    await page.route('**/api/users/updateUser', (route) => route.abort());
    await page.getByRole('button', { name: 'SAVE' }).click();
    await expect(page.getByText(/^Error: An error has occurred/)).toBeVisible();
  }),
  screen('User Profile that did not load', async (page) => {
    await page.route('**/api/users/userByName/**', (route) => route.fulfill({ status: 404, json: {} }));
    await enter(page, accounts.PRUS, '/wcpp/UserProfile');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('User Profile while mirroring', async (page) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRUS);
    await page.goto('/wcpp/UserProfile');
    await expect(page.getByText(/^This is the profile of/)).toBeVisible();
  }),
  screen('Change Password', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/ChangePassword');
    await page.getByLabel('New Password').fill('Sunny');
  }),
  screen('Change Password that was refused', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/ChangePassword');
    await changePassword(page, 'INVALID_PW CONTAINS_NAME');
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Change Password done', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/ChangePassword');
    await changePassword(page, 'success');
    await expect(page.getByText('Your password has been changed successfully.')).toBeVisible();
  }),
  screen('Change Password while mirroring', async (page) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRUS);
    await page.goto('/wcpp/ChangePassword');
    await expect(page.getByLabel('Current Password')).toBeDisabled();
  }),
  screen('Required profile', (page) => requiredProfile(page)),
  screen('Required profile with errors', async (page) => {
    await requiredProfile(page);
    await page.getByRole('radio', { name: 'Other' }).check();
    await page.getByRole('button', { name: 'SUBMIT' }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen(
    'Required profile, not saved',
    async (page) => {
      // The dialog closes itself after three seconds, before it is looked at.
      await page.addInitScript(() => {
        const later = window.setTimeout;
        window.setTimeout = ((run: TimerHandler, ms?: number) =>
          ms === 3_000 ? 0 : later(run, ms)) as typeof setTimeout;
      });
      await requiredProfile(page);
      await page.route('**/api/users/updateBackfill', (route) => route.abort());
      await page.getByLabel('Job Title').fill('Biller');
      await page.getByLabel('Company Name').fill('Lakeside');
      await page.getByRole('radio', { name: 'Billing Company' }).check();
      await page.getByRole('button', { name: 'SUBMIT' }).click();
      await expect(page.getByText('There was an error submitting your information.')).toBeVisible();
    },
    { ownBrowser: true },
  ),
  screen('Edit Profile', async (page) => {
    await searchUsers(page, 'Username', accounts.IRAD);
    await openMenu(page, accounts.IRAD);
    await choose(page, 'Edit Profile');
    await page.getByLabel('Employee ID').fill('');
    await page.getByRole('button', { name: 'SAVE' }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Edit Profile of nobody', async (page) => {
    await enter(page, accounts.PRAD, '/wcpp/EditProfile');
    await expect(page.getByText('No user was chosen')).toBeVisible();
  }),
  screen('Edit Profile while mirroring', async (page) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRAD);
    await page.goto('/wcpp/ManageUsers');
    await openMenu(page, accounts.PRUS);
    await choose(page, 'Edit Profile');
    await expect(page.getByLabel('First Name')).toBeVisible();
  }),
];
