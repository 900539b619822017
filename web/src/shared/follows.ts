import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import { useMutation } from './useMutation';

/** A followed item: a bill, or a claim with all its bills. */
export type FollowKind = 'bill' | 'claim';

const list = ['watches'];

/** The user's followed items. */
export const useFollows = () =>
  useQuery({ queryKey: list, queryFn: ({ signal }) => unwrap(api.GET('/work/watches', { signal })) });

/** The user's follow status for a page's bill and its claim. */
export const useFollowStatus = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: [...list, id],
    enabled,
    queryFn: ({ signal }) =>
      unwrap(api.GET('/work/bills/{id}/watched', { params: { path: { id } }, signal })),
    retry: false,
  });

/** Follows or unfollows bills or their claims. Returns how many were affected. */
export function useFollow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: { bills: string[]; of: FollowKind; watched: boolean }) =>
      unwrap(api.PUT('/work/watches', { body: change })),
    onSettled: () => client.invalidateQueries({ queryKey: list }),
  });
}

export function useUnfollow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => unwrap(api.DELETE('/work/watches/{id}', { params: { path: { id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: list }),
  });
}
