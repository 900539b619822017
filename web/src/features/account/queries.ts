import { useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';
import { refreshSession } from '@/api/signedIn';
import { useAnnounceChange } from '@/shared/changes';
import { useMutation } from '@/shared/useMutation';
import { formData } from './needsBackfill';
import { makePasskey } from './passkeys';
import type { Details, ProfileUpdate } from './profile';

type Schemas = components['schemas'];

/** The details of a user. */
export function useProfile(userName: string) {
  return useQuery({
    queryKey: ['account', 'profile', userName],
    queryFn: ({ signal }) => readProfile(userName, signal),
    ...formData,
  });
}

const readProfile = (name: string, signal?: AbortSignal) =>
  answer(api.GET('/users/userByName/{name}', { params: { path: { name } }, signal }));

/** Saves one's own profile, and shows it in the header. */
export function useSaveProfile() {
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: async (update: ProfileUpdate) => {
      // Null says that a value is empty; the API document knows only its absence.
      await answer(api.PUT('/users/updateUser', { body: update as Schemas['ProfileUpdate'] }));
      await refreshed();
      return readProfile(update.userNm).catch(() => undefined);
    },
    retry: false,
    onSuccess: () => void announce('users'),
  });
}

/** Disconnects an account from the person of the outside provider who signs in to it. */
export function useUnbind(userName: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => answer(api.DELETE('/users/binding/{userName}', { params: { path: { userName } } })),
    retry: false,
    // The profile is not read again: what is typed in its form would go.
    onSuccess: () =>
      client.setQueryData<Details>(
        ['account', 'profile', userName],
        (read) => read && { ...read, ssoBoundDt: undefined },
      ),
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

/* Sign-in and security */

/** The second factors of who is signed in. */
export function useFactors(enabled: boolean) {
  return useQuery({
    queryKey: ['account', 'factors'],
    enabled,
    queryFn: ({ signal }) => answer(api.GET('/account/factors', { signal })),
  });
}

export type Factor = Schemas['OwnFactor'];

/** Where the person is signed in. */
export function useOpenSessions() {
  return useQuery({
    queryKey: ['account', 'sessions'],
    queryFn: ({ signal }) => answer(api.GET('/account/sessions', { signal })),
  });
}

export type OpenSession = Schemas['OpenSession'];

/** What an authenticator app is told: another secret for each visit of the dialog. */
export function useNewApp() {
  return useQuery({
    queryKey: ['account', 'new app'],
    queryFn: ({ signal }) => answer(api.POST('/account/factors/app/start', { signal })),
    ...formData,
  });
}

// A change of factors ends the other sessions, too.
function useSecurityChange<Asked, Answered>(change: (asked: Asked) => Promise<Answered>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    retry: false,
    gcTime: 0,
    onSettled: () =>
      Promise.all(
        ['factors', 'sessions'].map((shown) => client.invalidateQueries({ queryKey: ['account', shown] })),
      ),
  });
}

export const useAddApp = () =>
  useSecurityChange(async (body: Schemas['NewAppFactor']) => {
    const { codes } = await answer(api.POST('/account/factors/app', { body }));
    return codes;
  });

/** Asks the server, then the person's device, and adds the passkey that it makes. */
export const useAddPasskey = () =>
  useSecurityChange(async (name: string) => {
    const { options, state } = await answer(api.POST('/account/factors/passkey/start'));
    const made = await makePasskey(options);
    const { codes } = await answer(
      api.POST('/account/factors/passkey', { body: { state, answer: made, name } }),
    );
    return codes;
  });

export const useRemoveFactor = () =>
  useSecurityChange((id: number) =>
    answer(api.DELETE('/account/factors/{id}', { params: { path: { id } } })),
  );

export const useRenewCodes = () =>
  useSecurityChange(async () => {
    const { codes } = await answer(api.POST('/account/recoveryCodes'));
    return codes;
  });

/** Ends one session, or, without its id, all but this one. */
export const useEndSessions = () =>
  useSecurityChange((id: string | null) =>
    answer(
      id === null
        ? api.DELETE('/account/sessions')
        : api.DELETE('/account/sessions/{id}', { params: { path: { id } } }),
    ),
  );
