import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';

export type Sitting = components['schemas']['LookSitting'];
export type Reason = components['schemas']['LookReason'];
export type Found = components['schemas']['AnyFound'];
export type Office = components['schemas']['OfficePage'];
export type Card = components['schemas']['UserCard'];

const sittingKey = ['desk-sitting'];

/** Why the person looks, as far as they said. */
export const useSitting = () =>
  useQuery({
    queryKey: sittingKey,
    queryFn: async ({ signal }) => (await answer(api.GET('/desk/sitting', { signal }))).sitting ?? null,
  });

export function useBegin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Reason) => answer(api.POST('/desk/sitting', { body })),
    onSuccess: ({ sitting }) => client.setQueryData(sittingKey, sitting ?? null),
    retry: false,
  });
}

export const useFind = () =>
  useMutation({ mutationFn: (q: string) => answer(api.POST('/desk/find', { body: { q } })), retry: false });

export const useOpenUser = () =>
  useMutation({
    mutationFn: (userName: string) => answer(api.POST('/desk/users/open', { body: { userName } })),
    retry: false,
  });

export const useOpenOffice = () =>
  useMutation({
    mutationFn: (id: number) => answer(api.POST('/desk/groups/open', { body: { id } })),
    retry: false,
  });
