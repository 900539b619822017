import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { isPasswordExternal } from '@/api/config';
import { configure, fakeServer, makeSession } from '@/api/testing';
import ChangePasswordScreen from './ChangePasswordScreen';
import { ConfirmPasswordResetScreen } from './ConfirmPasswordResetScreen';
import { ConfirmRegistrationScreen } from './ConfirmRegistrationScreen';
import { makeDetails, show } from './profileTesting';
import { ResetPasswordScreen } from './ResetPasswordScreen';
import SignInAndSecurityScreen from './SignInAndSecurityScreen';
import { accept, button, expireLink, message, openScreen, respondWithError, sent, start } from './testing';
import UserProfileScreen from './UserProfileScreen';

const outside = { outsideSignIn: true, ssoUrl: '/sso/start' };

beforeEach(() => configure(outside));

/** A reset token, which contains its expiry. */
const resetToken = `x.${btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 60 }))}.x`;

test.each([
  ['the portal’s own form', false, true, false],
  ['an outside provider and the own form', true, true, false],
  ['an outside provider alone', true, false, true],
])('with %s', async (_, outsideSignIn, legacySignIn, expected) => {
  await configure({ outsideSignIn, legacySignIn });
  expect(isPasswordExternal()).toBe(expected);
});

test.each([
  [
    'a registration',
    ConfirmRegistrationScreen,
    'POST /public/registration/complete',
    '/confirmAddUser?token=secret',
    'secret',
    '/sso/start?chosen=1',
  ],
  [
    'a reset',
    ConfirmPasswordResetScreen,
    'POST /public/resetPassword/complete',
    `/confirmPasswordReset?token=${resetToken}`,
    resetToken,
    '/sso/start?changed=1',
  ],
] as const)(
  'the link of %s confirms the account, without a password',
  async (_, component, call, address, token, to) => {
    await start(call, outside);
    accept();
    const leave = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
    await openScreen(component, address);
    expect(screen.getByText(/[Cc]onfirm that this account is yours/)).toBeTruthy();
    expect(screen.queryByLabelText(/Password/)).toBeNull();
    await userEvent.click(button('Confirm'));
    await vi.waitFor(() => expect(leave).toHaveBeenCalledWith(to));
    expect(sent()).toEqual([{ call, body: { token, newPassword: '' } }]);
  },
);

test('a link that was rejected shows so', async () => {
  await start('POST /public/registration/complete', outside);
  respondWithError(500, 'Something went wrong');
  await openScreen(ConfirmRegistrationScreen, '/confirmAddUser?token=secret');
  await userEvent.click(button('Confirm'));
  expect(await message()).toBe('Error: An error has occurred. Please try again or contact Customer Service.');
});

test('a reset link that has been used in the meantime shows so, without mentioning fields', async () => {
  await start('POST /public/resetPassword/complete', outside);
  respondWithError(400, 'INVALID_TOKEN');
  await openScreen(ConfirmPasswordResetScreen, `/confirmPasswordReset?token=${resetToken}`);
  await userEvent.click(button('Confirm'));
  expect(await message()).toMatch(/^Error: This link was already used/);
});

test('a used link shows what to do', async () => {
  await start('POST /public/registration/complete', outside);
  expireLink('INVALID_TOKEN');
  await openScreen(ConfirmRegistrationScreen, '/confirmAddUser?token=secret');
  expect(screen.getByText(/If you have confirmed your account/)).toBeTruthy();
});

test('Reset Password explains what it does', async () => {
  await start('POST /public/resetPasswordByUser/start', outside);
  await openScreen(ResetPasswordScreen);
  expect(screen.getByText(/^Reset your password with your identity provider/)).toBeTruthy();
});

test('Change Password shows where', async () => {
  show(ChangePasswordScreen);
  expect(
    await screen.findByText('You sign in with another provider. Change your password there.'),
  ).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'SAVE' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Back to User Profile' })).toBeTruthy();
});

test('nothing else links to Change Password', async () => {
  fakeServer({
    'GET /account/sessions': { body: [] },
    'GET /users/userByName/prad.demo': { body: makeDetails() },
  });
  const security = show(SignInAndSecurityScreen, makeSession({ permissions: ['account.sessions'] }));
  expect(await screen.findByText(/then change your password with your identity provider/)).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Change Password' })).toBeNull();
  security.unmount();
  show(UserProfileScreen);
  await screen.findByLabelText('Username');
  expect(screen.queryByRole('link', { name: 'Change Password' })).toBeNull();
});
