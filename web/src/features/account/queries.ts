import { useMutation, useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';
import { refreshSession } from '@/api/session';
import { useAnnounceChange } from '@/shared/changes';
import type { ProfileUpdate } from './profile';

type Schemas = components['schemas'];

// What a form starts with: read for each visit, and not again while it is filled in.
const formData = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnReconnect: false } as const;

/** The details of a user. */
export function useProfile(userName: string) {
  return useQuery({
    queryKey: ['account', 'profile', userName],
    queryFn: ({ signal }) =>
      answer(api.GET('/users/userByName/{name}', { params: { path: { name: userName } }, signal })),
    ...formData,
  });
}

/** Saves one's own profile, and shows it in the header. */
export function useSaveProfile() {
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: async (update: ProfileUpdate) => {
      // Null says that a value is empty; the API document knows only its absence.
      await answer(api.PUT('/users/updateUser', { body: update as Schemas['ProfileUpdate'] }));
      await refreshed();
    },
    retry: false,
    onSuccess: () => void announce('users'),
  });
}

/** Whether the profile lacks what it must have. */
export function useNeedsBackfill(userName: string, enabled: boolean) {
  return useQuery({
    queryKey: ['account', 'backfill', userName],
    enabled,
    queryFn: ({ signal }) =>
      answer(api.GET('/users/needsBackfill/{userName}', { params: { path: { userName } }, signal })),
    ...formData,
  });
}

export type Backfill = Omit<Schemas['Backfill'], 'companyUrl'> & { companyUrl: string | null };

export function useSaveBackfill() {
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: async (backfill: Backfill) => {
      await answer(api.POST('/users/updateBackfill', { body: backfill as Schemas['Backfill'] }));
      await refreshed();
    },
    retry: false,
    onSuccess: () => void announce('users'),
  });
}

// What was saved is saved, whether or not the session can be read again.
const refreshed = () => refreshSession().catch(() => undefined);

/** Answers `success`, or a text that contains why not. */
export function useChangePassword() {
  return useMutation({
    mutationFn: (change: Schemas['PasswordChange']) => answer(api.POST('/users/updatePwd', { body: change })),
    retry: false,
    gcTime: 0,
  });
}
