import type { Session } from '@/api/types';

/**
 * public: reachable without a session. any: for whoever is signed in. checked: for account types that the server
 * lists for the screen. unknown: no screen has this path.
 */
export type Access = 'public' | 'any' | 'checked' | 'unknown';

export type Verdict = 'open' | 'sign-in' | 'refuse' | 'not-found';

/** What decides it. */
export type May = Pick<Session, 'routes' | 'workspace'>;

/** What becomes of a visit. The screen is the name under which the server lists a checked route. */
export function judge(access: Access, screen: string, session: May | null): Verdict {
  if (access === 'public') return 'open';
  if (!session) return 'sign-in';
  if (access === 'unknown') return 'not-found';
  // Where there is no Workspace its addresses are those of no screen.
  if (!session.workspace && /^(work|desk)(\/|$)/.test(screen)) return 'not-found';
  if (access === 'checked' && !session.routes.includes(screen)) return 'refuse';
  return 'open';
}
