import { type HistoryState, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { seal, unseal } from '@/api/formKey';
import { onSessionChange } from '@/api/session';
import { useKeep } from './visitState';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Work under way that screens hand on, by its name. */
    sealed?: Record<string, Sealed>;
  }
}

interface Sealed {
  id: number;
  /** The work, sealed for its user; null where it could not be. */
  text: string | null;
}

interface Work {
  /** Tells it from other work of its name. */
  id: number;
}

// What is under way in this page; null for what is over. Back and Forward meet entries of the history that know an
// older version, and after Reload the entry on which it happened is the newest that is known.
const newest = new Map<number, unknown>();

// Entries of the history outlive the page: so does what is over, by its ids.
const overKey = 'wcpp.over';
const mostOver = 50;
const readOver = (): number[] => JSON.parse(sessionStorage.getItem(overKey) ?? '[]');
for (const id of readOver()) newest.set(id, null);

onSessionChange(({ type }) => {
  if (type !== 'ended') return;
  newest.clear();
  for (const id of readOver()) newest.set(id, null);
});

/** What the history holds of work: who reads it there reads nothing. */
export async function sealedOf<T extends Work>(name: string, work: T): Promise<HistoryState> {
  newest.set(work.id, work);
  return { sealed: { [name]: { id: work.id, text: await seal(work) } } };
}

/**
 * The work that an entry of the history stands for: null where there is none, undefined where its sealed text is all
 * that this page has of it.
 */
export function workIn<T extends Work>({ sealed }: HistoryState, name: string): T | null | undefined {
  const entry = sealed?.[name];
  if (!entry) return null;
  if (newest.has(entry.id)) return newest.get(entry.id) as T | null;
  return entry.text === null ? null : undefined;
}

/** Ends work: no entry of the history brings it back, not even after a reload. */
export function forget(id: number): void {
  newest.set(id, null);
  sessionStorage.setItem(overKey, JSON.stringify([...readOver(), id].slice(-mostOver)));
}

/** Work under way: the history keeps it, so that Back, Reload and the next screen find it. Nobody else does. */
export function useSealed<T extends Work>(name: string) {
  const router = useRouter();
  const [entry] = useState(() => router.history.location.state.sealed?.[name]);
  const [found, setFound] = useState(() => workIn<T>(router.history.location.state, name));

  useEffect(() => {
    if (found !== undefined || !entry?.text) return;
    let left = false;
    void unseal(entry.text).then((work) => {
      if (left) return;
      if (!newest.has(entry.id)) newest.set(entry.id, work);
      setFound(newest.get(entry.id) as T | null);
    });
    return () => {
      left = true;
    };
  }, [found, entry]);

  const keepInVisit = useKeep();
  const keep = useCallback(
    async (work: T) => {
      const { sealed } = await sealedOf(name, work);
      // By now there may be a newer version.
      if (newest.get(work.id) !== work) return;
      await keepInVisit((before) => ({ ...before, sealed: { ...before.sealed, ...sealed } }));
    },
    [keepInVisit, name],
  );

  return {
    /** Whether it is not known yet what there is. */
    pending: found === undefined,
    found: found ?? null,
    keep,
  };
}
