import type { HistoryState, StaticDataRouteOption } from '@tanstack/react-router';
import type { Session } from '@/api/types';
import { ownedBy } from '@/shared/owner';
import { judge } from './guard';
import { isDocument, takeInitialUrl } from './initialUrl';

type Screen = Pick<StaticDataRouteOption, 'access' | 'screen'>;

const screens = new Map<string, Screen>();

// As the router finds them: in any case, with a slash at the end or without.
const plain = (path: string) => path.toLowerCase().replace(/(?<=.)\/$/, '');

/** Makes the screen at an address one to which sign-in may lead. */
export const landAt = (path: string, screen: Screen): void => void screens.set(plain(path), screen);

/** The screen at an address; the last part of one may be an id. */
const screenOf = (path: string) => screens.get(path) ?? screens.get(path.replace(/[^/]+$/, '$$id'));

/** Where sign-in leads: the page first asked for, when it is one this account may open; else home. */
export function landing(initialUrl: string | null, session: Session | null): string {
  const path = initialUrl?.match(/^\/wcpp(\/[^?#]*)/)?.[1];
  const { access = 'public', screen = '' } = (path && screenOf(plain(path))) || {};
  const welcome = access !== 'public' && screen !== 'logout' && judge(access, screen, session) === 'open';
  return welcome && initialUrl ? initialUrl : '/wcpp/home';
}

/** The page first asked for, or the one that the end of the session interrupted, as it was; once. */
export async function interrupted(session: Session): Promise<{ href: string; state: HistoryState }> {
  const { url, state } = await takeInitialUrl();
  if (url && isDocument(url)) window.location.replace(url);
  const href = landing(url, session);
  return { href, state: href === url ? ownedBy(session, state) : {} };
}
