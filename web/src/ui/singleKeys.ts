import { useSyncExternalStore } from 'react';

const storageKey = 'singleKeys';
const listeners = new Set<() => void>();
let enabled = readStored();

/** Reports whether shortcuts of one character work. Speech input can trigger them by accident. */
export const useSingleKeys = () => useSyncExternalStore(subscribe, () => enabled);

export function setSingleKeys(next: boolean) {
  enabled = next;
  try {
    localStorage.setItem(storageKey, next ? 'on' : 'off');
  } catch {
    // Storage can be blocked. Then the choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function readStored() {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    return true;
  }
}
