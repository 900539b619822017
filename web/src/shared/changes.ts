import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { hearTabs, type Subject, tellTabs } from '@/api/tabs';

/**
 * What many screens show: the first part of the key of each query that shows it. After a change of one, each of
 * these is out of date: those on show are read again, the others forgotten.
 */
export function useAnnounceChange() {
  const client = useQueryClient();
  return (...subjects: Subject[]) => {
    tellTabs({ type: 'changed', subjects });
    return readAgain(client, subjects);
  };
}

/** Reads again what another tab changed. */
export function useChangesOfOtherTabs() {
  const client = useQueryClient();
  useEffect(
    () =>
      hearTabs((message) => {
        if (message.type === 'changed') void readAgain(client, message.subjects);
      }),
    [client],
  );
}

function readAgain(client: QueryClient, subjects: readonly Subject[]) {
  return Promise.all(
    subjects.map(async (subject) => {
      const queryKey = [subject];
      // A screen that comes back shows nothing old, not even while it asks.
      client.removeQueries({ queryKey, type: 'inactive' });
      // What is read for the first time is not asked anew while it is under way, and may tell what was before the change.
      const first = client
        .getQueryCache()
        .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined });
      await client.invalidateQueries({ queryKey });
      if (first.length > 0)
        await client.invalidateQueries({ queryKey, predicate: (query) => first.includes(query) });
    }),
  );
}
