import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { refreshSession } from '@/api/signedIn';
import { useAnnounceChange } from '@/shared/changes';
import { useMutation } from '@/shared/useMutation';
import { formData } from './needsBackfill';
import { createPasskey } from './passkeys';
import type { Details, ProfileUpdate } from './profile';

type Schemas = components['schemas'];

/** A user's details. */
export function useProfile(userName: string) {
  return useQuery({
    queryKey: ['account', 'profile', userName],
    queryFn: ({ signal }) => readProfile(userName, signal),
    ...formData,
  });
}

const readProfile = (name: string, signal?: AbortSignal) =>
  unwrap(api.GET('/users/userByName/{name}', { params: { path: { name } }, signal }));

/** Saves the user's own profile, which updates the header. */
export function useSaveProfile() {
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: async (update: ProfileUpdate) => {
      // Null means an empty value, but the API document only has optional fields.
      await unwrap(api.PUT('/users/updateUser', { body: update as Schemas['ProfileUpdate'] }));
      await refreshAfter();
      return readProfile(update.userNm).catch(() => undefined);
    },
    onSuccess: () => void announce('users'),
  });
}

/** Cancels a pending change of a user's email address. */
export function useCancelEmailChange(userName: string) {
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: () => unwrap(api.DELETE('/users/emailChange/{userName}', { params: { path: { userName } } })),
    onSuccess: () => void announce('users'),
  });
}

/** Unlinks an account from its external sign-in. */
export function useUnlinkSignIn(userName: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => unwrap(api.DELETE('/users/binding/{userName}', { params: { path: { userName } } })),
    // The profile isn't refetched, because that would discard the form's input.
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
      await unwrap(api.POST('/users/updateBackfill', { body: backfill as Schemas['Backfill'] }));
      await refreshAfter();
    },
    onSuccess: () => void announce('users'),
  });
}

// The save succeeded even if the session can't be reloaded.
const refreshAfter = () => refreshSession().catch(() => undefined);

/** Returns `success`, or a text with the reason for the failure. */
export function useChangePassword() {
  return useMutation({
    mutationFn: (change: Schemas['PasswordChange']) => unwrap(api.POST('/users/updatePwd', { body: change })),
    gcTime: 0,
  });
}

/* Sign-in and security */

/** The signed-in user's second factors. */
export function useFactors(enabled: boolean) {
  return useQuery({
    queryKey: ['account', 'factors'],
    enabled,
    queryFn: ({ signal }) => unwrap(api.GET('/account/factors', { signal })),
  });
}

export type Factor = Schemas['OwnFactor'];

/** The user's sessions. */
export function useOpenSessions() {
  return useQuery({
    queryKey: ['account', 'sessions'],
    queryFn: ({ signal }) => unwrap(api.GET('/account/sessions', { signal })),
  });
}

export type OpenSession = Schemas['OpenSession'];

/** The setup data for an authenticator app: another secret each time the dialog opens. */
export function useNewApp() {
  return useQuery({
    queryKey: ['account', 'new app'],
    queryFn: ({ signal }) => unwrap(api.POST('/account/factors/app/start', { signal })),
    ...formData,
  });
}

// Changing a factor also ends the other sessions.
function useSecurityChange<Asked, Answered>(change: (asked: Asked) => Promise<Answered>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    gcTime: 0,
    onSettled: () =>
      Promise.all(
        ['factors', 'sessions'].map((shown) => client.invalidateQueries({ queryKey: ['account', shown] })),
      ),
  });
}

export const useAddApp = () =>
  useSecurityChange(async (body: Schemas['NewAppFactor']) => {
    const { codes } = await unwrap(api.POST('/account/factors/app', { body }));
    return codes;
  });

/** Gets the options from the server, creates a passkey on the user's device, and adds it. */
export const useAddPasskey = () =>
  useSecurityChange(async (name: string) => {
    const { options, state } = await unwrap(api.POST('/account/factors/passkey/start'));
    const credential = await createPasskey(options);
    const { codes } = await unwrap(
      api.POST('/account/factors/passkey', { body: { state, answer: credential, name } }),
    );
    return codes;
  });

export const useRemoveFactor = () =>
  useSecurityChange((id: number) =>
    unwrap(api.DELETE('/account/factors/{id}', { params: { path: { id } } })),
  );

export const useRenewCodes = () =>
  useSecurityChange(async () => {
    const { codes } = await unwrap(api.POST('/account/recoveryCodes'));
    return codes;
  });

/** Ends one session, or without an ID all others. */
export const useEndSessions = () =>
  useSecurityChange((id: string | null) =>
    unwrap(
      id === null
        ? api.DELETE('/account/sessions')
        : api.DELETE('/account/sessions/{id}', { params: { path: { id } } }),
    ),
  );
