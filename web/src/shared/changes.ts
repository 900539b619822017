import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { notifyTabs, onTabMessage, type Subject } from '@/api/tabs';

/** The query key prefix of the staff's work queues. */
export const queuesKey = 'desk-queues';

/**
 * The query key prefixes that show each shared subject. After a change of a subject, these
 * queries are stale: visible ones refetch, the others are dropped.
 */
export function useAnnounceChange() {
  const client = useQueryClient();
  return (...subjects: Subject[]) => {
    notifyTabs({ type: 'changed', subjects });
    return refetchSubjects(client, subjects);
  };
}

/** Refetches after changes in another tab. */
export function useOtherTabChanges() {
  const client = useQueryClient();
  useEffect(
    () =>
      onTabMessage((message) => {
        if (message.type === 'changed') void refetchSubjects(client, message.subjects);
      }),
    [client],
  );
}

function refetchSubjects(client: QueryClient, subjects: readonly Subject[]) {
  // Drafts, requests and shared TINs wait in queues.
  void client.invalidateQueries({ queryKey: [queuesKey] });
  return Promise.all(
    subjects.map((subject) => {
      const queryKey = [subject];
      // A screen that returns must not show old data, not even while it loads.
      client.removeQueries({ queryKey, type: 'inactive' });
      return client.invalidateQueries({ queryKey });
    }),
  );
}
