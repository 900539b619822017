import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, getLimit, Problem, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useAnnounceChange } from '@/shared/changes';
import { useMutation } from '@/shared/useMutation';
import { getPrefix, type Lookup } from './lookup';
import type { UserPayload } from './payload';

export type UserType = components['schemas']['UserType'];
export type Provider = components['schemas']['ProviderEntry'];

/** The account types that the acting user can create. */
export function useUserTypes(userName: string) {
  return useQuery({
    queryKey: ['users', 'types', userName],
    queryFn: ({ signal }) => unwrap(api.PUT('/users/getUserTypes', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** An account request that an email links to. */
export function useAccountRequest(id: number | null) {
  return useQuery({
    queryKey: ['account-requests', id],
    enabled: id !== null,
    queryFn: ({ signal }) =>
      unwrap(api.GET('/accountRequests/{id}', { params: { path: { id: id ?? 0 } }, signal })),
    // Loaded per visit, and not again while the form is filled in.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });
}

/** Fails if a non-network user can't have the TIN. */
export function useCheckNonNetworkTin() {
  return useMutation({
    mutationFn: (ftin: string) =>
      unwrap(api.GET('/ftin/validateNonNetworkFtin/{ftin}', { params: { path: { ftin } } })),
    gcTime: 0,
  });
}

export function useEmailExists() {
  return useMutation({
    mutationFn: (email: string) =>
      unwrap(api.POST('/users/checkEmailAddressExists/{email}', { params: { path: { email } } })),
    gcTime: 0,
  });
}

/**
 * The two requests that create a user or save a draft. Both change the lists of users, groups and
 * TINs.
 */
export function useSaveUser() {
  const announce = useAnnounceChange();
  const client = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: ({ draft, body }: { draft: boolean; body: UserPayload }) =>
      unwrap(draft ? api.PUT('/users/saveDraftUser', { body }) : api.PUT('/users/createUser', { body })),
    gcTime: 0,
    // Another user may have saved the draft or handled the request. A refetch of the request
    // shows that.
    onError: (error, { body: { accountRequestId } }) => {
      if (error instanceof Problem && error.status === 409 && accountRequestId !== undefined)
        void client.invalidateQueries({ queryKey: ['account-requests', accountRequestId] });
    },
    onSettled: () => void announce('users', 'groups', 'tins'),
  });
  return {
    create: (body: UserPayload) => mutateAsync({ draft: false, body }),
    /** Saves a draft, or creates its user. */
    saveDraft: (body: UserPayload, asDraft: boolean) =>
      mutateAsync({
        draft: true,
        body: { ...body, isSaveAsDraftOperation: asDraft, completeProfile: !asDraft },
      }),
  };
}

interface Found {
  providers: Provider[];
  /** How many the list contains if there are more. */
  limitedTo: number | null;
}

/** The providers who bill under a TIN, by name. */
export function useProviderLookup() {
  return useMutation({
    mutationFn: async ({ ftin, type, prvId, firstName, lastName, facility }: Lookup): Promise<Found> => {
      const { data = [], response } = await api.GET('/provider/list/{tin}', {
        params: {
          path: { tin: ftin },
          query: {
            'prv-type': type,
            'prv-id': prvId || undefined,
            'facility-nm': getPrefix(facility) || undefined,
            'phy-first-nm': getPrefix(firstName) || undefined,
            'phy-last-nm': getPrefix(lastName) || undefined,
          },
        },
      });
      return { providers: data, limitedTo: getLimit(response) };
    },
    gcTime: 0,
  });
}
