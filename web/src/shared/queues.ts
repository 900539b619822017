import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { queuesKey } from './changes';
import * as paths from './paths';

/* The work queues of network staff, for their page, the Workspace bar and Home. */

export type Waiting = components['schemas']['WaitingQueue'];

/** The queues by the server's kinds. A new domain adds a line here. */
export const queueLists: Record<string, { name: string; to: LinkProps['to'] }> = {
  requests: { name: 'Account requests', to: paths.deskRequests },
  tinSharings: { name: 'Shared Tax IDs', to: paths.tinSharing },
  cases: { name: 'Overdue questions', to: paths.deskCases },
  rosters: { name: 'Unclaimed rosters', to: paths.deskRosters },
  feeds: { name: 'Late imports', to: paths.deskFeeds },
  mails: { name: 'Failed emails', to: paths.deskFailedEmails },
  jobs: { name: 'Failed jobs', to: paths.deskJobs },
  drafts: { name: 'Draft accounts', to: paths.deskDrafts },
  notifications: { name: 'Draft notifications', to: paths.notifications },
};

/** The staff's work queues, with each queue's oldest item. */
export const useQueues = (enabled = true) =>
  useQuery({
    queryKey: [queuesKey, 'counts'],
    enabled,
    queryFn: ({ signal }) => unwrap(api.GET('/desk/queues', { signal })),
    staleTime: 0,
  });

/** Returns a function that refetches the queues after a change of an item. The Workspace bar shows their counts. */
export function useRefreshQueues() {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: [queuesKey] });
}
