import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ConfirmSignInScreen } from './ConfirmSignInScreen';
import { accept, button, expireLink, message, openScreen, respondWithError, sent, start } from './testing';

beforeEach(() => start('POST /public/signIn/confirm', { ssoUrl: '/sso/start' }));

const open = () => openScreen(ConfirmSignInScreen, '/confirmSignIn?token=secret&expire=1');
const confirm = () => userEvent.click(button('Yes, this was me'));

test('opening the link confirms nothing; the click does, and continues to sign-in', async () => {
  accept();
  const leave = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
  await open();
  expect(sent()).toEqual([]);
  await confirm();
  await vi.waitFor(() => expect(leave).toHaveBeenCalledWith('/sso/start'));
  expect(sent()).toEqual([{ call: 'POST /public/signIn/confirm', body: { token: 'secret' } }]);
});

const used = /^This link was already used, was replaced by a newer one/;

test.each([
  ['INVALID_TOKEN', used],
  ['EXPIRED_TOKEN', /^This link has expired/],
] as const)('a link that is %s shows so, at first or after the click', async (standing, text) => {
  expireLink(standing);
  await open();
  expect(screen.getByRole('alert').textContent).toMatch(text);
  expect(screen.getByRole('link', { name: 'sign in' }).getAttribute('href')).toBe('/login');
});

test('one that has been used in the meantime shows so after the click', async () => {
  respondWithError(400, 'INVALID_TOKEN');
  await open();
  await confirm();
  expect(await message()).toMatch(used);
});

test('another failure can be tried again', async () => {
  respondWithError(500, 'anything');
  await open();
  await confirm();
  expect(await message()).toBe('Error: An error has occurred. Please try again or contact Customer Service.');
  expect(button('Yes, this was me').disabled).toBe(false);
});

test('a used link after a lost response probably worked', async () => {
  respondWithError(502, 'BAD_GATEWAY');
  await open();
  await confirm();
  await message();
  respondWithError(400, 'INVALID_TOKEN');
  await confirm();
  expect(await screen.findByText(/^An earlier attempt probably worked/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'sign in' }).getAttribute('href')).toBe('/login');
});
