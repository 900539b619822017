import { useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';

export type ListedProvider = components['schemas']['ListEntry'];

/** The providers who bill under a TIN, by name; asked for once there is a TIN. */
export const useProviders = (tin: string | undefined) =>
  useQuery({
    queryKey: ['providers', tin],
    enabled: Boolean(tin),
    queryFn: ({ signal }) =>
      answer(api.GET('/clients/list/{tin}', { params: { path: { tin: tin ?? '' } }, signal })),
    staleTime: 60_000,
  });
