import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { readMaxLength } from '@/ui/form/testing';
import { ResetPasswordScreen } from './ResetPasswordScreen';
import { accept, button, message, neverRespond, openScreen, respondWithError, sent, start } from './testing';

beforeEach(() => start('POST /public/resetPasswordByUser/start', { demo: true }));

const userName = () => screen.getByLabelText<HTMLInputElement>(/^Username/);
const email = () => screen.getByLabelText<HTMLInputElement>(/^Email Address/);

async function ask(name = 'preyes', address = 'preyes@example.com') {
  const router = await openScreen(ResetPasswordScreen);
  await userEvent.type(userName(), name);
  await userEvent.type(email(), address);
  await userEvent.click(button('Submit'));
  return router;
}

test('needs a username and a valid address', async () => {
  await openScreen(ResetPasswordScreen);
  await userEvent.click(button('Submit'));
  expect(await message()).toBe(
    'An error has occurred. Please address all fields marked with “Error”.Error: Enter a UsernameError: Enter a valid Email Address',
  );
  expect(sent()).toEqual([]);
});

test('limits the input length', async () => {
  await openScreen(ResetPasswordScreen);
  expect([readMaxLength(userName()), readMaxLength(email())]).toEqual([50, 120]);
});

test('sends both normalized, and thanks; Done goes home', async () => {
  accept();
  const router = await ask('  paula   reyes ', ' preyes@example.com');
  expect(await message()).toBe(
    'A password reset link will be sent to your email address if the information entered matches our records.',
  );
  expect(sent()).toEqual([
    {
      call: 'POST /public/resetPasswordByUser/start',
      body: { userName: 'paula reyes', emailAddress: 'preyes@example.com' },
    },
  ]);
  expect(screen.getByRole('link', { name: 'Read the emails it sends' }).getAttribute('href')).toBe(
    '/demo/mail',
  );
  await userEvent.click(button('Done'));
  expect(router.state.location.pathname).toBe('/home');
});

test.each([
  [
    400,
    'INVALID_USERNAME_OR_EMAIL',
    'Error: The Username and/or Email Address you submitted does not match our records. Please check the Username and/or Email Address and try again.',
  ],
  [
    400,
    'USER_ACCT_TERMINATED',
    'Error: The account has been terminated. Please contact your account administrator.',
  ],
  [500, 'anything else', 'An error has occured. Please try again or contact Customer Service.'],
  [
    429,
    'Please wait 15 minutes.',
    'An error has occured. Please try again or contact Customer Service. Please wait 15 minutes.',
  ],
])('%i %s is explained and can be tried again', async (status, code, text) => {
  respondWithError(status, code);
  await ask();
  expect(await message()).toBe(text);
  expect(userName().value).toBe('preyes');
  accept();
  await userEvent.click(button('Submit'));
  expect(await message()).toMatch(/^A password reset link/);
});

test('sends a double click once', async () => {
  neverRespond();
  await ask();
  await userEvent.dblClick(button('Submit'));
  expect(sent()).toHaveLength(1);
});

test('Cancel goes home', async () => {
  const router = await openScreen(ResetPasswordScreen);
  await userEvent.click(button('Cancel'));
  expect(router.state.location.pathname).toBe('/home');
});
