import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import type { SearchRun } from '@/shared/historyState';
import { useServerPage } from '@/shared/pages';
import { useMutation } from '@/shared/useMutation';
import type { TableState } from '@/ui/table/state';
import { type Criteria, toQuery } from './criteria';

export type Row = components['schemas']['RemittanceRow'];
export type Page = components['schemas']['RemittancePage'];
export type Term = components['schemas']['RemittanceTerm'];
export type RemittanceBill = components['schemas']['RemittanceBill'];
export type ProviderAdjustment = components['schemas']['RemittanceBeside'];

const listKey = 'remittances';
const pageKey = 'remittance';

/** A page of search results. */
export const useRemittances = ({ criteria, run }: SearchRun<Criteria>, table: TableState) =>
  useServerPage({
    key: [listKey, criteria, run],
    table,
    once: true,
    fetchPage: (asked, signal) =>
      unwrap(api.POST('/remittances/search', { body: { ...toQuery(criteria), table: asked }, signal })),
  });

/**
 * One remittance. It's requested once per visit, because the server records each request as an
 * opening.
 */
export const useRemittance = (id: string) =>
  useQuery({
    queryKey: [pageKey, id],
    queryFn: ({ signal }) => unwrap(api.GET('/remittances/{id}', { params: { path: { id } }, signal })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });

/** One remittance at the service desk, requested once per visit, like the office's. */
export const useDeskRemittance = (id: string) =>
  useQuery({
    queryKey: ['desk-remittance', id],
    queryFn: ({ signal }) => unwrap(api.POST('/desk/remittances/open', { body: { id }, signal })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });

/**
 * Sets or removes the group's posted status on each, with the content that the user saw, so that
 * later changes aren't posted. Lists and the page update without a refetch, unless one changed.
 */
export function usePost() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ rows, posted }: { rows: Pick<Row, 'id' | 'content'>[]; posted: boolean }) =>
      unwrap(
        api.PUT('/remittancePosts', {
          body: {
            ids: rows.map(({ id }) => id),
            seen: posted ? rows.map(({ content }) => content) : undefined,
            posted,
          },
        }),
      ),
    onSuccess: (marks, { rows, posted }) => {
      const now = new Map(rows.map(({ id }, index) => [id, marks[index]?.posted] as const));
      const marked = (row: Row): Row => (now.has(row.id) ? { ...row, posted: now.get(row.id) } : row);
      client.setQueriesData(
        { queryKey: [pageKey] },
        (page: Page | undefined) => page && { ...page, remittance: marked(page.remittance) },
      );
      client.setQueriesData(
        { queryKey: [listKey] },
        (list: { rows: Row[]; count: number } | undefined) =>
          list && { ...list, rows: list.rows.map(marked) },
      );
      // The next attempt needs the content of those that changed.
      if (posted && !marks.every(isPosted))
        for (const key of [pageKey, listKey]) void client.invalidateQueries({ queryKey: [key] });
    },
  });
}

/** Reports whether the remittance is posted as it is now. */
export const isPosted = ({ posted }: Pick<Row, 'posted'>) => posted?.state === 'posted';

/** Reports whether the user's group has posted statuses. Users who mirror can't change them. */
export function useCanPost(): boolean {
  const { can, mirroredUser } = useSession();
  return can('remittances.post') && !mirroredUser;
}

/** Exports several remittances to one file. */
export const useExport = () =>
  useMutation({
    mutationFn: (ids: string[]) => unwrap(api.POST('/remittanceExports', { body: { ids } })),
  });

const pollInterval = 1000; // milliseconds

/** The file's progress, until it's ready. */
export const useExportStatus = (id: number) =>
  useQuery({
    queryKey: ['remittance-export', id],
    queryFn: ({ signal }) => unwrap(api.GET('/remittanceExports/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data && state.data.status !== 'QUEUED' ? false : pollInterval),
    gcTime: 0,
  });

export const maxExported = 200;

export const getExportUrl = (id: number) => `/api/remittanceExports/${id}/file`;

/** The address of a remittance's document. */
export const getDocumentUrl = (id: string, what: 'voucher' | '835' | 'lines.csv' | 'lines.xlsx') =>
  `/api/remittances/${encodeURIComponent(id)}/${what}`;
