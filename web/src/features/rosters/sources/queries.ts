import { useQuery } from '@tanstack/react-query';
import { answer, api, Problem } from '@/api/client';
import type { components } from '@/api/schema';
import { useAnnounceChange } from '@/shared/changes';
import { useMutation } from '@/shared/useMutation';

type Schemas = components['schemas'];
export type Source = Schemas['HubSource'];
export type SourceGroup = Schemas['HubSourceGroup'];
export type UserPayload = Schemas['UserPayload'];

// Read for each visit, and not again while sources are chosen.
const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnReconnect: false };

/** The provider groups of all sources, by name. */
export function useSourceGroups() {
  return useQuery({
    queryKey: ['rosters', 'source-groups'],
    queryFn: ({ signal }) => answer(api.GET('/roster/sourceGroups', { signal })),
    ...once,
  });
}

/** The ids of the sources that a portal user group has. */
export function useSourcesOf(groupId: number | null) {
  return useQuery({
    queryKey: ['groups', 'roster-sources', groupId],
    enabled: groupId !== null,
    queryFn: ({ signal }) =>
      answer(api.GET('/roster/source/group/{id}', { params: { path: { id: groupId ?? 0 } }, signal })),
    ...once,
  });
}

const changes = {
  add: (query: { groupId: number; sourceId: number }) =>
    answer(api.POST('/roster/user/group/addSource', { params: { query } })),
  remove: (query: { groupId: number; sourceId: number }) =>
    answer(api.POST('/roster/user/group/removeSource', { params: { query } })),
};

/** Gives a group a source or takes it away; the group's sources are read anew, whether it succeeded or not. */
export function useChangeSource() {
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: ({ change, ...query }: { change: keyof typeof changes; groupId: number; sourceId: number }) =>
      changes[change](query),
    retry: false,
    gcTime: 0,
    onSettled: () => announce('groups'),
  });
}

/** Keeps a draft, or makes the user of it; either changes the lists of users, and of groups. */
export function useSaveUser() {
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: ({ body, asDraft }: { body: UserPayload; asDraft: boolean }) =>
      answer(
        api.PUT('/users/saveDraftUser', {
          body: { ...body, isSaveAsDraftOperation: asDraft, completeProfile: !asDraft },
        }),
      ),
    retry: false,
    gcTime: 0,
    onSuccess: () => void announce('users', 'groups'),
    // Somebody else may have saved the draft meanwhile.
    onError: (error) => {
      if (error instanceof Problem && error.status === 409) void announce('users');
    },
  });
}
