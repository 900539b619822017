import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';
import type { Run } from '@/shared/keptSearch';
import { usePlacedPages } from '@/shared/placedPages';
import { useMutation } from '@/shared/useMutation';
import type { TableState } from '@/ui/table/state';
import { download } from '@/ui/window';
import { type Criteria, searchOf } from './criteria';

export type Entry = components['schemas']['AuditEntry'];
type Place = components['schemas']['AuditPlace'];
type AuditPage = components['schemas']['AuditEntries'];

/** The server counts so many entries from a page on. */
export const mostCounted = 1000;

/** A page of the audit log; how many follow is counted only so far, and shows anew on each page. */
export function useAuditEntries({ criteria, run }: Run<Criteria>, { page, pageSize }: TableState) {
  const { data, error, isFetching, refetch, status, isPlaceholderData } = usePlacedPages<AuditPage, Place>({
    name: 'audit',
    of: JSON.stringify([criteria, run, pageSize]),
    page,
    pageSize,
    ask: ({ after, skip, rows }, signal) =>
      answer(
        api.POST('/audit/entries', {
          body: { search: searchOf(criteria), ...(after && { after }), skip, pageSize: rows },
          signal,
        }),
      ),
    end: ({ rows }, asked) => {
      const last = rows.at(-1);
      return last && rows.length === asked ? { at: last.at, id: last.id } : undefined;
    },
  });
  const following = data?.following ?? 0;
  // The page before is shown until this one comes, with the count that it gave.
  const [count, setCount] = useState(0);
  const counted = page * pageSize + Math.min(following, mostCounted);
  if (data && !isPlaceholderData && counted !== count) setCount(counted);
  return {
    isFetching,
    error,
    /** More follow than are counted. */
    goesOn: following > mostCounted,
    shown: { rows: data?.rows ?? [], server: { count }, status, onRetry: () => void refetch() },
  };
}

/** Search criteria for. Asked for by a click alone: the look is written down. */
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
