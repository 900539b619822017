import type { HistoryState } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { decryptValue, encryptValue } from '@/api/formKey';
import { onSessionChange } from '@/api/session';
import { useInitialState, useSetHistoryState } from './historyState';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Work in progress that screens pass on, by name. */
    sealed?: Record<string, Sealed>;
  }
}

interface Sealed {
  id: number;
  /** The work, encrypted for its user; null if that failed. */
  text: string | null;
}

interface Work {
  /** Distinguishes it from other work with the same name. */
  id: number;
}

// This page's work in progress; null if finished. Back and Forward reach history entries with
// older versions, and after a reload only the entry of the latest change has the newest version.
const newest = new Map<number, unknown>();

// History entries outlive the page, so the IDs of finished work are stored too.
const finishedKey = 'wcpp.over';
const maxFinished = 50;
const readFinished = (): number[] => JSON.parse(sessionStorage.getItem(finishedKey) ?? '[]');
for (const id of readFinished()) newest.set(id, null);

onSessionChange(({ type }) => {
  if (type !== 'ended') return;
  newest.clear();
  for (const id of readFinished()) newest.set(id, null);
});

/** An ID for new work. Two pieces of work can start in the same millisecond. */
export const newWorkId = (): number => Math.random();

/** Encrypts work for the history, so that the history reveals nothing. */
export async function encryptState<T extends Work>(name: string, work: T): Promise<HistoryState> {
  // A change that was still to be stored doesn't restore finished work.
  if (newest.get(work.id) !== null) newest.set(work.id, work);
  return { sealed: { [name]: { id: work.id, text: await encryptValue(work) } } };
}

/**
 * Returns the work of a history entry: null if there is none, undefined if this page has only
 * the encrypted text.
 */
export function getWork<T extends Work>({ sealed }: HistoryState, name: string): T | null | undefined {
  const entry = sealed?.[name];
  if (!entry) return null;
  if (newest.has(entry.id)) return newest.get(entry.id) as T | null;
  return entry.text === null ? null : undefined;
}

/** Finishes work. No history entry restores it, not even after a reload. */
export function discardWork(id: number): void {
  newest.set(id, null);
  sessionStorage.setItem(finishedKey, JSON.stringify([...readFinished(), id].slice(-maxFinished)));
}

/**
 * Work in progress in the history, so that Back, Reload and the next screen find it, and other
 * users don't.
 */
export function useEncryptedState<T extends Work>(name: string) {
  const initial = useInitialState();
  const entry = initial.sealed?.[name];
  const [found, setFound] = useState(() => getWork<T>(initial, name));

  useEffect(() => {
    if (found !== undefined || !entry?.text) return;
    let isLeft = false;
    void decryptValue(entry.text).then((work) => {
      if (isLeft) return;
      if (!newest.has(entry.id)) newest.set(entry.id, work);
      setFound(newest.get(entry.id) as T | null);
    });
    return () => {
      isLeft = true;
    };
  }, [found, entry]);

  const setHistoryState = useSetHistoryState();
  const store = useCallback(
    async (work: T) => {
      const { sealed } = await encryptState(name, work);
      // There may be a newer version.
      if (newest.get(work.id) !== work) return;
      await setHistoryState((before) => ({ ...before, sealed: { ...before.sealed, ...sealed } }));
    },
    [setHistoryState, name],
  );

  return {
    /** True until the work is decrypted. */
    pending: found === undefined,
    found: found ?? null,
    store,
  };
}
