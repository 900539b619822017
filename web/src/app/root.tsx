import { createRootRoute, redirect } from '@tanstack/react-router';
import { config } from '@/api/config';
import { outline } from '@/api/outline';
import { currentSession, mayBeSignedIn, restoreSession, signOut } from '@/api/session';
import type { Session } from '@/api/types';
import { signInPending } from '@/features/sessions/signIn';
import type { Data } from '@/shared/intakes';
import { Frame, loadShell } from './Frame';
import { type Access, judge } from './guard';
import { rememberInitialUrl } from './initialUrl';
import { isBeforeMirror } from './mirrored';
import { SignedOutFrame } from './SignedOutFrame';
import { Unreachable } from './Unreachable';

/* What stands around every screen: who may enter it, and its frame. */

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    access?: Access;
    /** The name under which the server lists the screen. */
    screen?: string;
    title?: string;
    /** What the screen shows that comes in by feeds. */
    data?: Data;
  }
}

// The logout page stays shown after it ended the session; a new visit to it does not.
let loggedOutHere = false;

export function rememberLogout() {
  loggedOutHere = true;
}

export const root = createRootRoute({
  async beforeLoad({ location, matches }) {
    const { access = 'unknown', screen = '' } = matches.at(-1)?.staticData ?? {};
    // A visit is known by its path, to what it keeps and to where the focus goes.
    const own = `/${screen}`;
    if (location.pathname !== own && location.pathname.toLowerCase() === own.toLowerCase())
      throw redirect({ to: own, search: true, state: true, replace: true });
    const session = await knownSession(access);
    loggedOutHere &&= screen === 'logout';
    if (!session) rememberInitialUrl(location.publicHref, screen, access, location.state.typed);

    switch (judge(access, screen, session)) {
      case 'sign-in':
        if (loggedOutHere) break;
        throw redirect({ to: '/login', replace: true });
      case 'not-found':
        throw redirect({ to: '/PageNotFound', replace: true });
      case 'refuse':
        if ((await loadShell()).coveredBy()) break;
        // Back and forward may meet pages of whoever was acting before; only new visits are refused.
        if (isBeforeMirror(location.state.__TSR_index)) throw redirect({ to: '/home', replace: true });
        void signOut({ reason: 'refused' });
        throw redirect({ to: '/login', replace: true, state: { ending: { reason: 'refused' } } });
      case 'open':
        if (session) await loadShell();
    }
    return { session };
  },
  component: Frame,
  errorComponent: PortalUnreachable,
});

function PortalUnreachable() {
  return (
    <SignedOutFrame>
      <title>{config().brandName}</title>
      <h1 className="visually-hidden">{config().brandName}</h1>
      <Unreachable />
    </SignedOutFrame>
  );
}

/** The session, asked for where the page needs one or where this browser may hold one. */
async function knownSession(access: Access): Promise<Session | null> {
  if (signInPending()) return null;
  return access !== 'public' || mayBeSignedIn() || outline() ? restoreSession() : currentSession();
}
