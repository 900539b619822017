import { answer, api, bearer } from './client';
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
  mirrored(await answer(api.DELETE('/session/mirror')));
}

function mirrored(session: Session): void {
  tellTabs({ type: 'mirror' });
  void replace(session, { type: 'mirror' });
}

hearTabs(({ type }) => {
  if (!currentSession()) return;
  if (type === 'started') void renew().catch(() => {});
  if (type === 'mirror') {
    answer(api.GET('/session')).then(
      (session) => void replace(session, { type: 'mirror' }),
      // Not knowing for whom one acts is no state to work in.
      lose,
    );
  }
});

/** Another tab has signed in, which ended the session of this page. Its user goes on here with the new one. */
async function renew(): Promise<void> {
  const held = await heldSession();
  const before = currentSession();
  if (!before || held?.token === before.token) return;
  if (held?.username !== before.username) return lose();
  const mirror = Boolean(held.mirroredUser ?? before.mirroredUser);
  await replace(held, { type: mirror ? 'mirror' : 'renewed' });
}

/** The mirroring has ended by itself: the session, read again, says so. Calls that are refused together ask once. */
bearer.mirrorEnded = () => {
  if (readingAgain || currentSession()?.mirrorEnded) return;
  readingAgain = true;
  void refreshSession()
    .catch(lose)
    .finally(() => {
      readingAgain = false;
    });
};
let readingAgain = false;

/** What a screen offers was refused: an administrator can have given the account another type. */
bearer.forbidden = () => {
  const before = currentSession();
  if (readingAgain || !before) return;
  readingAgain = true;
  void answer(api.GET('/session'))
    .then((session) => {
      const isOther = session.user.typeCd !== before.user.typeCd && session.user.id === before.user.id;
      if (isOther && currentSession()?.token === before.token) return replace(session, { type: 'changed' });
    })
    .catch(() => {}) // the refusal itself is shown
    .finally(() => {
      readingAgain = false;
    });
};

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
