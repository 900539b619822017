import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { PropsWithChildren } from 'react';
import { expect, it } from 'vitest';
import { type PageStart, useCursorPages } from './cursorPages';

function Client({ children }: PropsWithChildren) {
  return <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>;
}

/** A list of this many numbers, which are their own cursors. */
function numbers(count: number) {
  const asked: PageStart<number>[] = [];
  const fetchPage = (from: PageStart<number>) => {
    asked.push(from);
    const first = (from.after ?? 0) + from.skip;
    const list = Array.from(
      { length: Math.max(0, Math.min(from.rows, count - first)) },
      (_, i) => first + i + 1,
    );
    const last = list.at(-1);
    return Promise.resolve({ list, next: last !== undefined && last < count ? last : undefined });
  };
  return { fetchPage, asked };
}

it.each([
  [0, 1, 1],
  [40, 2001, 1],
  [41, 2051, 2],
  [559, 27951, 14],
])("shows page %i within the server's skip limit", async (page, first, calls) => {
  const { fetchPage, asked } = numbers(28_000);
  const { result } = renderHook(
    () =>
      useCursorPages({
        name: 'numbers',
        search: 'all',
        page,
        pageSize: 50,
        fetchPage,
        getEnd: ({ next }) => next,
      }),
    { wrapper: Client },
  );
  await waitFor(() => {
    expect(result.current.status).toBe('ready');
  });
  expect(result.current.data?.list).toEqual(Array.from({ length: 50 }, (_, i) => first + i));
  expect(asked).toHaveLength(calls);
  expect(Math.max(...asked.map(({ skip }) => skip))).toBeLessThanOrEqual(2000);
});

it('shows no rows of a list that has become shorter', async () => {
  const { fetchPage } = numbers(100);
  const { result } = renderHook(
    () =>
      useCursorPages({
        name: 'numbers',
        search: 'all',
        page: 100,
        pageSize: 50,
        fetchPage,
        getEnd: ({ next }) => next,
      }),
    { wrapper: Client },
  );
  await waitFor(() => {
    expect(result.current.status).toBe('ready');
  });
  expect(result.current.data?.list).toEqual([]);
});
