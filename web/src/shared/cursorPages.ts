import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getPageStatus } from './pages';

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
  search: string;
  page: number;
  pageSize: number;
  fetchPage: (from: PageStart<Place>, signal: AbortSignal) => Promise<Found>;
  /** Returns the end cursor of this many rows, if more follow. */
  getEnd: (found: Found, rows: number) => Place | undefined;
}

/** Advances in the server's largest steps until one request can skip the rest. */
async function skipAhead<Found, Place>(
  { after, skip, rows }: PageStart<Place>,
  fetchPage: (from: PageStart<Place>) => Promise<Found>,
  getEnd: (found: Found, rows: number) => Place | undefined,
): Promise<PageStart<Place>> {
  if (skip <= maxSkipped) return { after, skip, rows };
  const place = getEnd(await fetchPage({ after, skip: maxSkipped, rows: 1 }), 1);
  // The list has become shorter, and the page is beyond its end.
  if (place === undefined) return { after, skip: maxSkipped, rows };
  return skipAhead({ after: place, skip: skip - maxSkipped - 1, rows }, fetchPage, getEnd);
}

/** Pages that start at an earlier page's end cursor, so that each page costs the same. */
export function useCursorPages<Found extends object, Place>({
  name,
  search,
  page,
  pageSize,
  fetchPage,
  getEnd,
}: Options<Found, Place>) {
  const [known, setKnown] = useState({ search, ends: new Map<number, Place>() });
  const ends = known.search === search ? known.ends : new Map<number, Place>();
  const query = useQuery<Found>({
    queryKey: [name, search, page],
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    placeholderData: (before, query) => (query?.queryKey[1] === search ? before : undefined),
    queryFn: async ({ signal }) => {
      const from = Math.max(0, ...[...ends.keys()].filter((start) => start <= page));
      const part = { after: ends.get(from), skip: (page - from) * pageSize, rows: pageSize };
      const found = await fetchPage(await skipAhead(part, (at) => fetchPage(at, signal), getEnd), signal);
      const place = getEnd(found, pageSize);
      if (place !== undefined) setKnown({ search, ends: new Map(ends).set(page + 1, place) });
      return found;
    },
  });
  return { ...query, status: getPageStatus(query) };
}
