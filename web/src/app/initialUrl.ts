import type { HistoryState } from '@tanstack/react-router';
import type { Access } from './guard';

// Signed-in screens have loaded it. Users who aren't signed in have nothing to encrypt.
const loadFormKey = () => import('@/api/formKey');

/*
 * The tab's destination after sign-in: the address in plain text, the navigation state encrypted
 * for its user.
 */

const key = 'wcpp.initialUrl';
const visitKey = 'wcpp.initialVisit';
const excludedScreens = [
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

/** A visit's data besides its address. */
interface Visit {
  /** The navigation state, encrypted. */
  state?: string;
  /** The unsaved input. Each form is encrypted separately. */
  typed?: HistoryState['typed'];
}

/**
 * Stores the destination of a user who isn't signed in. Sign-in doesn't return to public pages
 * and home, so these don't replace a page it would return to.
 */
export function rememberInitialUrl(
  href: string,
  screen: string,
  access: Access,
  typed?: HistoryState['typed'],
): void {
  if (excludedScreens.includes(screen)) return;
  const isSecondary = access === 'public' || screen === 'home';
  if (isSecondary && sessionStorage.getItem(key) !== null) return;
  const url = new URL(href, window.location.origin);
  for (const name of linkTokens) url.searchParams.delete(name);
  sessionStorage.setItem(key, url.pathname + url.search);
  storeVisit({ typed });
}

/**
 * Stores the address of a document that a browser without a session requested. The error page
 * links here.
 */
export function rememberDocument(address: string): void {
  if (!isDocument(address)) return;
  forgetInitialUrl();
  sessionStorage.setItem(key, address);
}

/** Reports whether the address belongs to the server and no screen shows it. */
export const isDocument = (address: string): boolean => address.startsWith('/api/');

const storeVisit = (visit: Visit) => sessionStorage.setItem(visitKey, JSON.stringify(visit));

// Resolves when the latest entry is encrypted.
let pendingVisit: Promise<void> = Promise.resolve();

/** Stores a visit that the end of its session interrupts. */
export function rememberVisit(
  visit: { href: string; state: HistoryState },
  screen: string,
  access: Access,
): Promise<void> {
  pendingVisit = storeInterruptedVisit(visit, screen, access);
  return pendingVisit;
}

async function storeInterruptedVisit(
  { href, state }: { href: string; state: HistoryState },
  screen: string,
  access: Access,
): Promise<void> {
  forgetInitialUrl();
  const { typed } = state;
  rememberInitialUrl(href, screen, access, typed);
  const url = sessionStorage.getItem(key);
  const sealed = await (await loadFormKey()).encryptValue(state);
  if (url && sealed && sessionStorage.getItem(key) === url) storeVisit({ typed, state: sealed });
}

/** Returns the stored address, with the navigation state if the same user signed in. */
export async function readInitialUrl(): Promise<{ url: string | null; state: HistoryState }> {
  await pendingVisit.catch(() => {});
  const url = sessionStorage.getItem(key);
  const { state, typed }: Visit = JSON.parse(sessionStorage.getItem(visitKey) ?? '{}');
  const opened = state ? ((await (await loadFormKey()).decryptValue(state)) as HistoryState | null) : null;
  return { url, state: { ...(typed && { typed }), ...opened } };
}

export function forgetInitialUrl(): void {
  sessionStorage.removeItem(key);
  sessionStorage.removeItem(visitKey);
}
