import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';
import { startMirrorFromDesk, useSession } from '@/api/session';
import { useAnnounceChange } from '@/shared/changes';
import { download } from '@/ui/window';

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

/** Acts as the user from here on, for the reason of the sitting. */
export const useActAs = () => useMutation({ mutationFn: startMirrorFromDesk, retry: false });

const mends = {
  reset: ({ userName, email }: Card, adminUserName: string) =>
    answer(
      api.POST('/users/resetPasswordByAdmin/start', {
        body: { userName, emailAddress: email, adminUserName },
      }),
    ),
  registration: ({ id }: Card, requester: string) =>
    answer(
      api.POST('/users/regenRegistrationByAdmin/{requester}/{id}', { params: { path: { requester, id } } }),
    ),
  mail: ({ mailId = 0 }: Card) =>
    answer(api.POST('/mails/{id}/resend', { params: { path: { id: mailId } } })),
};

export type Mend = keyof typeof mends;

/** Does what the card says can be done, by the calls of User Search and Home. */
export function useMend() {
  const announce = useAnnounceChange();
  const { user } = useSession();
  return useMutation({
    mutationFn: ({ mend, card }: { mend: Mend; card: Card }): Promise<unknown> =>
      mends[mend](card, user.userNm),
    retry: false,
    onSettled: () => void announce('users'),
  });
}

export const useReport = () =>
  useMutation({
    mutationFn: async (quarter: string) => {
      const file = await answer(
        api.GET('/desk/openings', { params: { query: { quarter } }, parseAs: 'blob' }),
      );
      download(file as unknown as Blob, `Desk openings ${quarter}.csv`);
    },
    retry: false,
  });
