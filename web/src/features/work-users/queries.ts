import { useMutation } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';
import { useAnnounceChange } from '@/shared/changes';

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
