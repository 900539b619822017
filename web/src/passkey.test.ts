import { readFileSync } from 'node:fs';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';

const script = readFileSync('../internal/sso/passkey.js', 'utf8');

const problem = (status: number, message: string) =>
  new Response(JSON.stringify({ message }), { status, headers: { 'Content-Type': 'application/json' } });

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.innerHTML = '';
});

test.each([
  [
    'refused',
    problem(409, "Passkeys aren't available for this sign-in. Use a code."),
    "Error: Passkeys aren't available for this sign-in. Use a code.",
  ],
  ['limited', problem(429, 'Error: Too many requests.'), 'Error: Too many requests.'],
  [
    'not from the portal',
    new Response('<h1>Bad Gateway</h1>', { status: 502 }),
    'Error: No passkey was used. Please try again.',
  ],
  [
    'not answered by the user',
    new Response('{"challenge":""}'),
    'Error: No passkey was used. Please try again.',
  ],
])('a passkey challenge that is %s shows the reason', async (_, answer, text) => {
  vi.stubGlobal('PublicKeyCredential', { parseRequestOptionsFromJSON: () => ({}) });
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => answer),
  );
  vi.stubGlobal('navigator', { credentials: { get: () => Promise.reject(new Error('canceled')) } });
  document.body.innerHTML = `<button data-passkey="get" hidden>Use your passkey</button>
    <form id="passkey"><input name="state" /><input name="answer" /></form>`;
  new Function(script)();
  screen.getByRole('button', { name: 'Use your passkey' }).click();
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(text));
  expect(screen.getByRole<HTMLButtonElement>('button').disabled).toBe(false);
});
