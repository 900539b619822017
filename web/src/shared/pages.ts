import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@/api/schema';
import type { ServerSide } from '@/ui/table/props';
import type { TableState } from '@/ui/table/state';

/** What is asked of the server for a table. */
export type PageRequest = components['schemas']['Table'];

interface Page<Row> {
  rows: Row[];
  /** How many match, on all pages. */
  count: number;
}

interface Asked<Row> {
  /** What the rows are of; another key is another search. */
  key: QueryKey;
  table: TableState;
  ask: (table: PageRequest, signal?: AbortSignal) => Promise<Page<Row>>;
  enabled?: boolean;
  /** A person decides when to search again, and nothing of it is kept once the screen is left. */
  once?: boolean;
}

const searchedOnce = {
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnReconnect: false,
};

// So many rows the server gives at a time.
const exportedAtOnce = 1000;

/** The page of a table that the server finds. What was shown stays until the next page is there. */
export function usePage<Row>({ key, table, ask, enabled = true, once = false }: Asked<Row>) {
  const search = JSON.stringify(key);
  // A page that fails leaves the way to the others.
  const [last, setLast] = useState({ search, count: 0 });
  const query = useQuery({
    queryKey: [...key, table],
    enabled,
    queryFn: ({ signal }) => ask(requestOf(table), signal),
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
        const part = await ask({ ...requestOf(table), page, pageSize: exportedAtOnce });
        yield part.rows;
        if ((page + 1) * exportedAtOnce >= part.count) return;
      }
    },
  };
  const status: 'ready' | 'loading' | 'failed' | 'stale' = isFetching
    ? 'loading'
    : isError
      ? data
        ? 'stale'
        : 'failed'
      : 'ready';
  return {
    data,
    isFetching,
    isError,
    refetch,
    /** For the table. */
    shown: { rows: data?.rows ?? [], server, status, onRetry: () => void refetch() },
  };
}

function requestOf({ sort, filters, page, pageSize }: TableState): PageRequest {
  return {
    page,
    pageSize,
    filters,
    ...(sort && { sort }),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
