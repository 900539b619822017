import { createContext, useContext, useMemo } from 'react';
import { api, bearer, Problem, unwrap } from './client';
import { notifyTabs, onTabMessage } from './tabs';
import type { Ending, Session, User } from './types';

export type SessionChange =
  /** renewed: another tab opened the user's next session, and this page continues with it. */
  | { type: 'started' | 'changed' | 'renewed' | 'mirror' }
  | {
      type: 'ended';
      ending: Ending;
      /** The session was mirroring another user. */
      mirroring: boolean;
    };

let current: Session | null = null;
/** This page knows whether there is a session. */
let isKnown = false;
/** The last session that ended on this page, and its user. */
let ended: { session: string; username: string } | null = null;
const listeners = new Set<Listener>();

/** Signing in waits for the promise that a listener returns. */
type Listener = (change: SessionChange) => unknown;

export const getSession = (): Session | null => current;

export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// Stores only that this browser signed in: public pages request a session only if one can exist.
const signedInKey = 'wcpp.signedIn';

// Records for all tabs, and for the page after a reload, which sign-out hasn't reached the
// server.
const pendingKey = 'wcpp.signOutUnheard';
let pendingSignOut: string | null = null;

/** Reports whether the session that ended here may still be open on the server. */
export const isSignOutPending = (): boolean => readPendingSignOut() !== null;

function readPendingSignOut(): string | null {
  try {
    return localStorage.getItem(pendingKey);
  } catch {
    return pendingSignOut;
  }
}

/** Calls the listener when that may have changed, in this tab or another. */
export function onSignOutPending(listener: () => void): () => void {
  window.addEventListener('storage', listener);
  window.addEventListener(pendingKey, listener);
  return () => {
    window.removeEventListener('storage', listener);
    window.removeEventListener(pendingKey, listener);
  };
}

/** The reason and the session. */
function setPendingSignOut(ending: string | null): void {
  pendingSignOut = ending;
  try {
    if (ending) localStorage.setItem(pendingKey, ending);
    else localStorage.removeItem(pendingKey);
  } catch {
    // Storage can be blocked; this page still has the value.
  }
  window.dispatchEvent(new Event(pendingKey));
}

export function canBeSignedIn(): boolean {
  try {
    return localStorage.getItem(signedInKey) !== null;
  } catch {
    return true;
  }
}

function setSession(session: Session | null, signedIn = session !== null): void {
  isKnown = true;
  current = session;
  bearer.token = session?.token ?? '';
  try {
    if (signedIn) localStorage.setItem(signedInKey, 'yes');
    else localStorage.removeItem(signedInKey);
  } catch {
    // Storage can be blocked; a reload then asks the server.
  }
}

/** Stores the server's session and notifies the listeners. */
export function replaceSession(
  session: Session | null,
  change: SessionChange,
  signedIn?: boolean,
): Promise<unknown> {
  setSession(session, signedIn);
  return Promise.all([...listeners].map((listener) => listener(change)));
}

export function endSession(ending: Ending, signedIn?: boolean): void {
  if (current) ended = { session: fingerprint(current.token), username: current.username };
  void replaceSession(null, { type: 'ended', ending, mirroring: Boolean(current?.mirroredUser) }, signedIn);
}

/**
 * Ends a session that the server no longer accepts. Another tab may have a newer one, which a
 * reload would find.
 */
export function dropSession(): void {
  if (current) endSession({ reason: 'expired' }, true);
}

/**
 * Returns the session of this browser's cookie; null if there is none. It asks the server once:
 * a session that ended on this page stays ended, even while the cookie still works because the
 * sign-out is in progress.
 */
export function restoreSession(): Promise<Session | null> {
  if (isKnown) return Promise.resolve(current);
  restoring ??= restore().finally(() => {
    restoring = null;
  });
  return restoring;
}
let restoring: Promise<Session | null> | null = null;

async function restore(): Promise<Session | null> {
  if (isSignOutPending()) await repeatSignOut();
  const session = await fetchSession();
  if (!isKnown) setSession(session);
  return current;
}

/** Requests the session of the browser's cookie, even if this page has another. */
export const fetchSession = () =>
  unwrap(api.GET('/session', { headers: { Authorization: '' } })).catch((error) => {
    if (isEnded(error)) return null;
    throw error;
  });

/**
 * Looks for a session that another tab has opened since this page's session ended, and continues
 * with it. The page of another user waits for that user, because it has their unsaved work,
 * unless `anyUser` is set.
 */
export async function findSession({ anyUser = false } = {}): Promise<Session | null> {
  if (current || !canBeSignedIn()) return current;
  if (isSignOutPending()) await repeatSignOut();
  const session = await fetchSession();
  if (current || !session) return current;
  if (ended?.session === fingerprint(session.token)) return null;
  if (ended && ended.username !== session.username && !anyUser) return null;
  setSession(session);
  return session;
}

export async function signIn(credentials: {
  username: string;
  password: string;
  state?: string;
  /** The issuer, if an external provider names itself. */
  iss?: string;
}): Promise<Session> {
  const { token } = await unwrap(api.POST('/authenticate', { body: credentials }));
  bearer.token = token;
  try {
    const session = await unwrap(api.GET('/session'));
    // The server has ended the previous session.
    setPendingSignOut(null);
    const started = replaceSession(session, { type: 'started' });
    notifyTabs({ type: 'started' });
    await started;
    return session;
  } catch (error) {
    setSession(null);
    throw error;
  }
}

/**
 * Ends the session here, in the other tabs and on the server. The browser's part happens even if
 * the server fails.
 */
export async function signOut(ending: Ending): Promise<void> {
  if (!current) return;
  const ended = `${ending.reason} ${fingerprint(current.token)}`;
  const revoked = revoke(ending.reason, current.token);
  // Only this tab shows that the page was refused. The other tabs remain where they are.
  notifyTabs({ type: 'ended', ending: ending.reason === 'refused' ? { reason: 'expired' } : ending });
  endSession(ending);
  return revoked.catch((error) => setPendingSignOut(isEnded(error) || current ? null : ended));
}

/**
 * Ends a session on the server. Users who signed out continue to the address where an external
 * provider ends its own session. All others can continue with unsaved input later.
 */
async function revoke(reason: string, token: string): Promise<void> {
  const idle = reason !== 'signed-out' || undefined;
  const { signOutUrl } = await unwrap(
    api.POST('/logout', {
      // The browser may have forgotten the token. The request outlives the page.
      headers: { Authorization: `Bearer ${token}` },
      keepalive: true,
      params: { query: { idle } },
    }),
  );
  if (!idle && signOutUrl) window.location.replace(signOutUrl);
}

/** Identifies a session without revealing its token (FNV-1a, 32 bits). */
export function fingerprint(token: string): string {
  let hash = 0x811c9dc5;
  for (const letter of token) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(36);
}

/**
 * Repeats a sign-out that didn't reach the server, if this browser's cookie still belongs to
 * that session. It never ends a newer session. Throws if it fails again.
 */
export async function repeatSignOut(): Promise<void> {
  try {
    const session = await fetchSession();
    const [reason = '', sessionId] = readPendingSignOut()?.split(' ') ?? [];
    if (session && fingerprint(session.token) === sessionId) await revoke(reason, session.token);
  } catch (error) {
    if (!isEnded(error)) throw error;
  }
  setPendingSignOut(null);
}

/** The server has already ended the session. */
const isEnded = (error: unknown) => error instanceof Problem && error.status === 401;

bearer.reject = dropSession;

onTabMessage((message) => {
  if (current && message.type === 'ended') endSession(message.ending);
});

export const SessionContext = createContext<Session | null>(null);

/** The session of a signed-in screen, with the acting user and their permissions. */
export function useSession(): Session & { actingUser: User; can: (permission: string) => boolean } {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession is for screens behind sign-in');
  return useMemo(
    () => ({
      ...session,
      actingUser: session.mirroredUser ?? session.user,
      can: (permission: string) => session.permissions.includes(permission),
    }),
    [session],
  );
}
