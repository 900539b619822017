import { answer, api, bearer } from './client';
import { cover, coveredBy, nameOf, uncover } from './cover';
import { currentSession, end, heldSession, lose, replace } from './session';
import { hearTabs, tellTabs } from './tabs';
import type { Session } from './types';

/* What becomes of a session while it lasts; the sign-in screen, which has none, loads nothing of it. */

/** Reads the session again after something in it changed, such as the person's own profile. */
export async function refreshSession(): Promise<void> {
  await replace(await answer(api.GET('/session')), { type: 'changed' });
}

/** Mirroring is state of the server's session: it answers with what the mirrored user may see. */
export async function startMirror(mirror: { userNm: string; reason?: string }): Promise<void> {
  mirrored(await answer(api.POST('/session/mirror', { body: mirror })));
}

/** The same for the reason that was given at the service desk. */
export async function startMirrorFromDesk(userName: string): Promise<void> {
  mirrored(await answer(api.POST('/desk/users/mirror', { body: { userName } })));
}

export async function stopMirror(): Promise<void> {
  const session = await answer(api.DELETE('/session/mirror'));
  tellTabs({ type: 'mirror' });
  follow(session);
}

/** Reads whom the session acts for by now. */
export async function readMirror(): Promise<void> {
  const session = await answer(api.GET('/session'));
  if (currentSession()) follow(session);
}

/** Takes up whom the session acts for. A tab in which its user worked as themselves keeps the work and waits. */
function follow(session: Session): void {
  const before = currentSession();
  const own = before && !before.mirroredUser && !before.mirrorEnded;
  const stays = own || coveredBy() !== null;
  const mirrored = session.mirroredUser ? nameOf(session.mirroredUser) : session.mirrorEnded;
  if (own && mirrored) {
    cover(mirrored);
    return;
  }
  const shown = replace(session, { type: stays ? 'changed' : 'mirror' });
  // Not before it is shown for whom the session acts now.
  if (!mirrored) void shown.finally(uncover);
}

function mirrored(session: Session): void {
  tellTabs({ type: 'mirror' });
  void replace(session, { type: 'mirror' });
}

hearTabs(({ type }) => {
  if (!currentSession()) return;
  if (type === 'started') void renew().catch(() => {});
  // Not knowing for whom one acts is no state to work in.
  if (type === 'mirror') readMirror().catch(lose);
});

/** Another tab has signed in, which ended the session of this page. Its user goes on here with the new one. */
async function renew(): Promise<void> {
  const held = await heldSession();
  const before = currentSession();
  if (!before || held?.token === before.token) return;
  if (held?.username !== before.username) return lose();
  if (!before.mirroredUser && !before.mirrorEnded)
    await replace({ ...before, token: held.token }, { type: 'renewed' });
  follow(held);
}

/** The mirroring has ended by itself: the session, read again, says so. Calls that are refused together ask once. */
bearer.mirrorEnded = () => {
  if (readingAgain || coveredBy() || currentSession()?.mirrorEnded) return;
  readingAgain = true;
  void refreshSession()
    .catch(lose)
    .finally(() => {
      readingAgain = false;
    });
};
let readingAgain = false;

type ProofAsker = (give: (proven: boolean) => void) => void;
let askProof: ProofAsker | null = null;
let asked: { proof: Promise<boolean>; give: (proven: boolean) => void } | null = null;

/** Shows the question of who is signed in, until the function that is returned is called. */
export function onProofNeeded(ask: ProofAsker): () => void {
  askProof = ask;
  return () => {
    askProof = null;
    asked?.give(false);
  };
}

/** Once for all calls that wait. An outside provider asks on its own pages: the person comes back with a new session. */
bearer.prove = () => {
  if (currentSession()?.signsInAgain) end({ reason: 'proof' }, true);
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
