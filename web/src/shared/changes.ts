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
    subjects.map((subject) => {
      // A screen that comes back shows nothing old, not even while it asks.
      client.removeQueries({ queryKey: [subject], type: 'inactive' });
      return client.invalidateQueries({ queryKey: [subject] });
    }),
  );
}
