import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { ConfirmMailboxScreen } from './ConfirmMailboxScreen';
import { accept, button, message, openScreen, respondWithError, sent, start } from './testing';
import { UnsubscribeScreen } from './UnsubscribeScreen';

describe.each([
  {
    call: 'POST /public/confirmMailbox',
    Screen: ConfirmMailboxScreen,
    press: 'Confirm office mailbox',
    done: /^This mailbox now gets/,
    unusable: /^This link was already used/,
  },
  {
    call: 'POST /public/stopMails',
    Screen: UnsubscribeScreen,
    press: 'Unsubscribe',
    done: /^This address is unsubscribed/,
    unusable: /^This link is incomplete/,
  },
] as const)('$press', ({ call, Screen, press, done, unusable }) => {
  test('nothing happens before the button is clicked, and then once', async () => {
    await start(call);
    accept();
    await openScreen(Screen, '/screen?token=secret');
    expect(sent()).toEqual([]);
    await userEvent.click(button(press));
    expect(await message()).toMatch(done);
    expect(sent()).toEqual([{ call, body: { token: 'secret' } }]);
  });

  test('shows what to do with an unusable link', async () => {
    await start(call);
    respondWithError(400, 'INVALID_TOKEN');
    await openScreen(Screen, '/screen?token=secret');
    await userEvent.click(button(press));
    expect(await message()).toMatch(unusable);
    expect(screen.queryByRole('button', { name: press })).toBeNull();
  });

  test('shows when the portal no longer sends such emails', async () => {
    await start(call);
    respondWithError(404, 'NOT_FOUND');
    await openScreen(Screen, '/screen?token=secret');
    await userEvent.click(button(press));
    expect(await message()).toMatch(/^This portal no longer sends bill updates/);
    expect(screen.queryByRole('button', { name: press })).toBeNull();
  });

  test("an address without a token isn't a link", async () => {
    await start(call);
    await openScreen(Screen, '/screen');
    expect(screen.getByRole('alert').textContent).toMatch(unusable);
  });

  test('a used link after a lost response probably worked', async () => {
    await start(call);
    respondWithError(502, 'BAD_GATEWAY');
    await openScreen(Screen, '/screen?token=secret');
    await userEvent.click(button(press));
    await message();
    respondWithError(400, 'INVALID_TOKEN');
    await userEvent.click(button(press));
    expect(await screen.findByText(/^An earlier attempt probably worked/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: press })).toBeNull();
  });

  test('a failure leaves the button', async () => {
    await start(call);
    respondWithError(500, 'INTERNAL');
    await openScreen(Screen, '/screen?token=secret');
    await userEvent.click(button(press));
    expect(await message()).toMatch(/^Error: An error has occurred/);
    expect(button(press)).toBeTruthy();
  });
});
