import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useListMutation } from '@/shared/listMutation';

export type Unmatched = components['schemas']['UnmatchedPayment'];
export type Candidate = components['schemas']['MatchCandidate'];
export type Difference = components['schemas']['BillDifference'];
export type MatchDecision = components['schemas']['PaymentJoin'];
export type Duplicate = components['schemas']['PossibleDuplicate'];
export type Check = components['schemas']['DuplicateCheck'];
export type Decision = components['schemas']['DuplicateDecision'];

const listKey = ['unmatched-money'];
const joinsKey = ['payment-joins'];
const duplicatesKey = ['possible-duplicates'];
const decisionsKey = ['duplicate-decisions'];

/**
 * Unmatched payments in batches, those of $0.00 or all others. The server logs each read, so
 * nothing refetches automatically.
 */
export const useUnmatched = (zero: boolean) =>
  useInfiniteQuery({
    queryKey: [...listKey, zero],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      unwrap(api.POST('/desk/feeds/unmatched', { body: { after: pageParam, zero }, signal })),
    getNextPageParam: ({ next }) => next || undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    gcTime: 0,
  });

/** All bills that could match a payment. They're requested by refetch. */
export const useCandidates = (id: string) =>
  useQuery({
    queryKey: ['match-candidates', id],
    enabled: false,
    queryFn: ({ signal }) => unwrap(api.POST('/desk/feeds/unmatched/candidates', { body: { id }, signal })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    gcTime: 0,
  });

const changed = [listKey, joinsKey];

/** The match history, newest first. */
export const useMatchHistory = () =>
  useQuery({
    queryKey: joinsKey,
    queryFn: ({ signal }) => unwrap(api.GET('/desk/feeds/joins', { signal })),
  });

export const useMatchPayment = () =>
  useListMutation(changed, (body: { id: string; to: string }) =>
    unwrap(api.POST('/desk/feeds/joins', { body })),
  );

export const useDismissPayment = () =>
  useListMutation(changed, (id: string) => unwrap(api.POST('/desk/feeds/unmatched/leave', { body: { id } })));

export const useUndoMatch = () =>
  useListMutation(changed, ({ ftin, payment }: { ftin: string; payment: string }) =>
    unwrap(api.POST('/desk/feeds/joins/undo', { body: { ftin, payment } })),
  );

/**
 * Checks that don't count until staff decide. The server logs each read, so nothing refetches
 * automatically.
 */
export const useDuplicates = () =>
  useQuery({
    queryKey: duplicatesKey,
    queryFn: ({ signal }) => unwrap(api.POST('/desk/feeds/duplicates', { signal })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    gcTime: 0,
  });

/** The latest decisions on them. */
export const useDecisions = () =>
  useQuery({
    queryKey: decisionsKey,
    queryFn: ({ signal }) => unwrap(api.GET('/desk/feeds/duplicates/decisions', { signal })),
  });

const decided = [duplicatesKey, decisionsKey];

export const useDecide = () =>
  useListMutation(decided, (body: { id: string; same: boolean }) =>
    unwrap(api.POST('/desk/feeds/duplicates/decide', { body })),
  );

export const useUndoDecision = () =>
  useListMutation(decided, (id: string) => unwrap(api.POST('/desk/feeds/duplicates/undo', { body: { id } })));
