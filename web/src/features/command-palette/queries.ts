import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';

export type FoundBill = components['schemas']['FoundBill'];
export type FoundClaim = components['schemas']['ClaimOfBills'];

export type FoundRemittance = components['schemas']['RemittanceRow'];

/** A search with the number or claimant, and a counter. */
export interface PaletteQuery {
  number: string;
  run: number;
  /** Started while typing, and only among the portal's own bills. */
  live: boolean;
}

export interface Outcome {
  bills: FoundBill[];
  claims: FoundClaim[];
  /** Those of a check or EFT number. */
  remittances: FoundRemittance[];
  /** There are more than these. */
  more: boolean;
  /** Requests without a response yet. */
  outstanding: number;
  /** Why the portal's own bills or remittances are missing. */
  error: Error | null;
  /** The second bill system's bills are missing. */
  secondFailed: boolean;
}

/** Searches both bill systems in parallel. Each can fail alone. */
export function usePaletteSearch(sought: PaletteQuery | null, canReadRemittances: boolean): Outcome {
  const [own, second] = useQueries({
    queries: [find('/work/find', sought), find('/work/find/second', sought?.live ? null : sought)],
  });
  const { bills: ownBills = [] } = own.data ?? {};
  const isCheck =
    canReadRemittances &&
    own.isSuccess &&
    ownBills.every(({ by }) => by === 'checkNumber') &&
    /\d/.test(sought?.number ?? '');
  const checks = useQuery(findRemittances(isCheck ? sought : null));
  return {
    bills: [own, second].flatMap(({ data }) => data?.bills ?? []),
    remittances: (isCheck && checks.data?.rows) || [],
    claims: own.data?.claims ?? [],
    more: [own, second].some(({ data }) => data?.more),
    outstanding: sought
      ? [own, ...(sought.live ? [] : [second]), ...(isCheck ? [checks] : [])].filter(
          ({ isPending }) => isPending,
        ).length
      : 0,
    error: own.error ?? (isCheck ? checks.error : null),
    secondFailed: second.isError,
  };
}

const once = {
  // Users decide when to search again, even without a connection.
  retry: false,
  networkMode: 'always',
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnReconnect: false,
} as const;

// The most remittances with one number.
const maxRemittances = 20;

const findRemittances = (sought: PaletteQuery | null) =>
  queryOptions({
    ...once,
    queryKey: ['command-palette', 'remittances', sought],
    enabled: sought !== null,
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/remittances/search', {
          body: { number: sought?.number ?? '', table: { page: 0, pageSize: maxRemittances } },
          signal,
        }),
      ),
  });

const find = (call: '/work/find' | '/work/find/second', sought: PaletteQuery | null) =>
  queryOptions({
    ...once,
    queryKey: ['command-palette', call, sought],
    enabled: sought !== null,
    queryFn: ({ signal }) => unwrap(api.POST(call, { body: { q: sought?.number ?? '' }, signal })),
  });
