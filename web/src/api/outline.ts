import type { Session } from './types';

/** What the page itself tells of its session, of the person nothing: the session's own answer stands above it. */
export type Outline = Pick<Session, 'routes' | 'menu' | 'workspace' | 'permissions' | 'idleMinutes'> & {
  type: Session['user']['typeCd'];
};

/** None where the server knew of no session as it made the page. */
export function outline(): Outline | null {
  const text = document.getElementById('outline')?.textContent;
  return text ? JSON.parse(text) : null;
}
