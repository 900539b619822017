import { expect, test } from 'vitest';
import { formatPortalName, getConfig, loadConfig } from './config';
import { fakeServer, type Replies, unreachable } from './testing';

test.each<[string, Replies['GET /js/config.json']]>([
  ['the call fails', unreachable],
  ['the server refuses', { status: 503 }],
  ['the answer is not JSON', { body: new Blob(['<html>']) }],
])('starts with the defaults when %s', async (_, reply) => {
  fakeServer({ 'GET /js/config.json': reply });
  await loadConfig();
  expect(getConfig()).toMatchObject({
    apiUrl: '/api',
    ssoUrl: '/sso/start',
    version: '2.3.35',
    legacySignIn: false,
  });
});

test("formats the portal's name in a sentence", async () => {
  fakeServer({ 'GET /js/config.json': { body: {} } });
  await loadConfig();
  expect([formatPortalName(), getConfig().termsUrl]).toEqual(['the Provider Portal', '/terms']);
  fakeServer({ 'GET /js/config.json': { body: { brandName: 'Acme Portal', termsUrl: '' } } });
  await loadConfig();
  expect([formatPortalName(), getConfig().termsUrl]).toEqual(['Acme Portal', '/terms']);
});

test('uses the given values and ignores wrong types', async () => {
  fakeServer({
    'GET /js/config.json': {
      body: { brandName: 'Acme Portal', legacySignIn: 'yes', internalDomains: null, demo: true },
    },
  });
  await loadConfig();
  expect(getConfig()).toMatchObject({
    brandName: 'Acme Portal',
    legacySignIn: false,
    internalDomains: [],
    demo: true,
  });
});
