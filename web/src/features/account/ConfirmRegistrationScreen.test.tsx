import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ConfirmRegistrationScreen } from './ConfirmRegistrationScreen';
import { accept, button, expireLink, message, openScreen, respondWithError, sent, start } from './testing';

beforeEach(() => start('POST /public/registration/complete', { ssoUrl: '/sso/start' }));

async function choose(password: string) {
  await openScreen(ConfirmRegistrationScreen, `/confirmAddUser?token=secret&expire=${Date.now() + 60_000}`);
  await userEvent.type(screen.getByLabelText(/^New Password/), password);
  await userEvent.type(screen.getByLabelText(/^Confirm New Password/), password);
  await userEvent.click(button('Submit'));
}

const elsewhere = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));

test('the first password is sent with the token; the browser leaves for sign-in', async () => {
  accept();
  const leave = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
  await choose('Sunny-Day-2027');
  await vi.waitFor(() => expect(leave).toHaveBeenCalledWith('/sso/start?chosen=1'));
  expect(sent()).toEqual([
    { call: 'POST /public/registration/complete', body: { token: 'secret', newPassword: 'Sunny-Day-2027' } },
  ]);
});

test.each([
  ['INVALID_TOKEN', /^This registration link was already used, was replaced by a newer one/],
  ['EXPIRED_TOKEN', /^Your registration link has expired/],
] as const)('a link that is %s shows so before the form', async (standing, text) => {
  expireLink(standing);
  await openScreen(ConfirmRegistrationScreen, '/confirmAddUser?token=secret');
  expect(screen.getByRole('alert').textContent).toMatch(text);
  expect(screen.queryByLabelText(/^New Password/)).toBeNull();
});

test('it must meet the rules of any password', async () => {
  await choose('sunny');
  expect(await message()).toBe(
    'New Password does not meet requirements. Please try again.Error: Password does not meet the Password Requirements',
  );
});

test.each([
  ['/confirmAddUser', /^This registration link was already used/],
  ['/confirmAddUser?token=t&expire=1000', /^Your registration link has expired\./],
])('a link %s shows what to do', async (address, text) => {
  await openScreen(ConfirmRegistrationScreen, address);
  expect(screen.getByRole('alert').textContent).toMatch(text);
  expect(elsewhere()).toEqual(['/login', '/resetPassword']);
  expect(screen.getByText(/ask your administrator/)).toBeTruthy();
});

test.each([
  ['INVALID_TOKEN', /^This registration link was already used/],
  ['EXPIRED_TOKEN', /^Your registration link has expired\./],
])("the server's %s shows what to do", async (code, text) => {
  respondWithError(400, code);
  await choose('Sunny-Day-2027');
  await vi.waitFor(async () => expect(await message()).toMatch(text));
  expect(elsewhere()).toEqual(['/login', '/resetPassword']);
});

test.each([
  [500, 'anything', ''],
  [429, 'Please wait a minute.', ' Please wait a minute.'],
])('a response %i keeps the form', async (status, says, text) => {
  respondWithError(status, says);
  await choose('Sunny-Day-2027');
  expect(await message()).toBe(
    `Error: An error has occurred. Please try again or contact Customer Service.${text}`,
  );
  expect(button('Submit')).toBeTruthy();
});
