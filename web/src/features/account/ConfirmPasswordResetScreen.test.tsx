import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ConfirmPasswordResetScreen, getStep, ResetStep } from './ConfirmPasswordResetScreen';
import {
  accept,
  button,
  expireLink,
  message,
  neverRespond,
  openScreen,
  respondWithError,
  sent,
  start,
} from './testing';

beforeEach(() => start('POST /public/resetPassword/complete', { ssoUrl: '/sso/start' }));

const part = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_');
const makeToken = (claims: unknown) => `${part({ alg: 'HS256' })}.${part(claims).replace(/=+$/, '')}.c2ln`;
const inSeconds = (seconds: number) =>
  makeToken({ jti: '~~~???', exp: Math.floor(Date.now() / 1000) + seconds });

const typed = () => screen.getByLabelText(/^New Password/);
const again = () => screen.getByLabelText(/^Confirm New Password/);

async function choose(password: string, confirmation = password, token = inSeconds(60)) {
  const router = await openScreen(ConfirmPasswordResetScreen, `/confirmPasswordReset?token=${token}`);
  if (password) await userEvent.type(typed(), password);
  if (confirmation) await userEvent.type(again(), confirmation);
  await userEvent.click(button('Submit'));
  return router;
}

const rule = (text: string | RegExp) => screen.getByText(text).closest('li')?.textContent;

describe('the step', () => {
  test.each([
    ['ends now', makeToken({ exp: 1000 }), 'ConfirmPasswordStep'],
    ['ended a second ago', makeToken({ exp: 999 }), 'LinkExpired'],
    ['never ends', makeToken({ jti: 'x' }), 'InvalidToken'],
    ['ends in words', makeToken({ exp: 'tomorrow' }), 'InvalidToken'],
    ['holds nothing', makeToken(null), 'InvalidToken'],
    ['is no token', 'token', 'InvalidToken'],
    ['is not there', '', 'InvalidToken'],
  ])('for a token that %s', (_, token, expected) => {
    expect(getStep(token, 1_000_000)).toBe(expected);
  });

  test('LinkExpired links to another link', async () => {
    await openScreen(ConfirmPasswordResetScreen, `/confirmPasswordReset?token=${inSeconds(-5)}`);
    expect(screen.getByRole('alert').textContent).toBe(
      'Your password reset link has expired. Please click here to restart reset password.',
    );
    expect(screen.getByRole('link', { name: 'click here' }).getAttribute('href')).toBe('/resetPassword');
  });

  test.each(['', '?token=', '?token=broken'])('is OOPS! for the address %j', async (search) => {
    await openScreen(ConfirmPasswordResetScreen, `/confirmPasswordReset${search}`);
    expect(screen.getByRole('heading', { name: 'OOPS!' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'restart reset password' }).getAttribute('href')).toBe(
      '/resetPassword',
    );
  });

  test.each([
    ['INVALID_TOKEN', /^Error: This link was already used, was replaced by a newer one/],
    ['EXPIRED_TOKEN', /^Your password reset link has expired/],
  ] as const)('of a link that is %s shows before the form', async (standing, text) => {
    expireLink(standing);
    await openScreen(ConfirmPasswordResetScreen, `/confirmPasswordReset?token=${inSeconds(60)}`);
    expect(screen.getByRole('alert').textContent).toMatch(text);
    expect(screen.queryByLabelText(/^New Password/)).toBeNull();
  });

  test('ThankYou thanks the user', async () => {
    await openScreen(() => <ResetStep step="ThankYou" token="" />);
    expect(screen.getByRole('status').textContent).toBe('Your password has been changed successfully.');
  });

  test('removes the token from the address and stores it for a reload', async () => {
    const token = inSeconds(60);
    const router = await openScreen(ConfirmPasswordResetScreen, `/confirmPasswordReset?token=${token}`);
    expect(router.history.location.href).toBe('/confirmPasswordReset');
    expect(router.history.location.state.link?.token).toBe(token);
  });
});

describe('a new password', () => {
  test('is sent trimmed with the token; the browser leaves for sign-in', async () => {
    accept();
    const leave = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
    const token = inSeconds(60);
    await choose(' Sunny-Day-2027 ', 'Sunny-Day-2027', token);
    await vi.waitFor(() => expect(leave).toHaveBeenCalledWith('/sso/start?changed=1'));
    expect(sent()).toEqual([
      { call: 'POST /public/resetPassword/complete', body: { token, newPassword: 'Sunny-Day-2027' } },
    ]);
    // The form can't be sent again until the browser has left the page.
    await userEvent.click(button('Submit'));
    expect(sent()).toHaveLength(1);
  });

  test.each([
    [
      '',
      '',
      'An error has occurred. Please address all fields marked with “Error”.Error: Enter New PasswordError: Confirm New Password',
    ],
    [
      'Sunny-Day-2027',
      'Sunny-Day-2028',
      'An error has occurred. Please address all fields marked with “Error”.Error: Passwords do not match',
    ],
    [
      'sunny',
      'sunny',
      'New Password does not meet requirements. Please try again.Error: Password does not meet the Password Requirements',
    ],
  ])("%j confirmed by %j isn't sent", async (password, confirmation, text) => {
    await choose(password, confirmation);
    expect(await message()).toBe(text);
    expect(sent()).toEqual([]);
  });

  test("shows each rule as it's met", async () => {
    await openScreen(ConfirmPasswordResetScreen, `/confirmPasswordReset?token=${inSeconds(60)}`);
    expect(rule('8 to 20 characters')).toBe('8 to 20 characters: not checked yet');
    await userEvent.type(typed(), 'sunny1');
    expect(rule('8 to 20 characters')).toBe('8 to 20 characters: not met');
    expect(rule('At least one lower case letter')).toBe('At least one lower case letter: met');
    expect(rule('At least one number')).toBe('At least one number: met');
    expect(screen.getByRole('status').textContent).toBe('3 of 7 requirements met');
  });

  test('has fields that password managers recognize', async () => {
    await openScreen(ConfirmPasswordResetScreen, `/confirmPasswordReset?token=${inSeconds(60)}`);
    for (const field of [typed(), again()]) expect(field.getAttribute('autocomplete')).toBe('new-password');
  });

  test("containing a name fails that rule until it's changed", async () => {
    respondWithError(400, 'INVALID_PW', [
      { path: 'newPassword', code: 'CONTAINS_NAME', message: 'It contains your name.' },
    ]);
    await choose('My-Paula-2027');
    expect(await message()).toBe(
      'New Password does not meet requirements. Please try again.Error: Password does not meet the Password Requirements',
    );
    expect(rule(/^Must not contain your username/)).toMatch(/: not met$/);
    await userEvent.type(typed(), '8');
    expect(rule(/^Must not contain your username/)).toMatch(/: not checked yet$/);
  });

  test("found in breaches isn't sent, with a message", async () => {
    await openScreen(ConfirmPasswordResetScreen, `/confirmPasswordReset?token=${inSeconds(60)}`);
    await userEvent.type(typed(), 'Trustno1-!');
    await userEvent.type(again(), 'Trustno1-!');
    await vi.waitFor(() =>
      expect(rule(/^This password is too easy to guess/)).toBe(
        'This password is too easy to guess. Use a less common one.: not met',
      ),
    );
    await userEvent.click(button('Submit'));
    expect(sent()).toEqual([]);
    await userEvent.type(typed(), 'x');
    expect(screen.queryByText(/^This password is too easy to guess/)).toBeNull();
  });

  test('rejected for another reason shows it', async () => {
    respondWithError(400, 'INVALID_PW', [
      { path: 'newPassword', code: 'COMMON_PASSWORD', message: 'Too easy to guess.' },
    ]);
    await choose('Lake-and-Sea-2027');
    expect(await message()).toMatch(/^New Password does not meet requirements\. Please try again\./);
    expect(rule('Too easy to guess.')).toBe('Too easy to guess.: not met');
  });

  test.each(['INVALID_TOKEN', 'EXPIRED_TOKEN'])('rejected with %s links to another link', async (code) => {
    respondWithError(400, code);
    await choose('Sunny-Day-2027');
    expect(await message()).toMatch(
      /^An error has occurred\. Please address all fields marked with “Error”\.Error: /,
    );
    expect(screen.getByRole('link', { name: 'restart reset password' }).getAttribute('href')).toBe(
      '/resetPassword',
    );
  });

  test('a used link after a lost response probably worked', async () => {
    respondWithError(504, 'GATEWAY_TIMEOUT');
    await choose('Sunny-Day-2027');
    await message();
    respondWithError(400, 'INVALID_TOKEN');
    await userEvent.click(button('Submit'));
    expect(await screen.findByText(/^An earlier attempt probably worked/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'restart reset password' })).toBeTruthy();
  });

  test.each([
    [500, 'anything', ''],
    [429, 'Please wait a minute.', ' Please wait a minute.'],
  ])('rejected with %i can be sent again', async (status, says, text) => {
    respondWithError(status, says);
    await choose('Sunny-Day-2027');
    expect(await message()).toBe(
      `Error: An error has occurred. Please try again or contact Customer Service.${text}`,
    );
    accept();
    const leave = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
    await userEvent.click(button('Submit'));
    await vi.waitFor(() => expect(leave).toHaveBeenCalled());
  });

  test('is sent once on a double click', async () => {
    neverRespond();
    await choose('Sunny-Day-2027');
    await userEvent.dblClick(button('Submit'));
    expect(sent()).toHaveLength(1);
  });
});
