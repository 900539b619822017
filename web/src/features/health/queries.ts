import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';

export type Report = components['schemas']['ProgramHealth'];

/** The status of the program, its dependencies and how long it keeps data. */
export const useHealth = () =>
  useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => unwrap(api.GET('/desk/health', { signal })),
    refetchInterval: 30_000,
  });
