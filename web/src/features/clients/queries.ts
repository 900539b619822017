import { useQuery } from '@tanstack/react-query';
import { api, getLimit, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import type { SearchRun } from '@/shared/historyState';
import { useMutation } from '@/shared/useMutation';
import { type Criteria, makeEmptyCriteria } from './criteria';

export type Client = components['schemas']['ClientRow'];

/** A client with its index in the response, because rows can be identical. */
export interface ClientRow extends Client {
  place: string;
}

const listKept = { staleTime: 60_000 };

/** The states where a provider participates. Its type is known once the providers are loaded. */
export function useStates({ providerId }: Criteria, providerType: string | undefined) {
  return useQuery({
    queryKey: ['clients', 'states', providerType, providerId],
    enabled: providerId !== '' && providerType !== undefined,
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/clients/states/{providerType}/{providerId}', {
          // An empty path segment is sent as a hyphen.
          params: { path: { providerType: providerType || '-', providerId } },
          signal,
        }),
      ),
    ...listKept,
  });
}

/** The products in which a provider participates in a state. */
export function useProducts({ lob, tin, providerId, state }: Criteria) {
  return useQuery({
    queryKey: ['clients', 'products', lob, providerId, state, tin],
    enabled: state !== '',
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/clients/getProductsByProv/{lob}/{providerId}/{state}/{tin}', {
          params: { path: { lob, providerId, state, tin } },
          signal,
        }),
      ),
    ...listKept,
  });
}

/** The clients that consider a provider in network. */
export function useClients(search: SearchRun<Criteria> | null) {
  return useQuery({
    queryKey: ['clients', 'search', search],
    enabled: search !== null,
    queryFn: async ({ signal }) => {
      const { productCd: productCode, ...picked } = search?.criteria ?? makeEmptyCriteria();
      const { data = [], response } = await api.GET(
        '/clients/getClientsByLOB/{lob}/{providerId}/{state}/{productCode}/{tin}',
        { params: { path: { ...picked, productCode } }, signal },
      );
      return {
        clients: data.map((client, place): ClientRow => ({ ...client, place: String(place) })),
        /** How many the list contains if there are more. */
        limitedTo: getLimit(response),
      };
    },
    // Users decide when to search again. The results are dropped when they leave the screen.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });
}

export const useAgree = () => useMutation({ mutationFn: () => unwrap(api.POST('/clients/agreement')) });
