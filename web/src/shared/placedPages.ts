import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

/** Where a page begins: some rows after the place at which one before it ended. */
export interface From<Place> {
  after: Place | undefined;
  skip: number;
  /** How many rows to ask for. */
  rows: number;
}

/** The most rows that the server skips in one call. */
const mostSkipped = 2000;

interface Asked<Found, Place> {
  /** First part of the key of what is asked. */
  name: string;
  /** What is asked for: another begins anew. */
  of: string;
  page: number;
  pageSize: number;
  ask: (from: From<Place>, signal: AbortSignal) => Promise<Found>;
  /** Where a part of so many rows ends, when more follow. */
  end: (found: Found, rows: number) => Place | undefined;
}

/** Moves on by as many rows as the server skips, until the rest can be skipped in one call. */
async function approach<Found, Place>(
  { after, skip, rows }: From<Place>,
  ask: (from: From<Place>) => Promise<Found>,
  end: (found: Found, rows: number) => Place | undefined,
): Promise<From<Place>> {
  if (skip <= mostSkipped) return { after, skip, rows };
  const place = end(await ask({ after, skip: mostSkipped, rows: 1 }), 1);
  // The list has become shorter: what is asked for is beyond its end.
  if (place === undefined) return { after, skip: mostSkipped, rows };
  return approach({ after: place, skip: skip - mostSkipped - 1, rows }, ask, end);
}

/** Pages that are asked for by the place where a page before ended, so that each costs the same. */
export function usePlacedPages<Found extends object, Place>({
  name,
  of,
  page,
  pageSize,
  ask,
  end,
}: Asked<Found, Place>) {
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
      const found = await ask(await approach(part, (at) => ask(at, signal), end), signal);
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
