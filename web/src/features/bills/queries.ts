import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { api, getLimit, Problem, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import type { Bill } from '@/shared/billDocuments/calls';
import type { SearchRun } from '@/shared/historyState';
import { type BillSearch, toSearchParams } from './criteria';
import { type BillResponse, mergeResults, type Source } from './results';

export type { Bill } from '@/shared/billDocuments/calls';
export type Payment = components['schemas']['PaymentInfo'];

/**
 * Sends one request per TIN, or one for all, and one to the second bill system, in parallel.
 * Each can fail alone.
 */
export function useBillSearch(search: SearchRun<BillSearch> | null) {
  const sources = useMemo<Source[]>(() => (search ? getSources(search.criteria) : []), [search]);
  return useQueries({
    queries: sources.map(({ tin }) => getSearch(search as SearchRun<BillSearch>, tin)),
    // Stable for the same search, so that responses merge when one arrives and not on every
    // render.
    combine: useCallback(
      (answers: Parameters<typeof mergeResults>[1]) => mergeResults(sources, answers),
      [sources],
    ),
  });
}

const getSources = (criteria: BillSearch): Source[] => [
  ...(criteria.mode === 'wholeClaim' ? ['all'] : criteria.tins).map((tin) => ({ tin })),
  { tin: null },
];

const getSearch = ({ criteria, run }: SearchRun<BillSearch>, tin: Source['tin']) =>
  queryOptions({
    queryKey: ['bills', 'search', run, tin, criteria],
    queryFn: async ({ signal }): Promise<BillResponse> => {
      const { data = [], response } = await fetchBills(criteria, tin, signal);
      return { bills: data, limitedTo: getLimit(response) };
    },
    // Users decide when to search again. The results are dropped when they leave the screen.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });

function fetchBills(criteria: BillSearch, tin: Source['tin'], signal: AbortSignal) {
  if (criteria.mode === 'wholeClaim') {
    const body = { claimNumber: criteria.claimNumber };
    return tin === null
      ? api.POST('/work/bills/ofClaim/second', { body, signal })
      : api.POST('/work/bills/ofClaim', { body, signal });
  }
  const params = toSearchParams(criteria);
  return tin === null
    ? api.POST('/billSearch/mitchBillSearch', { body: { ...params, tins: criteria.tins }, signal })
    : api.POST('/billSearch/searchByAssorted', { body: { ...params, ftin: tin }, signal });
}

/** A bill's payment; null if unknown. */
export function usePayment(bill: Bill | null) {
  return useQuery({
    queryKey: ['bills', 'payment', bill?.ftin, bill?.billControlNumber],
    enabled: bill !== null,
    queryFn: async ({ signal }): Promise<Payment | null> => {
      const { ftin = '', billControlNumber = '' } = bill ?? {};
      try {
        const paid = await unwrap(
          api.POST('/billSearch/findPaymentInfo', { body: { ftin, billControlNumber }, signal }),
        );
        return paid.paidAmount == null && !paid.paidDate && !paid.checkNumber ? null : paid;
      } catch (error) {
        if (error instanceof Problem && error.status === 404) return null;
        throw error;
      }
    },
    retry: false,
    gcTime: 0,
  });
}
