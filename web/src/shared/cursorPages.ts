import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

/** The start of a page, as a number of rows after an earlier page's end cursor. */
export interface PageStart<Place> {
  after: Place | undefined;
  skip: number;
  /** The number of rows to request. */
  rows: number;
}

/** The maximum number of rows that the server skips per request. */
const maxSkipped = 2000;

interface Options<Found, Place> {
  /** The first element of the query key. */
  name: string;
  /** The search. A different one starts over. */
  of: string;
  page: number;
  pageSize: number;
  ask: (from: PageStart<Place>, signal: AbortSignal) => Promise<Found>;
  /** Returns the end cursor of this many rows, if more follow. */
  end: (found: Found, rows: number) => Place | undefined;
}

/** Advances in the server's largest steps until one request can skip the rest. */
async function skipAhead<Found, Place>(
  { after, skip, rows }: PageStart<Place>,
  ask: (from: PageStart<Place>) => Promise<Found>,
  end: (found: Found, rows: number) => Place | undefined,
): Promise<PageStart<Place>> {
  if (skip <= maxSkipped) return { after, skip, rows };
  const place = end(await ask({ after, skip: maxSkipped, rows: 1 }), 1);
  // The list has become shorter, and the page is beyond its end.
  if (place === undefined) return { after, skip: maxSkipped, rows };
  return skipAhead({ after: place, skip: skip - maxSkipped - 1, rows }, ask, end);
}

/** Pages that start at an earlier page's end cursor, so that each page costs the same. */
export function useCursorPages<Found extends object, Place>({
  name,
  of,
  page,
  pageSize,
  ask,
  end,
}: Options<Found, Place>) {
  const [known, setKnown] = useState({ of, ends: new Map<number, Place>() });
  const ends = known.of === of ? known.ends : new Map<number, Place>();
  const query = useQuery<Found>({
    queryKey: [name, of, page],
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    placeholderData: (before, query) => (query?.queryKey[1] === of ? before : undefined),
    queryFn: async ({ signal }) => {
      const from = Math.max(0, ...[...ends.keys()].filter((start) => start <= page));
      const part = { after: ends.get(from), skip: (page - from) * pageSize, rows: pageSize };
      const found = await ask(await skipAhead(part, (at) => ask(at, signal), end), signal);
      const place = end(found, pageSize);
      if (place !== undefined) setKnown({ of, ends: new Map(ends).set(page + 1, place) });
      return found;
    },
  });
  const { data, isError, isFetching } = query;
  const status: 'ready' | 'loading' | 'failed' | 'stale' = isFetching
    ? 'loading'
    : isError
      ? data
        ? 'stale'
        : 'failed'
      : 'ready';
  return { ...query, status };
}
