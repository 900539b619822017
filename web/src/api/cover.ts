import { bearer } from './problem';
import { getSession, onSessionChange } from './session';
import type { User } from './types';

/*
 * While another tab mirrors, the user's other tabs are covered. A covered tab stays on its
 * screen and sends no requests, because the server would treat them as the mirrored user's.
 */

const key = 'wcpp.covered';

let name: string | null = null;
/** Covered before a reload of the page. */
let wasCovered = sessionStorage.getItem(key) !== null;
let release = () => {};
const listeners = new Set<() => void>();

export const formatName = ({ userFirstName, userLastName }: User) => `${userFirstName} ${userLastName}`;

/** Returns the mirrored user's name if this tab is covered. */
export function getCoverName(): string | null {
  const mirrored = wasCovered && getSession()?.mirroredUser;
  if (mirrored) name = formatName(mirrored);
  return name;
}

export function coverTab(mirrored: string): void {
  name = mirrored;
  sessionStorage.setItem(key, 'yes');
  bearer.covered ??= new Promise((resolve) => {
    release = resolve;
  });
  notifyListeners();
}

export function uncoverTab(): void {
  name = null;
  wasCovered = false;
  sessionStorage.removeItem(key);
  bearer.covered = null;
  release();
  notifyListeners();
}

export function onCoverChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

onSessionChange(({ type }) => {
  if (type === 'ended') uncoverTab();
});
