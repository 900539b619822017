import { useQuery } from '@tanstack/react-query';
import { answer, api, bearer, isUnproven } from '@/api/client';
import type { components } from '@/api/schema';
import { upload } from '@/api/upload';
import { useAnnounceChange } from '@/shared/changes';
import { useMutation } from '@/shared/useMutation';

export type Change = components['schemas']['ManyChange'];
export type Outcome = components['schemas']['ManyOutcome'];

/** What a change would do to each user, or what it did. */
export interface Answer {
  asked: Change;
  done: boolean;
  outcomes: Outcome[];
}

/** Tells what a change would do; nothing is changed. */
export const usePreview = () =>
  useMutation({
    mutationFn: async (asked: Change): Promise<Answer> => ({
      asked,
      done: false,
      outcomes: await answer(api.POST('/work/users/ftins/preview', { body: asked })),
    }),
    retry: false,
  });

/** Gives or takes the TINs. Asked again it does what was left. */
export function useChangeMany() {
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: async (asked: Change): Promise<Answer> => ({
      asked,
      done: true,
      outcomes: await answer(api.POST('/work/users/ftins', { body: asked })),
    }),
    retry: false,
    onSettled: () => void announce('tins', 'users'),
  });
}

/** The TINs of an account, to be given to others. */
export const useTinsOf = () =>
  useMutation({
    mutationFn: async (user: string) => {
      const tins = await answer(
        api.GET('/ftin/userFtins/{user}', { params: { path: { user }, query: { activeFlag: true } } }),
      );
      return tins.map(({ ftin }) => ftin);
    },
    retry: false,
  });

export type UserFile = components['schemas']['UserFile'];
export type FileRow = components['schemas']['UserFileRow'];

/** The columns that a file of users may have. */
export const useFileColumns = () =>
  useQuery({
    queryKey: ['work-users', 'columns'],
    queryFn: ({ signal }) => answer(api.GET('/work/users/file', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Sends a file; one with system administrators goes out again once it was shown who sends it. */
async function send(path: string, file: File, checked = ''): Promise<UserFile> {
  const form = new FormData();
  form.append('checked', checked);
  form.append('file', file);
  const sent = () =>
    upload<UserFile>(path, form, { signal: new AbortController().signal, onProgress: () => {} });
  try {
    return await sent();
  } catch (error) {
    if (isUnproven(error) && (await bearer.prove())) return sent();
    throw error;
  }
}

/** Tells what a file would make; nothing is stored. */
export const useCheckFile = () =>
  useMutation({ mutationFn: (file: File) => send('/work/users/file/check', file), retry: false });

/** Makes the users of a file that was checked. */
export function useTakeFile() {
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: ({ file, checked }: { file: File; checked: string }) =>
      send('/work/users/file', file, checked),
    retry: false,
    onSettled: () => void announce('users', 'tins', 'groups'),
  });
}
