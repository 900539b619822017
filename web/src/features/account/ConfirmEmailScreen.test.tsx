import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { ConfirmEmailScreen } from './ConfirmEmailScreen';
import { accept, button, message, openScreen, respondWithError, sent, start } from './testing';

const confirm = 'Confirm email address';

beforeEach(() => start('POST /public/confirmEmail'));

const open = (query = '?token=secret') => openScreen(ConfirmEmailScreen, `/confirmEmail${query}`);

test('nothing happens before the button is clicked, and then once', async () => {
  accept();
  await open();
  expect(sent()).toEqual([]);
  await userEvent.click(button(confirm));
  expect(await message()).toBe('Your email address is updated.');
  expect(sent()).toEqual([{ call: 'POST /public/confirmEmail', body: { token: 'secret' } }]);
});

test.each([
  ['INVALID_TOKEN', /^This link was already used/, /^To get a new link, sign in and save the address/],
  ['EXPIRED_TOKEN', /^This link has expired/, /^To get a new link, sign in and save the address/],
  [
    'EMAIL_EXISTS',
    /^This email address is already used by another account/,
    /^To continue to the portal, sign in/,
  ],
] as const)('%s shows so, and what to do', async (code, text, next) => {
  respondWithError(code === 'EMAIL_EXISTS' ? 409 : 400, code);
  await open();
  await userEvent.click(button(confirm));
  expect(await message()).toMatch(text);
  expect(screen.queryByRole('button', { name: confirm })).toBeNull();
  const link = screen.getByRole('link', { name: 'sign in' });
  expect(link.getAttribute('href')).toBe('/login');
  expect(link.closest('p')?.textContent).toMatch(next);
});

test('a failure leaves the button', async () => {
  respondWithError(500, 'INTERNAL');
  await open();
  await userEvent.click(button(confirm));
  expect(await message()).toMatch(/^Error: An error has occurred/);
  accept();
  await userEvent.click(button(confirm));
  await waitFor(async () => expect(await message()).toMatch(/Your email address is updated/));
});

test("an address without a token isn't a link", async () => {
  await open('');
  expect(screen.getByRole('alert').textContent).toMatch(/is incomplete\.$/);
});
