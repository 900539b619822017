import type { HistoryState, StaticDataRouteOption } from '@tanstack/react-router';
import type { Session } from '@/api/types';
import { restoreState } from '@/shared/owner';
import * as paths from '@/shared/paths';
import { checkAccess } from './guard';
import { forgetInitialUrl, isDocument, readInitialUrl } from './initialUrl';

type Screen = Pick<StaticDataRouteOption, 'access' | 'screen'>;

const screens = new Map<string, Screen>();

// The router ignores case and a trailing slash too.
const normalizePath = (path: string) => path.toLowerCase().replace(/(?<=.)\/$/, '');

/** Lets sign-in return to the screen at this address. */
export const registerLanding = (path: string, screen: Screen): void =>
  void screens.set(normalizePath(path).replace(/\$[^/]+$/, '$$'), screen);

/** Finds the screen at an address. The last segment can be an ID or a number. */
const findScreen = (path: string) => screens.get(path) ?? screens.get(path.replace(/[^/]+$/, '$$'));

/** Returns the page after sign-in. It's the requested page if this account can open it, else home. */
export function getLandingPage(initialUrl: string | null, session: Session | null): string {
  const path = initialUrl && paths.removeBase(initialUrl)?.match(/^[^?#]*/)?.[0];
  const { access = 'public', screen = '' } = (path && findScreen(normalizePath(path))) || {};
  const canOpen =
    access !== 'public' && screen !== 'logout' && checkAccess(access, screen, session) === 'open';
  return canOpen && initialUrl ? initialUrl : paths.addBase(paths.home);
}

/**
 * Returns the requested page or the page that the end of the session interrupted, with its
 * state. It stays stored until a signed-in screen is shown, because two events can ask for it.
 */
export async function getInterruptedPage(session: Session): Promise<{ href: string; state: HistoryState }> {
  const { url, state } = await readInitialUrl();
  if (url && isDocument(url)) {
    forgetInitialUrl();
    window.location.replace(url);
  }
  const href = getLandingPage(url, session);
  return { href, state: href === url ? restoreState(session, state) : {} };
}
