import { useSyncExternalStore } from 'react';

/** The user's choice; 'auto' follows the system. */
export type ThemeChoice = 'auto' | 'light' | 'dark';

const storageKey = 'theme';
const queryDarkScheme = () => window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

/** Applies the stored choice to <html>. Called once, before the first render. */
export function applyStoredTheme() {
  const stored = readStored();
  if (stored !== 'auto') document.documentElement.dataset.theme = stored;
}

export function setTheme(choice: ThemeChoice) {
  if (choice === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  try {
    localStorage.setItem(storageKey, choice);
  } catch {
    // Storage can be blocked. Then the choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

/** The current scheme, 'light' or 'dark'. It follows the choice and the system. */
export function useColorScheme(): 'light' | 'dark' {
  return useSyncExternalStore(subscribe, getColorScheme);
}

function getColorScheme() {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return queryDarkScheme().matches ? 'dark' : 'light';
}

function subscribe(listener: () => void) {
  const system = queryDarkScheme();
  listeners.add(listener);
  system.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    system.removeEventListener('change', listener);
  };
}

function readStored(): ThemeChoice {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === 'light' || stored === 'dark' ? stored : 'auto';
  } catch {
    return 'auto';
  }
}
