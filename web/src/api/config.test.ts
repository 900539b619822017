import { expect, test, vi } from 'vitest';
import { config, loadConfig } from './config';

const answerWith = (response: () => Promise<Response>) => vi.stubGlobal('fetch', vi.fn(response));

test.each([
  ['the call fails', () => Promise.reject(new TypeError('network'))],
  ['the server refuses', () => Promise.resolve(new Response('no', { status: 503 }))],
  ['the answer is not JSON', () => Promise.resolve(new Response('<html>'))],
])('starts with the defaults when %s', async (_, response) => {
  answerWith(response);
  await loadConfig();
  expect(config()).toMatchObject({
    apiUrl: '/api',
    ssoUrl: '/sso/start',
    version: '2.3.35',
    legacySignIn: false,
  });
});

test('takes what is given and ignores what has the wrong type', async () => {
  answerWith(() =>
    Promise.resolve(
      Response.json({ brandName: 'Acme Portal', legacySignIn: 'yes', internalDomains: null, demo: true }),
    ),
  );
  await loadConfig();
  expect(config()).toMatchObject({
    brandName: 'Acme Portal',
    legacySignIn: false,
    internalDomains: [],
    demo: true,
  });
});
