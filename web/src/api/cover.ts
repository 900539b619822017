import { bearer } from './problem';
import { currentSession, onSessionChange } from './session';
import type { User } from './types';

/* While another tab mirrors, a tab in which its user worked as themselves is covered: it keeps its screen and makes no
   calls, which the server would take as the mirrored user's. */

const key = 'wcpp.covered';

let name: string | null = null;
/** Covered before this page was loaded again. */
let before = sessionStorage.getItem(key) !== null;
let release = () => {};
const listeners = new Set<() => void>();

export const nameOf = ({ userFirstName, userLastName }: User) => `${userFirstName} ${userLastName}`;

/** The mirrored user's name, where the tab is covered. */
export function coveredBy(): string | null {
  const mirrored = before && currentSession()?.mirroredUser;
  if (mirrored) name = nameOf(mirrored);
  return name;
}

export function cover(mirrored: string): void {
  name = mirrored;
  sessionStorage.setItem(key, 'yes');
  bearer.covered ??= new Promise((resolve) => {
    release = resolve;
  });
  tell();
}

export function uncover(): void {
  name = null;
  before = false;
  sessionStorage.removeItem(key);
  bearer.covered = null;
  release();
  tell();
}

export function onCover(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}

onSessionChange(({ type }) => {
  if (type === 'ended') uncover();
});
