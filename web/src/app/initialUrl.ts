import type { Access } from './guard';

const key = 'wcpp.initialUrl';
const neverRemembered = [
  'login',
  'authenticate',
  'confirmPasswordReset',
  'confirmAddUser',
  'requestAccount',
  'PageNotFound',
];
const linkTokens = ['token', 'code', 'state'];

/**
 * Remembers where someone who is not signed in wanted to go. What sign-in would not return to (public pages, home)
 * does not displace a page it would.
 */
export function rememberInitialUrl(href: string, screen: string, access: Access): void {
  if (neverRemembered.includes(screen)) return;
  const lesser = access === 'public' || screen === 'home';
  if (lesser && sessionStorage.getItem(key) !== null) return;
  const url = new URL(href, window.location.origin);
  for (const name of linkTokens) url.searchParams.delete(name);
  sessionStorage.setItem(key, url.pathname + url.search);
}

/** The remembered address, once. */
export function takeInitialUrl(): string | null {
  const url = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return url;
}
