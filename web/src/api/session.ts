import { createContext, useContext, useMemo } from 'react';
import { answer, api, bearer, Problem } from './client';
import { hearTabs, tellTabs } from './tabs';
import type { Session, User } from './types';

/** Why a session ended; the sign-in screen tells the person. */
export type Ending =
  | { reason: 'signed-out' | 'expired' | 'refused' | 'proof' }
  | { reason: 'idle'; minutes: number };

export type SessionChange =
  /** renewed: another tab opened the user's next session, and this page goes on with it. */
  | { type: 'started' | 'changed' | 'renewed' | 'mirror' }
  | {
      type: 'ended';
      ending: Ending;
      /** The session was acting for somebody else. */
      mirroring: boolean;
    };

let current: Session | null = null;
/** Whether this page knows if there is a session. */
let known = false;
/** The last session that ended on this page, and its user. */
let ended: { session: string; username: string } | null = null;
const listeners = new Set<Listener>();

/** What it waits for, who signed in waits for. */
type Listener = (change: SessionChange) => unknown;

export const currentSession = (): Session | null => current;

export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// Remembers only that this browser signed in: public pages ask for a session only where one may exist.
const mark = 'wcpp.signedIn';

// Tells every tab, and the page after a reload, that a sign-out has not reached the server, and which.
const unheard = 'wcpp.signOutUnheard';
let unheardHere: string | null = null;

/** Whether the session that was ended here may still be open on the server. */
export const isSignOutUnheard = (): boolean => readUnheard() !== null;

function readUnheard(): string | null {
  try {
    return localStorage.getItem(unheard);
  } catch {
    return unheardHere;
  }
}

/** Calls the listener when that may have changed, in this tab or another. */
export function onSignOutHeard(listener: () => void): () => void {
  window.addEventListener('storage', listener);
  window.addEventListener(unheard, listener);
  return () => {
    window.removeEventListener('storage', listener);
    window.removeEventListener(unheard, listener);
  };
}

/** The reason, and which session it was. */
function noteUnheard(ending: string | null): void {
  unheardHere = ending;
  try {
    if (ending) localStorage.setItem(unheard, ending);
    else localStorage.removeItem(unheard);
  } catch {
    // Storage can be forbidden; this page still knows.
  }
  window.dispatchEvent(new Event(unheard));
}

export function mayBeSignedIn(): boolean {
  try {
    return localStorage.getItem(mark) !== null;
  } catch {
    return true;
  }
}

function take(session: Session | null, signedIn = session !== null): void {
  known = true;
  current = session;
  bearer.token = session?.token ?? '';
  try {
    if (signedIn) localStorage.setItem(mark, 'yes');
    else localStorage.removeItem(mark);
  } catch {
    // Storage can be forbidden; a reload then asks the server.
  }
}

/** Takes what the server answered, and tells who listens. */
export function replace(
  session: Session | null,
  change: SessionChange,
  signedIn?: boolean,
): Promise<unknown> {
  take(session, signedIn);
  return Promise.all([...listeners].map((listener) => listener(change)));
}

export function end(ending: Ending, signedIn?: boolean): void {
  if (current) ended = { session: fingerprint(current.token), username: current.username };
  void replace(null, { type: 'ended', ending, mirroring: Boolean(current?.mirroredUser) }, signedIn);
}

/** Ends a session that the server no longer takes. One of another tab may stand in its place: a reload asks. */
export function lose(): void {
  if (current) end({ reason: 'expired' }, true);
}

/**
 * The session this browser still holds by its cookie; null when there is none. The server is asked once: what
 * ended on this page stays ended, even while the cookie still works because the sign-out is on its way.
 */
export function restoreSession(): Promise<Session | null> {
  if (known) return Promise.resolve(current);
  restoring ??= restore().finally(() => {
    restoring = null;
  });
  return restoring;
}
let restoring: Promise<Session | null> | null = null;

async function restore(): Promise<Session | null> {
  if (isSignOutUnheard()) await repeatSignOut();
  const held = await heldSession();
  if (!known) take(held);
  return current;
}

/** The session of the browser's cookie, whichever this page has. */
export const heldSession = () =>
  answer(api.GET('/session', { headers: { Authorization: '' } })).catch((error) => {
    if (isEnded(error)) return null;
    throw error;
  });

/**
 * Looks for a session that another tab has opened since this page's ended, and goes on with it. A page that was another
 * person's waits for that person, whose work it has kept, unless `ofAnyone` is set.
 */
export async function findSession({ ofAnyone = false } = {}): Promise<Session | null> {
  if (current || !mayBeSignedIn()) return current;
  if (isSignOutUnheard()) await repeatSignOut();
  const held = await heldSession();
  if (current || !held) return current;
  if (ended?.session === fingerprint(held.token)) return null;
  if (ended && ended.username !== held.username && !ofAnyone) return null;
  take(held);
  return held;
}

export async function signIn(credentials: {
  username: string;
  password: string;
  state?: string;
  /** Who answered, as an outside provider names itself. */
  iss?: string;
}): Promise<Session> {
  const { token } = await answer(api.POST('/authenticate', { body: credentials }));
  bearer.token = token;
  try {
    const session = await answer(api.GET('/session'));
    // The server has ended the session that was here before.
    noteUnheard(null);
    const started = replace(session, { type: 'started' });
    tellTabs({ type: 'started' });
    await started;
    return session;
  } catch (error) {
    take(null);
    throw error;
  }
}

/**
 * Ends the session here, in the other tabs and on the server. The browser's part happens whatever the server
 * says. Returns where an outside sign-on wants the browser to go to end its own session.
 */
export async function signOut(ending: Ending): Promise<string | null> {
  if (!current) return null;
  const ended = `${ending.reason} ${fingerprint(current.token)}`;
  // Carries the token that is forgotten here, and outlives the page.
  const headers = { Authorization: `Bearer ${current.token}` };
  const revoked = answer(api.POST('/logout', { headers, keepalive: true, params: told(ending.reason) }));
  // The page that was refused is this tab's own matter: the others keep their place.
  tellTabs({ type: 'ended', ending: ending.reason === 'refused' ? { reason: 'expired' } : ending });
  end(ending);
  return revoked.then(
    ({ signOutUrl }) => signOutUrl,
    (error) => {
      noteUnheard(isEnded(error) || current ? null : ended);
      return null;
    },
  );
}

/** Their user can go on with what was typed, unless that user signed out. */
const told = (reason: string) => (reason === 'signed-out' ? {} : { query: { idle: true } });

/** Tells one session from another and gives nothing of its token away (FNV-1a, 32 bits). */
export function fingerprint(token: string): string {
  let hash = 0x811c9dc5;
  for (const letter of token) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(36);
}

/**
 * Ends on the server the session whose sign-out was not heard, if this browser still holds it by its cookie: never one
 * that began after it. Throws while that fails.
 */
export async function repeatSignOut(): Promise<void> {
  try {
    const held = await heldSession();
    const [reason = '', which] = readUnheard()?.split(' ') ?? [];
    if (held && fingerprint(held.token) === which) {
      const headers = { Authorization: `Bearer ${held.token}` };
      await answer(api.POST('/logout', { headers, params: told(reason) }));
    }
  } catch (error) {
    if (!isEnded(error)) throw error;
  }
  noteUnheard(null);
}

/** The server has ended the session already. */
const isEnded = (error: unknown) => error instanceof Problem && error.status === 401;

bearer.rejected = lose;

hearTabs((message) => {
  if (current && message.type === 'ended') end(message.ending);
});

export const SessionContext = createContext<Session | null>(null);

/** The session of a signed-in screen: whom it acts for and what that person may do. */
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
