import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';
import type { Run } from '@/shared/keptSearch';
import type { TableState } from '@/ui/table/state';
import { download } from '@/ui/window';
import { type Criteria, searchOf } from './criteria';

export type Entry = components['schemas']['AuditEntry'];
type Place = components['schemas']['AuditPlace'];

/** The server counts so many entries from a page on. */
export const mostCounted = 1000;

/**
 * A page of the audit log. It is asked for by the place where a page before it ended, so that each costs the same;
 * how many follow is counted only so far, and shows anew on each page.
 */
export function useAuditEntries({ criteria, run }: Run<Criteria>, { page, pageSize }: TableState) {
  const of = JSON.stringify([criteria, run, pageSize]);
  const [seen, setSeen] = useState({ of, ends: new Map<number, Place>(), count: 0 });
  const known = seen.of === of ? seen : { of, ends: new Map<number, Place>(), count: 0 };
  const query = useQuery({
    queryKey: ['audit', of, page],
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    placeholderData: (before: { rows: Entry[]; following: number } | undefined, query) =>
      query?.queryKey[1] === of ? before : undefined,
    queryFn: async ({ signal }) => {
      const from = Math.max(0, ...[...known.ends.keys()].filter((start) => start <= page));
      const after = known.ends.get(from);
      const found = await answer(
        api.POST('/audit/entries', {
          body: {
            search: searchOf(criteria),
            ...(after && { after }),
            skip: (page - from) * pageSize,
            pageSize,
          },
          signal,
        }),
      );
      const last = found.rows.at(-1);
      const ends = new Map(known.ends);
      if (last && found.rows.length === pageSize) ends.set(page + 1, { at: last.at, id: last.id });
      setSeen({ of, ends, count: page * pageSize + Math.min(found.following, mostCounted) });
      return found;
    },
  });
  const { data, isError, isFetching, refetch } = query;
  const status: 'ready' | 'loading' | 'failed' | 'stale' = isFetching
    ? 'loading'
    : isError
      ? data
        ? 'stale'
        : 'failed'
      : 'ready';
  return {
    isFetching,
    error: query.error,
    /** More follow than are counted. */
    goesOn: (data?.following ?? 0) > mostCounted,
    shown: {
      rows: data?.rows ?? [],
      server: { count: known.count },
      status,
      onRetry: () => void refetch(),
    },
  };
}

/** What was searched for. Asked for by a click alone: the look is written down. */
export const useSearched = (id: number) =>
  useQuery({
    queryKey: ['audit', 'searched', id],
    queryFn: ({ signal }) =>
      answer(api.GET('/audit/entries/{id}/search', { params: { path: { id } }, signal })),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useExport = () =>
  useMutation({
    mutationFn: async (criteria: Criteria) => {
      const file = await answer(api.POST('/audit/export', { body: searchOf(criteria), parseAs: 'blob' }));
      download(file as unknown as Blob, 'AuditLog.csv');
    },
    retry: false,
  });
