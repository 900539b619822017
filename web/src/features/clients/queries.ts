import { useQuery } from '@tanstack/react-query';
import { answer, api, limitOf } from '@/api/client';
import type { components } from '@/api/schema';
import type { Run } from '@/shared/keptSearch';
import { useMutation } from '@/shared/useMutation';
import { type Criteria, noCriteria } from './criteria';

export type Client = components['schemas']['ClientRow'];

/** A client with its place in the answer: several rows may say the same. */
export interface ClientRow extends Client {
  place: string;
}

const listKept = { staleTime: 60_000 };

/** The states in which a provider takes part. Its type is known once the providers are. */
export function useStates({ providerId }: Criteria, providerType: string | undefined) {
  return useQuery({
    queryKey: ['clients', 'states', providerType, providerId],
    enabled: providerId !== '' && providerType !== undefined,
    queryFn: ({ signal }) =>
      answer(
        api.GET('/clients/states/{providerType}/{providerId}', {
          // An empty path segment travels as a hyphen.
          params: { path: { providerType: providerType || '-', providerId } },
          signal,
        }),
      ),
    ...listKept,
  });
}

/** The products in which a provider takes part in a state. */
export function useProducts({ lob, tin, providerId, state }: Criteria) {
  return useQuery({
    queryKey: ['clients', 'products', lob, providerId, state, tin],
    enabled: state !== '',
    queryFn: ({ signal }) =>
      answer(
        api.GET('/clients/getProductsByProv/{lob}/{providerId}/{state}/{tin}', {
          params: { path: { lob, providerId, state, tin } },
          signal,
        }),
      ),
    ...listKept,
  });
}

/** The clients who consider a provider part of their network. */
export function useClients(search: Run<Criteria> | null) {
  return useQuery({
    queryKey: ['clients', 'search', search],
    enabled: search !== null,
    queryFn: async ({ signal }) => {
      const { productCd: productCode, ...picked } = search?.criteria ?? noCriteria();
      const { data = [], response } = await api.GET(
        '/clients/getClientsByLOB/{lob}/{providerId}/{state}/{productCode}/{tin}',
        { params: { path: { ...picked, productCode } }, signal },
      );
      return {
        clients: data.map((client, place): ClientRow => ({ ...client, place: String(place) })),
        /** How many are in the list when there are more. */
        limitedTo: limitOf(response),
      };
    },
    // A person decides when to search again; nothing of a search is kept once its screen is left.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });
}

export const useAgree = () => useMutation({ mutationFn: () => answer(api.POST('/clients/agreement')) });
