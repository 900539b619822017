import { useQuery } from '@tanstack/react-query';
import { api, Problem, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useAnnounceChange } from '@/shared/changes';
import { useMutation } from '@/shared/useMutation';

type Schemas = components['schemas'];
export type Source = Schemas['HubSource'];
export type SourceGroup = Schemas['HubSourceGroup'];
export type UserPayload = Schemas['UserPayload'];

// Loaded per visit, and not again while the user selects sources.
const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnReconnect: false };

/** The provider groups of all sources, by name. */
export function useSourceGroups() {
  return useQuery({
    queryKey: ['rosters', 'source-groups'],
    queryFn: ({ signal }) => unwrap(api.GET('/roster/sourceGroups', { signal })),
    ...once,
  });
}

/** The IDs of a portal user group's sources. */
export function useGroupSources(groupId: number | null) {
  return useQuery({
    queryKey: ['groups', 'roster-sources', groupId],
    enabled: groupId !== null,
    queryFn: ({ signal }) =>
      unwrap(api.GET('/roster/source/group/{id}', { params: { path: { id: groupId ?? 0 } }, signal })),
    ...once,
  });
}

const changes = {
  add: (query: { groupId: number; sourceId: number }) =>
    unwrap(api.POST('/roster/user/group/addSource', { params: { query } })),
  remove: (query: { groupId: number; sourceId: number }) =>
    unwrap(api.POST('/roster/user/group/removeSource', { params: { query } })),
};

/** Adds or removes a group's source. The group's sources refetch even after an error. */
export function useChangeSource() {
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: ({ change, ...query }: { change: keyof typeof changes; groupId: number; sourceId: number }) =>
      changes[change](query),
    gcTime: 0,
    onSettled: () => announce('groups'),
  });
}

/** Saves a draft or creates its user. Both change the lists of users and of groups. */
export function useSaveUser() {
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: ({ body, asDraft }: { body: UserPayload; asDraft: boolean }) =>
      unwrap(
        api.PUT('/users/saveDraftUser', {
          body: { ...body, isSaveAsDraftOperation: asDraft, completeProfile: !asDraft },
        }),
      ),
    gcTime: 0,
    onSuccess: () => void announce('users', 'groups'),
    // Another user may have saved the draft.
    onError: (error) => {
      if (error instanceof Problem && error.status === 409) void announce('users');
    },
  });
}
