import { useQuery } from '@tanstack/react-query';
import { api, bearer, needsReauthentication, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { upload } from '@/api/upload';
import { useAnnounceChange } from '@/shared/changes';
import { useMutation } from '@/shared/useMutation';

export type Change = components['schemas']['ManyChange'];
export type Outcome = components['schemas']['ManyOutcome'];

/** The effect of a change on each user, previewed or done. */
export interface Answer {
  asked: Change;
  done: boolean;
  outcomes: Outcome[];
}

/** Previews a change without applying it. */
export const usePreview = () =>
  useMutation({
    mutationFn: async (asked: Change): Promise<Answer> => ({
      asked,
      done: false,
      outcomes: await unwrap(api.POST('/work/users/ftins/preview', { body: asked })),
    }),
  });

/** Assigns or removes the TINs. Running it again finishes the rest. */
export function useChangeMany() {
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: async (asked: Change): Promise<Answer> => ({
      asked,
      done: true,
      outcomes: await unwrap(api.POST('/work/users/ftins', { body: asked })),
    }),
    onSettled: () => void announce('tins', 'users'),
  });
}

/** An account's TINs, to assign to others. */
export const useAccountTins = () =>
  useMutation({
    mutationFn: async (user: string) => {
      const tins = await unwrap(
        api.GET('/ftin/userFtins/{user}', { params: { path: { user }, query: { activeFlag: true } } }),
      );
      return tins.map(({ ftin }) => ftin);
    },
  });

export type UserFile = components['schemas']['UserFile'];
export type FileRow = components['schemas']['UserFileRow'];

/** The possible columns of a user file. */
export const useFileColumns = () =>
  useQuery({
    queryKey: ['users-bulk', 'columns'],
    queryFn: ({ signal }) => unwrap(api.GET('/work/users/file', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });

/**
 * Sends a file. One with system administrators needs re-authentication and is sent again
 * afterwards.
 */
async function send(path: string, file: File, checked = ''): Promise<UserFile> {
  const form = new FormData();
  form.append('checked', checked);
  form.append('file', file);
  const sendFile = () =>
    upload<UserFile>(path, form, { signal: new AbortController().signal, onProgress: () => {} });
  try {
    return await sendFile();
  } catch (error) {
    if (needsReauthentication(error) && (await bearer.prove())) return sendFile();
    throw error;
  }
}

/** Previews a file without storing anything. */
export const useCheckFile = () =>
  useMutation({ mutationFn: (file: File) => send('/work/users/file/check', file) });

/** Creates the users of a validated file. */
export function useImportFile() {
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: ({ file, checked }: { file: File; checked: string }) =>
      send('/work/users/file', file, checked),
    onSettled: () => void announce('users', 'tins', 'groups'),
  });
}
