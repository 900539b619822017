import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { ConfirmFactorResetScreen } from './ConfirmFactorResetScreen';
import { accept, button, expireLink, openScreen, respondWithError, sent, start } from './testing';

beforeEach(() => start('POST /public/factorReset/complete', { ssoUrl: '/sso/start' }));

const open = () => openScreen(ConfirmFactorResetScreen, '/confirmFactorReset?token=t');
const ended = /^Error: This link was already used, was replaced by a newer one or has expired/;

test('nothing is reset before the button is clicked', async () => {
  accept();
  await open();
  expect(sent()).toEqual([]);
  await userEvent.click(button('Reset two-step verification'));
  expect(await screen.findByText('Two-step verification is reset. Sign in with your password.')).toBeTruthy();
  expect(sent().map(({ body }) => body)).toEqual([{ token: 't' }]);
});

test('an expired link shows so, before and after', async () => {
  respondWithError(400, 'INVALID_TOKEN');
  await open();
  await userEvent.click(button('Reset two-step verification'));
  expect((await screen.findByRole('alert')).textContent).toMatch(ended);
});

test('an expired link offers nothing', async () => {
  expireLink('EXPIRED_TOKEN');
  await open();
  expect((await screen.findByRole('alert')).textContent).toMatch(ended);
  expect(screen.queryByRole('button')).toBeNull();
});

test('a used link after a lost response probably worked', async () => {
  respondWithError(502, 'BAD_GATEWAY');
  await open();
  await userEvent.click(button('Reset two-step verification'));
  await screen.findByText(/An error has occurred/);
  respondWithError(400, 'INVALID_TOKEN');
  await userEvent.click(button('Reset two-step verification'));
  expect(await screen.findByText(/^An earlier attempt probably worked/)).toBeTruthy();
});
