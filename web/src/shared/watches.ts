import { useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import { useMutation } from './useMutation';

/** What is watched: a bill alone, or its claim with all of its bills. */
export type Of = 'bill' | 'claim';

const list = ['watches'];

/** What one watches. */
export const useWatches = () =>
  useQuery({ queryKey: list, queryFn: ({ signal }) => answer(api.GET('/work/watches', { signal })) });

/** Whether one watches the bill of a page, and its claim. */
export const useWatched = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: [...list, id],
    enabled,
    queryFn: ({ signal }) =>
      answer(api.GET('/work/bills/{id}/watched', { params: { path: { id } }, signal })),
    retry: false,
  });

/** Watches bills or their claims, or ends that; answers how many of them it concerns. */
export function useWatch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: { bills: string[]; of: Of; watched: boolean }) =>
      answer(api.PUT('/work/watches', { body: change })),
    retry: false,
    onSettled: () => client.invalidateQueries({ queryKey: list }),
  });
}

export function useEndWatch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => answer(api.DELETE('/work/watches/{id}', { params: { path: { id } } })),
    retry: false,
    onSettled: () => client.invalidateQueries({ queryKey: list }),
  });
}
