import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Problem, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import { toProblem } from '@/shared/apiError';
import { useAnnounceChange } from '@/shared/changes';
import { useMutation } from '@/shared/useMutation';
import { needsReview } from './sharing';
import type { ProvenTin } from './tins';

type Schemas = components['schemas'];
export type AssignedTin = Schemas['AssignedRecord'];

/**
 * The TINs of a user's group, and those that the user has. Loaded per visit, and not again while
 * selecting.
 */
export function useAssignedTins(userName: string) {
  return useQuery({
    queryKey: getAssignedTinsKey(userName),
    queryFn: ({ signal }) =>
      unwrap(api.GET('/ftin/managedUserFtins/{user}', { params: { path: { user: userName } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });
}

const getAssignedTinsKey = (userName: string) => ['tins', 'assigned', userName];

/** The table's status. */
export function getTableStatus({
  isPending,
  isError,
  data,
}: {
  isPending: boolean;
  isError: boolean;
  data: unknown;
}): 'loading' | 'failed' | 'stale' | 'ready' {
  if (isPending) return 'loading';
  if (!isError) return 'ready';
  return data ? 'stale' : 'failed';
}

/** Adds a TIN to a provider group, with its proof. Returns whether it needs a review before use. */
export function useAddTin(groupId: number) {
  const { can } = useSession();
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: async ({ ftin, billControlNumber, providerId }: ProvenTin) => {
      await unwrap(
        api.POST('/ftin/validateandSaveFtin/{groupId}/{ftin}', {
          params: {
            path: { groupId, ftin },
            query: billControlNumber ? { bcn: billControlNumber } : { cpdId: providerId },
          },
        }),
      );
      return can('tins.sharing') && needsReview(groupId, ftin);
    },
    onSettled: () => announce('tins'),
  });
}

/** Adds a TIN to a non-network user, after the server confirms that the user can have it. */
export function useAddNonNetworkTin(groupId: number, actingUser: string) {
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: async (ftin: string) => {
      await unwrap(api.GET('/ftin/validateNonNetworkFtin/{ftin}', { params: { path: { ftin } } }));
      await unwrap(
        api.POST('/ftin/nonNetworkGroupFtins/{groupId}/{ftin}', {
          params: { path: { groupId, ftin } },
          body: { userName: actingUser },
        }),
      );
    },
    onSettled: () => announce('tins'),
  });
}

export interface Removal {
  removed: string[];
  /** The error that stopped it before the last one. */
  failure: Problem | null;
}

/** The group's provider users who have any of the TINs. */
export const useTinUsers = (groupId: number, ftins: readonly string[]) =>
  useQuery({
    // The removal itself must not refetch this.
    queryKey: ['tin-holders', groupId, ftins],
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/ftin/groupFtins/{groupId}/holders', {
          params: { path: { groupId } },
          body: { ftins: [...ftins] },
          signal,
        }),
      ),
    gcTime: 0,
  });

/**
 * Removes TINs one by one, and refetches the list after the last. Withdrawing fails for a TIN that
 * was approved in the meantime.
 */
export function useRemoveTins(groupId: number, actingUser: string, { withdraw }: { withdraw?: true } = {}) {
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: async (ftins: readonly string[]): Promise<Removal> => {
      const removed: string[] = [];
      for (const ftin of ftins) {
        try {
          await unwrap(
            api.DELETE('/ftin/groupFtins/{groupId}/{ftin}', {
              params: { path: { groupId, ftin }, query: { lastUpdatedUserName: actingUser, withdraw } },
            }),
          );
        } catch (error) {
          // If another administrator has already removed it, the goal is reached.
          if (toProblem(error).status !== 404) return { removed, failure: toProblem(error) };
        }
        removed.push(ftin);
      }
      return { removed, failure: null };
    },
    onSettled: () => announce('tins'),
  });
}

/** Sets a user's TINs: those selected in the whole list. */
export function useAssignTins(userName: string) {
  const client = useQueryClient();
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: (tins: AssignedTin[]) =>
      unwrap(api.POST('/ftin/managedUserFtins/{user}', { params: { path: { user: userName } }, body: tins })),
    // A rejected selection may have come from an outdated list.
    onError: () => client.invalidateQueries({ queryKey: getAssignedTinsKey(userName) }),
    onSuccess: () => void announce('tins'),
  });
}
