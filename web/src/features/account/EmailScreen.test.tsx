import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { RequestAccountScreen } from './RequestAccountScreen';
import { accept, button, message, neverRespond, openScreen, respondWithError, sent, start } from './testing';

beforeEach(() =>
  start('POST /public/registration/startRequestAccount', {
    internalDomains: ['network.example'],
    supportEmail: 'help@portal.example',
    demo: true,
  }),
);
async function request(address: string) {
  const router = await openScreen(RequestAccountScreen, '/requestAccount');
  await userEvent.type(screen.getByLabelText(/^Email Address/), address);
  await userEvent.click(screen.getByRole('checkbox', { name: /^I agree to the Terms and Conditions/ }));
  await userEvent.click(button('Submit'));
  return router;
}

test('blocks the submit before the terms are accepted', async () => {
  await openScreen(RequestAccountScreen);
  expect(button('Submit').disabled).toBe(true);
  await userEvent.type(screen.getByLabelText(/^Email Address/), 'office@example.com{Enter}');
  expect(sent()).toEqual([]);
  await userEvent.click(screen.getByRole('checkbox'));
  expect(button('Submit').disabled).toBe(false);
  await userEvent.click(screen.getByRole('checkbox'));
  expect(button('Submit').disabled).toBe(true);
});

test('links to the terms, plain ones by default, and to a privacy policy', async () => {
  await openScreen(RequestAccountScreen);
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/terms']);
  cleanup();
  await start('POST /public/registration/startRequestAccount', {
    termsUrl: '/terms',
    privacyUrl: '/privacy',
  });
  await openScreen(RequestAccountScreen);
  expect(screen.getByRole('link', { name: 'Terms and Conditions' }).getAttribute('href')).toBe('/terms');
  expect(screen.getByRole('link', { name: 'Privacy Policy' }).getAttribute('href')).toBe('/privacy');
});

test('needs a valid address', async () => {
  await request('office@example');
  expect(await message()).toBe('A valid Email Address is required.');
  expect(screen.getByLabelText(/^Email Address/).getAttribute('aria-invalid')).toBe('true');
  expect(sent()).toEqual([]);
});

test("doesn't send an internal domain's address", async () => {
  await request('ada@network.example');
  expect(await message()).toBe(
    'You appear to be an internal user. Internal users cannot request an account here. Contact your System Administrator.',
  );
  expect(sent()).toEqual([]);
});

test('relies on the server for internal addresses', async () => {
  respondWithError(400, 'INTERNAL_USER');
  await request('ada@elsewhere.example');
  expect(await message()).toMatch(/^You appear to be an internal user/);
});

test('ends with thanks, with a link to the email in the demo', async () => {
  accept();
  await request(' office@example.com ');
  expect(await message()).toBe(
    'Thank you. An email with instructions will arrive shortly. If it does not arrive within one business day, please contact support.',
  );
  expect(sent()).toEqual([
    { call: 'POST /public/registration/startRequestAccount', body: { emailAddress: 'office@example.com' } },
  ]);
  expect(screen.getByRole('link', { name: 'Read the emails it sends' }).getAttribute('href')).toBe(
    '/demo/mail',
  );
});

test('sends a double click once', async () => {
  neverRespond();
  await request('office@example.com');
  await userEvent.dblClick(button('Submit'));
  expect(sent()).toHaveLength(1);
});

test.each([
  [500, 'Something went wrong', ''],
  [429, 'Please wait 15 minutes.', ' Please wait 15 minutes.'],
])('explains a response %i, preserves the input and can be tried again', async (status, says, text) => {
  respondWithError(status, says);
  await request('office@example.com');
  expect(await message()).toBe(
    `There was an error processing your request. Please try again.${text}If the problem persists, please email help@portal.example.`,
  );
  expect(screen.getByRole('link', { name: 'help@portal.example' }).getAttribute('href')).toBe(
    'mailto:help@portal.example',
  );
  accept();
  await userEvent.click(button('Submit'));
  expect(await message()).toMatch(/^Thank you\./);
});

test("shows the server's problem on the field", async () => {
  respondWithError(400, 'Some values are not valid.', [
    { path: 'emailAddress', code: 'INVALID', message: 'Too odd.' },
  ]);
  await request('office@example.com');
  expect(await message()).toBe('Too odd.');
});

test('Cancel goes to sign-in', async () => {
  const router = await openScreen(RequestAccountScreen);
  await userEvent.click(button('Cancel'));
  expect(router.state.location.pathname).toBe('/login');
});

test('is the second step after an emailed link', async () => {
  await openScreen(RequestAccountScreen, '/requestAccount?token=t');
  expect(screen.getByLabelText(/^Authentication Code/)).toBeTruthy();
});
