import type { Session } from '@/api/types';
import { isWorkspace } from '@/shared/paths';

/**
 * public: reachable without a session. any: for all signed-in users. checked: for the account
 * types that the server lists for the screen. unknown: no screen has this path.
 */
export type Access = 'public' | 'any' | 'checked' | 'unknown';

export type AccessDecision = 'open' | 'sign-in' | 'refuse' | 'not-found';

/** The session fields that decide access. */
export type SessionAccess = Pick<Session, 'routes' | 'workspace'>;

/** Decides whether a screen opens. The server lists a checked route under the screen's name. */
export function checkAccess(access: Access, screen: string, session: SessionAccess | null): AccessDecision {
  if (access === 'public') return 'open';
  if (!session) return 'sign-in';
  if (access === 'unknown') return 'not-found';
  // Without a Workspace, its addresses don't exist.
  if (!session.workspace && isWorkspace(screen)) return 'not-found';
  if (access === 'checked' && !session.routes.includes(screen)) return 'refuse';
  return 'open';
}
