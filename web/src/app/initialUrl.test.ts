import { beforeEach, describe, expect, test } from 'vitest';
import { forgetInitialUrl, readInitialUrl, rememberDocument, rememberInitialUrl } from './initialUrl';

beforeEach(() => sessionStorage.clear());

describe('the initial address', () => {
  test('is stored with its query and returned until reached', async () => {
    rememberInitialUrl('/wcpp/billSearch?mode=claim', 'billSearch', 'checked');
    expect((await readInitialUrl()).url).toBe('/wcpp/billSearch?mode=claim');
    expect((await readInitialUrl()).url).toBe('/wcpp/billSearch?mode=claim');
    forgetInitialUrl();
    expect((await readInitialUrl()).url).toBeNull();
  });

  test.each([
    'login',
    'authenticate',
    'confirmPasswordReset',
    'confirmAddUser',
    'confirmSignIn',
    'requestAccount',
  ])('%s is never remembered', async (screen) => {
    rememberInitialUrl(`/wcpp/${screen}`, screen, 'public');
    expect((await readInitialUrl()).url).toBeNull();
  });

  test('a later guarded page replaces an earlier one', async () => {
    rememberInitialUrl('/wcpp/News', 'News', 'any');
    rememberInitialUrl('/wcpp/billSearch', 'billSearch', 'checked');
    expect((await readInitialUrl()).url).toBe('/wcpp/billSearch');
  });

  test.each([
    ['/wcpp/resetPassword', 'resetPassword', 'public'],
    ['/wcpp/home', 'home', 'checked'],
  ] as const)("%s doesn't replace a guarded page", async (href, screen, access) => {
    rememberInitialUrl('/wcpp/billSearch', 'billSearch', 'checked');
    rememberInitialUrl(href, screen, access);
    expect((await readInitialUrl()).url).toBe('/wcpp/billSearch');
  });

  test.each([
    ['/api/resources/a.pdf?b=c', '/api/resources/a.pdf?b=c'],
    ['https://evil.example/api/', null],
    ['//evil.example/api/', null],
    ['/wcpp/home', null],
    ['javascript:alert(1)', null],
  ])('the document %s is stored if the server has it', async (asked, url) => {
    rememberDocument(asked);
    expect((await readInitialUrl()).url).toBe(url);
  });

  test('removes link tokens', async () => {
    rememberInitialUrl('/wcpp/registration?token=secret&expire=5', 'registration', 'public');
    expect((await readInitialUrl()).url).toBe('/wcpp/registration?expire=5');
  });
});
