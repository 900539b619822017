import { api, bearer, unwrap } from './client';
import { cover, coveredBy, formatName, uncover } from './cover';
import { currentSession, dropSession, endSession, fetchSession, replaceSession } from './session';
import { notifyTabs, onTabMessage } from './tabs';
import type { Session } from './types';

/* Changes during a session. The sign-in screen doesn't load this module. */

/** Reloads the session after a change to it, such as to the user's profile. */
export async function refreshSession(): Promise<void> {
  await replaceSession(await unwrap(api.GET('/session')), { type: 'changed' });
}

/** The server's session has the mirroring state. The response has the mirrored user's access. */
export async function startMirror(mirror: { userNm: string; reason?: string }): Promise<void> {
  mirrored(await unwrap(api.POST('/session/mirror', { body: mirror })));
}

/** The same, with the reason entered at the service desk. */
export async function startMirrorFromDesk(userName: string): Promise<void> {
  mirrored(await unwrap(api.POST('/desk/users/mirror', { body: { userName } })));
}

export async function stopMirror(): Promise<void> {
  const session = await unwrap(api.DELETE('/session/mirror'));
  notifyTabs({ type: 'mirror' });
  follow(session);
}

/** Reloads the session to find the acting user. */
export async function readMirror(): Promise<void> {
  const session = await unwrap(api.GET('/session'));
  if (currentSession()) follow(session);
}

/**
 * Updates the acting user. A tab in which users worked as themselves preserves their work and
 * waits.
 */
function follow(session: Session): void {
  const before = currentSession();
  const own = before && !before.mirroredUser && !before.mirrorEnded;
  const stays = own || coveredBy() !== null;
  const mirrored = session.mirroredUser ? formatName(session.mirroredUser) : session.mirrorEnded;
  if (own && mirrored) {
    cover(mirrored);
    return;
  }
  const shown = replaceSession(session, { type: stays ? 'changed' : 'mirror' });
  // Not before the screen shows the current acting user.
  if (!mirrored) void shown.finally(uncover);
}

function mirrored(session: Session): void {
  notifyTabs({ type: 'mirror' });
  void replaceSession(session, { type: 'mirror' });
}

onTabMessage(({ type }) => {
  if (!currentSession()) return;
  if (type === 'started') void renew().catch(() => {});
  // Without a known acting user, end the session.
  if (type === 'mirror') readMirror().catch(dropSession);
});

/**
 * Another tab signed in, which ended this page's session. The same user continues here with the
 * new one.
 */
async function renew(): Promise<void> {
  const held = await fetchSession();
  const before = currentSession();
  if (!before || held?.token === before.token) return;
  if (held?.username !== before.username) return dropSession();
  if (!before.mirroredUser && !before.mirrorEnded)
    await replaceSession({ ...before, token: held.token }, { type: 'renewed' });
  follow(held);
}

/** The mirroring expired: reload the session. Several failing requests reload it once. */
bearer.mirrorEnded = () => {
  if (readingAgain || coveredBy() || currentSession()?.mirrorEnded) return;
  readingAgain = true;
  void refreshSession()
    .catch(dropSession)
    .finally(() => {
      readingAgain = false;
    });
};
let readingAgain = false;

type ProofAsker = (give: (proven: boolean) => void) => void;
let askProof: ProofAsker | null = null;
let asked: { proof: Promise<boolean>; give: (proven: boolean) => void } | null = null;

/** Sets the handler that asks users to re-authenticate. Returns a function that removes it. */
export function onReauthentication(ask: ProofAsker): () => void {
  askProof = ask;
  return () => {
    askProof = null;
    asked?.give(false);
  };
}

/**
 * Once for all waiting requests. An external provider asks on its own pages, and users return
 * with a new session.
 */
bearer.prove = () => {
  if (currentSession()?.signsInAgain) endSession({ reason: 'proof' }, true);
  if (!currentSession() || !askProof) return Promise.resolve(false);
  if (asked) return asked.proof;
  let give = (_: boolean) => {};
  const proof = new Promise<boolean>((resolve) => {
    give = (proven) => {
      asked = null;
      resolve(proven);
    };
  });
  asked = { proof, give };
  askProof(give);
  return proof;
};
