import { type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@/api/schema';
import type { ServerSide } from '@/ui/table/props';
import type { TableState } from '@/ui/table/state';
import { getBusinessZone } from '@/ui/zone';

/** A table's request to the server. */
export type PageRequest = components['schemas']['Table'];

interface Page<Row> {
  rows: Row[];
  /** The number of matches on all pages. */
  count: number;
}

interface PageQuery<Row> {
  /** Identifies the rows. Another key is another search. */
  key: QueryKey;
  table: TableState;
  fetchPage: (table: PageRequest, signal?: AbortSignal) => Promise<Page<Row>>;
  /** The time zone of the table's timestamps, by default the business time zone. */
  zone?: string;
  enabled?: boolean;
  /** Users decide when to search again, and the result is dropped when they leave the screen. */
  once?: boolean;
}

const searchedOnce = {
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnReconnect: false,
};

// The server returns this many rows per request.
const exportPageSize = 1000;

/** A table's page from the server. The previous rows stay until the next page arrives. */
export function useServerPage<Row>({
  key,
  table,
  fetchPage,
  zone = getBusinessZone(),
  enabled = true,
  once = false,
}: PageQuery<Row>) {
  const search = JSON.stringify(key);
  // Keeps the count when a page fails, so that users can open other pages.
  const [last, setLast] = useState({ search, count: 0 });
  const query = useQuery({
    queryKey: [...key, table],
    enabled,
    queryFn: ({ signal }) => fetchPage(toRequest(table, zone), signal),
    placeholderData: (before: Page<Row> | undefined, query) =>
      JSON.stringify(query?.queryKey.slice(0, -1)) === search ? before : undefined,
    ...(once && searchedOnce),
  });
  const { data, isError, isFetching, refetch } = query;
  if (data && (last.count !== data.count || last.search !== search)) setLast({ search, count: data.count });
  const server: ServerSide<Row> = {
    count: data?.count ?? (last.search === search ? last.count : 0),
    exportRows: async function* () {
      for (let page = 0; ; page++) {
        const part = await fetchPage({ ...toRequest(table, zone), page, pageSize: exportPageSize });
        yield part.rows;
        if ((page + 1) * exportPageSize >= part.count) return;
      }
    },
  };
  return {
    data,
    isFetching,
    isError,
    refetch,
    /** The table's props. */
    shown: { rows: data?.rows ?? [], server, status: getPageStatus(query), onRetry: () => void refetch() },
  };
}

/** The status of a table whose pages come from the server. */
export const getPageStatus = ({
  data,
  isError,
  isFetching,
}: Pick<UseQueryResult, 'data' | 'isError' | 'isFetching'>): 'loading' | 'ready' | 'stale' | 'failed' =>
  isFetching ? 'loading' : !isError ? 'ready' : data ? 'stale' : 'failed';

export function toRequest(
  { sort, filters, page, pageSize }: TableState,
  zone = getBusinessZone(),
): PageRequest {
  return {
    page,
    pageSize,
    filters,
    ...(sort && { sort }),
    zone,
  };
}
