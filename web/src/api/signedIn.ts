import { api, bearer, unwrap } from './client';
import { coverTab, formatName, getCoverName, uncoverTab } from './cover';
import { dropSession, endSession, fetchSession, getSession, replaceSession } from './session';
import { notifyTabs, onTabMessage } from './tabs';
import type { Session } from './types';

/* Changes during a session. The sign-in screen doesn't load this module. */

/** Reloads the session after a change to it, such as to the user's profile. */
export async function refreshSession(): Promise<void> {
  await replaceSession(await unwrap(api.GET('/session')), { type: 'changed' });
}

/** The server's session has the mirroring state. The response has the mirrored user's access. */
export async function startMirror(mirror: { userNm: string; reason?: string }): Promise<void> {
  switchToMirror(await unwrap(api.POST('/session/mirror', { body: mirror })));
}

/** The same, with the reason entered at the service desk. */
export async function startMirrorFromDesk(userName: string): Promise<void> {
  switchToMirror(await unwrap(api.POST('/desk/users/mirror', { body: { userName } })));
}

export async function stopMirror(): Promise<void> {
  const session = await unwrap(api.DELETE('/session/mirror'));
  notifyTabs({ type: 'mirror' });
  applyMirror(session);
}

/** Reloads the session to find the acting user. */
export async function reloadMirror(): Promise<void> {
  const session = await unwrap(api.GET('/session'));
  if (getSession()) applyMirror(session);
}

/**
 * Updates the acting user. A tab in which users worked as themselves preserves their work and
 * waits.
 */
function applyMirror(session: Session): void {
  const previous = getSession();
  const isOwn = previous && !previous.mirroredUser && !previous.mirrorEnded;
  const stays = isOwn || getCoverName() !== null;
  const mirroredName = session.mirroredUser ? formatName(session.mirroredUser) : session.mirrorEnded;
  if (isOwn && mirroredName) {
    coverTab(mirroredName);
    return;
  }
  const shown = replaceSession(session, { type: stays ? 'changed' : 'mirror' });
  // Not before the screen shows the current acting user.
  if (!mirroredName) void shown.finally(uncoverTab);
}

function switchToMirror(session: Session): void {
  notifyTabs({ type: 'mirror' });
  void replaceSession(session, { type: 'mirror' });
}

onTabMessage(({ type }) => {
  if (!getSession()) return;
  if (type === 'started') void renewSession().catch(() => {});
  // Without a known acting user, end the session.
  if (type === 'mirror') reloadMirror().catch(dropSession);
});

/**
 * Another tab signed in, which ended this page's session. The same user continues here with the
 * new one.
 */
async function renewSession(): Promise<void> {
  const session = await fetchSession();
  const previous = getSession();
  if (!previous || session?.token === previous.token) return;
  if (session?.username !== previous.username) return dropSession();
  if (!previous.mirroredUser && !previous.mirrorEnded)
    await replaceSession({ ...previous, token: session.token }, { type: 'renewed' });
  applyMirror(session);
}

/** The mirroring expired: reload the session. Several failing requests reload it once. */
bearer.endMirror = () => {
  if (isRefreshing || getCoverName() || getSession()?.mirrorEnded) return;
  isRefreshing = true;
  void refreshSession()
    .catch(dropSession)
    .finally(() => {
      isRefreshing = false;
    });
};
let isRefreshing = false;

type ReauthenticationHandler = (give: (proven: boolean) => void) => void;
let handleReauthentication: ReauthenticationHandler | null = null;
let pending: { result: Promise<boolean>; give: (proven: boolean) => void } | null = null;

/** Sets the handler that asks users to re-authenticate. Returns a function that removes it. */
export function onReauthentication(ask: ReauthenticationHandler): () => void {
  handleReauthentication = ask;
  return () => {
    handleReauthentication = null;
    pending?.give(false);
  };
}

/**
 * Once for all waiting requests. An external provider asks on its own pages, and users return
 * with a new session.
 */
bearer.prove = () => {
  if (getSession()?.signsInAgain) endSession({ reason: 'proof' }, true);
  if (!getSession() || !handleReauthentication) return Promise.resolve(false);
  if (pending) return pending.result;
  let give = (_: boolean) => {};
  const result = new Promise<boolean>((resolve) => {
    give = (proven) => {
      pending = null;
      resolve(proven);
    };
  });
  pending = { result, give };
  handleReauthentication(give);
  return result;
};
