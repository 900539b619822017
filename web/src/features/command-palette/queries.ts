import { queryOptions, useQueries } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';

export type FoundBill = components['schemas']['FoundBill'];
export type FoundClaim = components['schemas']['ClaimOfBills'];

/** One press of Enter, with the number or claimant and a counter. */
export interface PaletteQuery {
  number: string;
  run: number;
}

export interface Outcome {
  bills: FoundBill[];
  claims: FoundClaim[];
  /** There are more than these. */
  more: boolean;
  /** Requests without a response yet. */
  outstanding: number;
  /** Why the portal's own bills are missing. */
  error: Error | null;
  /** The second bill system's bills are missing. */
  secondFailed: boolean;
}

/** Searches both bill systems in parallel. Each can fail alone. */
export function usePaletteSearch(sought: PaletteQuery | null): Outcome {
  const [own, second] = useQueries({
    queries: [find('/work/find', sought), find('/work/find/second', sought)],
  });
  return {
    bills: [own, second].flatMap(({ data }) => data?.bills ?? []),
    claims: own.data?.claims ?? [],
    more: [own, second].some(({ data }) => data?.more),
    outstanding: sought ? [own, second].filter(({ isPending }) => isPending).length : 0,
    error: own.error,
    secondFailed: second.isError,
  };
}

const find = (call: '/work/find' | '/work/find/second', sought: PaletteQuery | null) =>
  queryOptions({
    queryKey: ['command-palette', call, sought],
    enabled: sought !== null,
    queryFn: ({ signal }) => unwrap(api.POST(call, { body: { q: sought?.number ?? '' }, signal })),
    // Users decide when to search again, even without a connection.
    retry: false,
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });
