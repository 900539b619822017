import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useCursorPages } from '@/shared/cursorPages';
import type { SearchRun } from '@/shared/historyState';
import { useMutation } from '@/shared/useMutation';
import type { TableState } from '@/ui/table/state';
import { download } from '@/ui/window';
import { type Criteria, toQuery } from './criteria';

export type Entry = components['schemas']['AuditEntry'];
type Place = components['schemas']['AuditPlace'];
type AuditPage = components['schemas']['AuditEntries'];

/** The server counts up to this many entries after a page. */
export const maxCounted = 1000;

/**
 * A page of the audit log. The server counts the following entries up to a limit, again for each
 * page.
 */
export function useAuditEntries({ criteria, run }: SearchRun<Criteria>, { page, pageSize }: TableState) {
  const { data, error, isFetching, refetch, status, isPlaceholderData } = useCursorPages<AuditPage, Place>({
    name: 'audit',
    search: JSON.stringify([criteria, run, pageSize]),
    page,
    pageSize,
    fetchPage: ({ after, skip, rows }, signal) =>
      unwrap(
        api.POST('/audit/entries', {
          body: { search: toQuery(criteria), ...(after && { after }), skip, pageSize: rows },
          signal,
        }),
      ),
    getEnd: ({ rows }, asked) => {
      const last = rows.at(-1);
      return last && rows.length === asked ? { at: last.at, id: last.id } : undefined;
    },
  });
  const following = data?.following ?? 0;
  // The previous page and its count stay until this page arrives.
  const [count, setCount] = useState(0);
  const counted = page * pageSize + Math.min(following, maxCounted);
  if (data && !isPlaceholderData && counted !== count) setCount(counted);
  return {
    isFetching,
    error,
    /** There are more entries than the count. */
    goesOn: following > maxCounted,
    shown: { rows: data?.rows ?? [], server: { count }, status, onRetry: () => void refetch() },
  };
}

/**
 * The search criteria of an entry. Only a click requests them, because the access itself is
 * logged.
 */
export const useSearchDetails = (id: number) =>
  useQuery({
    queryKey: ['audit', 'searched', id],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/audit/entries/{id}/search', { params: { path: { id } }, signal })),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useExport = () =>
  useMutation({
    mutationFn: async (criteria: Criteria) => {
      const file = await unwrap(api.POST('/audit/export', { body: toQuery(criteria), parseAs: 'blob' }));
      download(file as unknown as Blob, 'AuditLog.csv');
    },
  });
