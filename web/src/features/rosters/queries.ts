import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, Problem, unwrap } from '@/api/client';
import { readMessages } from '@/api/eventStream';
import type { components } from '@/api/schema';
import { upload } from '@/api/upload';
import { queuesKey } from '@/shared/changes';
import { useListMutation } from '@/shared/listMutation';
import { useServerPage } from '@/shared/pages';
import type { TableState } from '@/ui/table/state';
import type { CheckProgress, RosterCheck } from './roster';

/** A sent roster. */
export type SentRoster = components['schemas']['RosterUploadLog'];

/** A user's roster group; null if there is none. */
export function useUserGroup(userName: string) {
  return useQuery({
    queryKey: ['users', 'group-of', userName],
    queryFn: async ({ signal }) => {
      const user = await unwrap(
        api.GET('/users/userByName/{name}', { params: { path: { name: userName } }, signal }),
      );
      return user.grpInfoId;
    },
    staleTime: 60_000,
  });
}

const historyKey = (groupId: number) => ['rosters', 'history', groupId];

/** A page of a group's sent rosters. */
export const useHistory = (groupId: number, table: TableState) =>
  useServerPage<SentRoster>({
    key: historyKey(groupId),
    table,
    fetchPage: (table, signal) =>
      unwrap(api.POST('/roster/uploadLogs/page', { body: { groupId, table }, signal })),
  });

/** Refetches the history where it's shown. */
export function useReloadHistory(groupId: number) {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: historyKey(groupId) });
}

const sourcesKey = (groupId: number) => ['groups', 'roster-sources', groupId];
const groupsKey = (groupId: number) => ['groups', 'provider-groups', groupId];

/** Refetches the group's sources, because the network may have removed one. */
export function useReloadGroups(groupId: number) {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [sourcesKey(groupId), groupsKey(groupId)])
      void client.invalidateQueries({ queryKey });
  };
}

/** The IDs of the group's sources. */
export function useSourceIds(groupId: number) {
  return useQuery({
    queryKey: sourcesKey(groupId),
    queryFn: ({ signal }) =>
      unwrap(api.GET('/roster/source/group/{id}', { params: { path: { id: groupId } }, signal })),
    staleTime: 60_000,
  });
}

/** The provider groups of those sources, by name. */
export function useProviderGroups(groupId: number) {
  return useQuery({
    queryKey: groupsKey(groupId),
    queryFn: ({ signal }) =>
      unwrap(api.GET('/roster/sourceGroup/{id}', { params: { path: { id: groupId } }, signal })),
    staleTime: 60_000,
  });
}

/** Checks files and reports the progress. */
export async function checkRoster(
  form: FormData,
  signal: AbortSignal,
  onProgress: (progress: CheckProgress) => void,
): Promise<RosterCheck> {
  const stream = await unwrap(
    // The API document doesn't describe form bodies.
    api.POST('/roster/check', { body: form as never, parseAs: 'stream', signal }) as Promise<{
      data?: ReadableStream<Uint8Array>;
    }>,
  );
  for await (const { event, data } of readMessages(stream)) {
    if (event === 'report') return JSON.parse(data);
    if (event === 'failed') throw new Error(data);
    onProgress(JSON.parse(data));
  }
  throw new Problem(0, 'unreachable', 'The check was interrupted.');
}

export const sendRoster = (
  form: FormData,
  signal: AbortSignal,
  onProgress: (sent: number, total: number) => void,
) => upload<components['schemas']['UploadRosterResponse']>('/roster/upload', form, { signal, onProgress });

export type DeskRoster = components['schemas']['DeskRoster'];
export type ProviderChange = components['schemas']['DeskRosterChange'];

const deskKey = ['rosters', 'desk'];

/** A page of all groups' sent rosters. */
export const useDeskRosters = (table: TableState) =>
  useServerPage<DeskRoster>({
    key: [...deskKey, 'list'],
    table,
    fetchPage: (table, signal) => unwrap(api.POST('/desk/rosters/page', { body: { table }, signal })),
  });

const shortly = 2000;

/**
 * A roster with the check results of its files. It refetches while the directory is being
 * updated.
 */
export const useDeskRoster = (id: number) =>
  useQuery({
    queryKey: [...deskKey, 'one', id],
    queryFn: ({ signal }) => unwrap(api.GET('/desk/rosters/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state: { data } }) => (data?.roster.directory?.state === 'WAITING' ? shortly : false),
  });

/** A page of the providers that a roster changed. */
export const useChanges = (id: number, table: TableState) =>
  useServerPage<ProviderChange>({
    key: [...deskKey, 'changes', id],
    table,
    fetchPage: (table, signal) =>
      unwrap(api.POST('/desk/rosters/{id}/changes', { params: { path: { id } }, body: { table }, signal })),
  });

const changed = [deskKey, [queuesKey]];

/** Changes a roster's status. */
export const useSetRosterStatus = (id: number) =>
  useListMutation(changed, (body: components['schemas']['DeskRosterStep']) =>
    unwrap(api.PUT('/desk/rosters/{id}', { params: { path: { id } }, body })),
  );

/** Updates the directory from a roster. */
export const useUpdateDirectory = (id: number) =>
  useListMutation(changed, () =>
    unwrap(api.POST('/desk/rosters/{id}/directory', { params: { path: { id } } })),
  );
