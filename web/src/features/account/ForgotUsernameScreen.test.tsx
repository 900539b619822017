import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { readMaxLength } from '@/ui/form/testing';
import { ForgotUsernameScreen } from './ForgotUsernameScreen';
import { accept, button, message, neverRespond, openScreen, respondWithError, sent, start } from './testing';

beforeEach(() => start('POST /public/forgotUsername', { demo: true }));

const email = () => screen.getByLabelText<HTMLInputElement>(/^Email Address/);

async function ask(typed = 'preyes@example.com{Enter}') {
  const router = await openScreen(ForgotUsernameScreen);
  await userEvent.type(email(), typed);
  return router;
}

test('Enter sends it; success hides the form and links to sign-in', async () => {
  accept();
  await ask();
  expect(await message()).toBe(
    'A password reset link will be sent to your email address if the information entered matches our records.Check your email for your username, then sign in.',
  );
  expect(sent()).toEqual([
    { call: 'POST /public/forgotUsername', body: { emailAddress: 'preyes@example.com' } },
  ]);
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.getByRole('link', { name: 'sign in' }).getAttribute('href')).toBe('/login');
  expect(screen.getByRole('link', { name: 'Read the emails it sends' }).getAttribute('href')).toBe(
    '/demo/mail',
  );
});

test('needs a valid address', async () => {
  await ask('preyes{Enter}');
  expect(await message()).toBe('Error: Enter a valid Email Address');
  expect(readMaxLength(email())).toBe(120);
  expect(sent()).toEqual([]);
});

test.each([
  [400, 'INVALID_EMAIL', 'Error: Email Address does not exist.'],
  [
    400,
    'USER_ACCT_NEW',
    'Error: Please access the link in the Registration Email to finish setting up your account or contact your Account Administrator.',
  ],
  [500, 'anything else', 'Error: An error has occured. Please try again or contact Customer Service.'],
  [
    429,
    'Please wait 15 minutes.',
    'Error: An error has occured. Please try again or contact Customer Service. Please wait 15 minutes.',
  ],
])('%i %s is explained and can be tried again', async (status, code, text) => {
  respondWithError(status, code);
  await ask();
  expect(await message()).toBe(text);
  expect(email().value).toBe('preyes@example.com');
  accept();
  await userEvent.click(button('Submit'));
  // The error stays until the response.
  await waitFor(async () => expect(await message()).toMatch(/^A password reset link/));
});

test('sends a double click once', async () => {
  neverRespond();
  await ask('preyes@example.com');
  await userEvent.dblClick(button('Submit'));
  expect(sent()).toHaveLength(1);
});

test('Cancel goes to sign-in', async () => {
  const router = await openScreen(ForgotUsernameScreen);
  await userEvent.click(button('Cancel'));
  expect(router.state.location.pathname).toBe('/login');
});
