import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';

export type Summary = components['schemas']['OpenBillSummary'];

export const summaryKey = 'open bills in all';

/** The totals of all open bills, for the Workspace bar, Home and Today. */
export const useOpenBillSummary = (enabled = true) =>
  useQuery({
    queryKey: [summaryKey],
    enabled,
    queryFn: ({ signal }) => unwrap(api.POST('/work/bills/summary', { body: {}, signal })),
    staleTime: 60_000,
    retry: false,
  });
