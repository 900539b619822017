import { createRootRoute, redirect } from '@tanstack/react-router';
import { getConfig } from '@/api/config';
import { canBeSignedIn, getSession, restoreSession, signOut } from '@/api/session';
import { readSessionPreview } from '@/api/sessionPreview';
import type { Session } from '@/api/types';
import { isSignInPending } from '@/features/sessions/signIn';
import type { Data } from '@/shared/intakes';
import * as paths from '@/shared/paths';
import { Frame, loadShell } from './Frame';
import { type Access, checkAccess } from './guard';
import { rememberInitialUrl } from './initialUrl';
import { getMirrorStart } from './mirrorStart';
import { SignedOutFrame } from './SignedOutFrame';
import { Unreachable } from './Unreachable';

/* The root of every screen, with its access check and frame. */

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    access?: Access;
    /** The screen's name in the server's list. */
    screen?: string;
    title?: string;
    /** The imported data that the screen shows. */
    data?: Data;
  }
}

// The logout page stays after it ended the session. A new visit to it doesn't.
let hasLoggedOut = false;

export function rememberLogout() {
  hasLoggedOut = true;
}

export const root = createRootRoute({
  async beforeLoad({ location, matches }) {
    const { access = 'unknown', screen = '' } = matches.at(-1)?.staticData ?? {};
    // The path identifies a visit, for its stored state and for the focus.
    const canonicalPath = paths.getScreenPath(screen);
    if (
      location.pathname !== canonicalPath &&
      location.pathname.toLowerCase() === canonicalPath.toLowerCase()
    )
      throw redirect({ to: canonicalPath, search: true, state: true, replace: true });
    const session = await loadSession(access);
    hasLoggedOut &&= screen === 'logout';
    if (!session) rememberInitialUrl(location.publicHref, screen, access, location.state.typed);

    switch (checkAccess(access, screen, session)) {
      case 'sign-in':
        if (hasLoggedOut) break;
        throw redirect({ to: paths.login, replace: true });
      case 'not-found':
        throw redirect({ to: paths.pageNotFound, replace: true });
      case 'refuse':
        if ((await loadShell()).coveredBy()) break;
        // Back and Forward can reach pages of the previously acting user. Only new visits get an
        // error.
        if (location.state.__TSR_index < getMirrorStart()) throw redirect({ to: paths.home, replace: true });
        void signOut({ reason: 'refused' });
        throw redirect({ to: paths.login, replace: true, state: { ending: { reason: 'refused' } } });
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
      <title>{getConfig().brandName}</title>
      <h1 className="visually-hidden">{getConfig().brandName}</h1>
      <Unreachable />
    </SignedOutFrame>
  );
}

/**
 * Returns the session. It's requested where the page needs one, or where this browser may have
 * one.
 */
async function loadSession(access: Access): Promise<Session | null> {
  if (isSignInPending()) return null;
  return access !== 'public' || canBeSignedIn() || readSessionPreview() ? restoreSession() : getSession();
}
