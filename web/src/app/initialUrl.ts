import type { HistoryState } from '@tanstack/react-router';
import type { Access } from './guard';

// Signed-in screens have it; who is not signed in has nothing to seal.
const sealing = () => import('@/api/formKey');

/* Where a tab goes after sign-in: the address as it is, what belonged to the visit sealed for its user. */

const key = 'wcpp.initialUrl';
const visitKey = 'wcpp.initialVisit';
const neverRemembered = [
  'login',
  'authenticate',
  'confirmPasswordReset',
  'confirmAddUser',
  'confirmEmail',
  'confirmMailbox',
  'stopMails',
  'confirmSignIn',
  'requestAccount',
  'PageNotFound',
];
const linkTokens = ['token', 'code', 'state'];

/** What a visit had besides its address. */
interface Visit {
  /** Its state, sealed. */
  state?: string;
  /** What was typed, each form sealed by itself. */
  typed?: HistoryState['typed'];
}

/**
 * Remembers where someone who is not signed in wanted to go. What sign-in would not return to (public pages, home)
 * does not displace a page it would.
 */
export function rememberInitialUrl(
  href: string,
  screen: string,
  access: Access,
  typed?: HistoryState['typed'],
): void {
  if (neverRemembered.includes(screen)) return;
  const lesser = access === 'public' || screen === 'home';
  if (lesser && sessionStorage.getItem(key) !== null) return;
  const url = new URL(href, window.location.origin);
  for (const name of linkTokens) url.searchParams.delete(name);
  sessionStorage.setItem(key, url.pathname + url.search);
  keepVisit({ typed });
}

/** Remembers a document that a browser without a session went to: the page that refused it leads here. */
export function rememberDocument(address: string): void {
  if (!isDocument(address)) return;
  forgetInitialUrl();
  sessionStorage.setItem(key, address);
}

/** Whether an address is the server's own, which no screen shows. */
export const isDocument = (address: string): boolean => address.startsWith('/api/');

const keepVisit = (visit: Visit) => sessionStorage.setItem(visitKey, JSON.stringify(visit));

// Done once what is remembered last is sealed.
let remembered: Promise<void> = Promise.resolve();

/** Remembers a visit that the end of its session interrupts. */
export function rememberVisit(
  visit: { href: string; state: HistoryState },
  screen: string,
  access: Access,
): Promise<void> {
  remembered = remember(visit, screen, access);
  return remembered;
}

async function remember(
  { href, state }: { href: string; state: HistoryState },
  screen: string,
  access: Access,
): Promise<void> {
  forgetInitialUrl();
  const { typed } = state;
  rememberInitialUrl(href, screen, access, typed);
  const url = sessionStorage.getItem(key);
  const sealed = await (await sealing()).seal(state);
  if (url && sealed && sessionStorage.getItem(key) === url) keepVisit({ typed, state: sealed });
}

/** The remembered address, once, and what belonged to the visit where it was the same user's. */
export async function takeInitialUrl(): Promise<{ url: string | null; state: HistoryState }> {
  await remembered.catch(() => {});
  const url = sessionStorage.getItem(key);
  const { state, typed }: Visit = JSON.parse(sessionStorage.getItem(visitKey) ?? '{}');
  forgetInitialUrl();
  const opened = state ? ((await (await sealing()).unseal(state)) as HistoryState | null) : null;
  return { url, state: { ...(typed && { typed }), ...opened } };
}

export function forgetInitialUrl(): void {
  sessionStorage.removeItem(key);
  sessionStorage.removeItem(visitKey);
}
