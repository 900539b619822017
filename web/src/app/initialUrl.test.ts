import { beforeEach, describe, expect, test } from 'vitest';
import { rememberInitialUrl, takeInitialUrl } from './initialUrl';

beforeEach(() => sessionStorage.clear());

describe('the initial address', () => {
  test('is kept with its query and given out once', () => {
    rememberInitialUrl('/wcpp/billSearch?mode=claim', 'billSearch', 'checked');
    expect(takeInitialUrl()).toBe('/wcpp/billSearch?mode=claim');
    expect(takeInitialUrl()).toBeNull();
  });

  test.each(['login', 'authenticate', 'confirmPasswordReset', 'confirmAddUser', 'requestAccount'])(
    '%s is never remembered',
    (screen) => {
      rememberInitialUrl(`/wcpp/${screen}`, screen, 'public');
      expect(takeInitialUrl()).toBeNull();
    },
  );

  test('a later guarded page displaces an earlier one', () => {
    rememberInitialUrl('/wcpp/News', 'News', 'any');
    rememberInitialUrl('/wcpp/billSearch', 'billSearch', 'checked');
    expect(takeInitialUrl()).toBe('/wcpp/billSearch');
  });

  test.each([
    ['/wcpp/resetPassword', 'resetPassword', 'public'],
    ['/wcpp/home', 'home', 'checked'],
  ] as const)('%s does not displace a guarded page', (href, screen, access) => {
    rememberInitialUrl('/wcpp/billSearch', 'billSearch', 'checked');
    rememberInitialUrl(href, screen, access);
    expect(takeInitialUrl()).toBe('/wcpp/billSearch');
  });

  test('forgets link tokens', () => {
    rememberInitialUrl('/wcpp/registration?token=secret&expire=5', 'registration', 'public');
    expect(takeInitialUrl()).toBe('/wcpp/registration?expire=5');
  });
});
