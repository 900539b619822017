import { bearer } from './problem';
import { currentSession, onSessionChange } from './session';
import type { User } from './types';

/*
 * While another tab mirrors, the user's other tabs are covered. A covered tab stays on its
 * screen and sends no requests, because the server would treat them as the mirrored user's.
 */

const key = 'wcpp.covered';

let name: string | null = null;
/** Covered before a reload of the page. */
let before = sessionStorage.getItem(key) !== null;
let release = () => {};
const listeners = new Set<() => void>();

export const formatName = ({ userFirstName, userLastName }: User) => `${userFirstName} ${userLastName}`;

/** Returns the mirrored user's name if this tab is covered. */
export function coveredBy(): string | null {
  const mirrored = before && currentSession()?.mirroredUser;
  if (mirrored) name = formatName(mirrored);
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
