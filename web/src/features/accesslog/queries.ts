import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import { useServerPage } from '@/shared/pages';
import { useMutation } from '@/shared/useMutation';
import type { TableState } from '@/ui/table/state';

export type Visit = components['schemas']['NetworkVisit'];
export type Opening = components['schemas']['VisitOpening'];

// This log shows when the network had access on the reader's clock.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A page of network access sessions. */
export const useAccessSessions = (table: TableState) => {
  const { actingUser } = useSession();
  return useServerPage<Visit>({
    key: ['visits', actingUser.userNm],
    table,
    zone,
    fetchPage: (table, signal) => unwrap(api.POST('/work/visits', { body: { table }, signal })),
  });
};

/** A page of the bills and remittances opened in a session. */
export const useOpenings = (id: number, table: TableState) =>
  useServerPage<Opening>({
    key: ['visits', 'opened', id],
    table,
    zone,
    fetchPage: (table, signal) =>
      unwrap(api.POST('/work/visits/{id}/openings', { params: { path: { id } }, body: { table }, signal })),
  });

export type Settings = components['schemas']['VisitSettings'];
export type Request = components['schemas']['VisitRequest'];

const settingsKey = ['visits', 'settings'];

/** The group's settings. */
export const useSettings = () =>
  useQuery({
    queryKey: settingsKey,
    queryFn: ({ signal }) => unwrap(api.GET('/work/visits/settings', { signal })),
  });

/** A page of network staff's requests to the group. */
export const useRequests = (table: TableState) =>
  useServerPage<Request>({
    key: ['visits', 'requests'],
    table,
    zone,
    fetchPage: (table, signal) => unwrap(api.POST('/work/visits/requests', { body: { table }, signal })),
  });

/** Changes the displayed data. It refetches even after an error. */
function useChange<Change>(mutationFn: (change: Change) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: ['visits'] }),
  });
}

export const useSetSettings = () =>
  useChange((body: Settings) => unwrap(api.PUT('/work/visits/settings', { body })));

export const useAnswer = () =>
  useChange(({ id, ...body }: { id: number; agree: boolean; words?: string }) =>
    unwrap(api.POST('/work/visits/requests/{id}/answer', { params: { path: { id } }, body })),
  );
