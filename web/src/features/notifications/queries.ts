import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, getLimit, unwrap } from '@/api/client';
import { useSession } from '@/api/session';
import type { UserRow } from '@/shared/accounts';
import type { SearchRun } from '@/shared/historyState';
import { useRefreshQueues } from '@/shared/queues';
import { useMutation } from '@/shared/useMutation';
import { parseDate } from '@/ui/dates';
import type { Audience } from './audience';
import { type Criteria, toPayload } from './criteria';
import type { Draft } from './draft';
import { getRecipientIds, isBeingSent, type Notification, toValues, type Values } from './notification';

/** The newest notifications, and their number if there are more. */
interface Listed {
  rows: Notification[];
  limitedTo: number | null;
}

const list = ['notifications', 'list'];
const sending = 3_000;

export function useNotifications() {
  const { can } = useSession();
  const announces = can('announcements.manage');
  return useQuery({
    queryKey: list,
    queryFn: async ({ signal }): Promise<Listed> => {
      const [{ data: rows = [], response }, announced] = await Promise.all([
        api.GET('/notifications/list', { signal }),
        announces ? unwrap(api.GET('/notifications/announcements', { signal })) : [],
      ]);
      const announcedById = new Map(announced.map((one) => [one.wcp_notification_id, one]));
      return {
        rows: rows.map((row) => ({ ...row, announced: announcedById.get(row.wcp_notification_id) })),
        limitedTo: getLimit(response),
      };
    },
    // The row soon changes to sent. The refetching must end by itself, because requests extend a
    // session.
    refetchInterval: ({ state }) => (state.data?.rows.some(isBeingSent) ? sending : false),
  });
}

/** Changes a notification. The list refetches even after an error. */
function useChange<Change, Answer>(mutationFn: (change: Change) => Promise<Answer>) {
  const client = useQueryClient();
  const refreshQueues = useRefreshQueues();
  return useMutation({
    mutationFn,
    onSettled: () => {
      refreshQueues();
      void client.invalidateQueries({ queryKey: list });
    },
  });
}

const toBody = (values: Values, recipients: readonly number[]) => ({
  ...values,
  sendDt: parseDate(values.sendDt),
  userNotList: recipients.join(','),
});

/** Creates or updates a notification. One with an audience has its own endpoint. */
export const useSaveNotification = () =>
  useChange(({ editing, values, recipients, audience }: Draft) =>
    unwrap(
      audience || editing?.announced?.audience
        ? api.PUT('/notifications/announcement', {
            body: {
              ...toBody(values, audience ? [] : recipients),
              ...(editing && {
                wcp_notification_id: editing.wcp_notification_id,
                lastUpdate: editing.lastUpdate,
              }),
              ...(audience && { audience }),
            },
          })
        : editing
          ? api.PUT('/notifications/update', { body: { ...editing, ...toBody(values, recipients) } })
          : api.PUT('/notifications/create', { body: toBody(values, recipients) }),
    ),
  );

/** Withdraws a notification from its recipients. */
export const useUnpublish = () =>
  useChange(async (sent: Notification) => {
    const body = { ...sent, ...toBody(toValues(sent), getRecipientIds(sent)), sendDt: null };
    await unwrap(api.PUT('/notifications/update', { body: { ...body, status: 'READY' } }));
    await unwrap(recallNotification(sent.wcp_notification_id));
  });

const recallNotification = (id: number) =>
  api.DELETE('/notifications/deleteUser/{id}', { params: { path: { id } } });

export const useDelete = () =>
  useChange(({ wcp_notification_id: id }: Notification) =>
    unwrap(api.DELETE('/notifications/delete/{id}', { params: { path: { id } } })),
  );

/** The audience's current number of users. */
export const useAudienceCount = (audience: Audience | null) =>
  useQuery({
    queryKey: ['users', 'audience', audience],
    enabled: audience !== null,
    queryFn: ({ signal }) => unwrap(api.POST('/notifications/audience', { body: audience ?? {}, signal })),
    retry: false,
    gcTime: 0,
  });

// The server's maximum number of IDs per request.
const chunk = 500;

/** The users with these IDs, loaded in batches. IDs that no longer exist are left out. */
export function useRecipients(ids: readonly number[]) {
  const parts = useMemo(() => {
    const all: (readonly number[])[] = [];
    for (let from = 0; from < ids.length; from += chunk) all.push(ids.slice(from, from + chunk));
    return all;
  }, [ids]);
  return useQueries({
    queries: parts.map((part) => ({
      queryKey: ['users', 'recipients', part],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        unwrap(api.POST('/admin/userList', { body: { userIDs: part.join(',') }, signal })),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
    })),
    combine: (results) => ({
      users: results.flatMap(({ data = [] }) => data),
      isPending: results.some(({ isPending }) => isPending),
      isError: results.some(({ isError }) => isError),
      refetch: () => {
        for (const { isError, refetch } of results) if (isError) void refetch();
      },
    }),
  });
}

// The server's page size for users.
const pageSize = 1000;

/** All users that match a search, because selecting all must include every one. */
export function useCandidates(search: SearchRun<Criteria> | null) {
  return useQuery({
    queryKey: ['users', 'candidates', search],
    enabled: search !== null,
    queryFn: async ({ signal }): Promise<UserRow[]> => {
      const body = search ? toPayload(search.criteria) : {};
      const { data = [], response } = await api.POST('/admin/userList', { body, signal });
      if (getLimit(response) === null) return data;
      const users: UserRow[] = [];
      for (let page = 0; ; page++) {
        const part = await unwrap(
          api.POST('/admin/userList/page', { body: { ...body, table: { page, pageSize } }, signal }),
        );
        users.push(...part.rows);
        if ((page + 1) * pageSize >= part.count) return users;
      }
    },
    // Users decide when to search again. The results are dropped when they leave the screen.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });
}
