import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

/** Where a page begins: some rows after the place at which one before it ended. */
export interface From<Place> {
  after: Place | undefined;
  skip: number;
}

interface Asked<Found, Place> {
  /** First part of the key of what is asked. */
  name: string;
  /** What is asked for: another begins anew. */
  of: string;
  page: number;
  pageSize: number;
  ask: (from: From<Place>, signal: AbortSignal) => Promise<Found>;
  /** Where a page ends, when more follow. */
  end: (found: Found) => Place | undefined;
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
      const found = await ask({ after: ends.get(from), skip: (page - from) * pageSize }, signal);
      const place = end(found);
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
