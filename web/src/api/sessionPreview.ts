import type { Session } from './types';

/** Session data in the page itself, with no personal data. The session response replaces it. */
export type SessionPreview = Pick<
  Session,
  'routes' | 'menu' | 'workspace' | 'permissions' | 'idleMinutes'
> & {
  type: Session['user']['typeCd'];
};

/** Returns null if the server found no session when it rendered the page. */
export function readSessionPreview(): SessionPreview | null {
  const text = document.getElementById('outline')?.textContent;
  return text ? JSON.parse(text) : null;
}
