import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import { useAnnounceChange } from '@/shared/changes';
import { useServerPage } from '@/shared/pages';
import { useMutation } from '@/shared/useMutation';
import type { TableState } from '@/ui/table/state';

export type Person = components['schemas']['ReviewedPerson'];
export type Review = components['schemas']['AccessReview'];
export type OverdueGroup = components['schemas']['GroupBehind'];

/** A page of the people in the open review. */
export const useReviewedPeople = (table: TableState) => {
  const { actingUser } = useSession();
  return useServerPage<Person>({
    key: ['users', 'reviewed', actingUser.userNm],
    table,
    fetchPage: (table, signal) => unwrap(api.POST('/work/access/people', { body: { table }, signal })),
  });
};

/** A page of the groups with an overdue review. */
export const useOverdue = (table: TableState) =>
  useServerPage<OverdueGroup>({
    key: ['reviews-behind'],
    table,
    fetchPage: (table, signal) => unwrap(api.POST('/desk/reviews', { body: { table }, signal })),
  });

/** Changes the review. It refetches even after an error. */
function useChange<Change, Answer>(
  mutationFn: (change: Change) => Promise<Answer>,
  onError?: (error: unknown) => void,
) {
  const announce = useAnnounceChange();
  return useMutation({ mutationFn, onError, onSettled: () => void announce('users') });
}

/** Saves decisions. Another one can start before the first is saved. */
export const useAnswer = (onError: (error: unknown) => void) =>
  useChange(
    ({ person: { id, version }, kept }: { person: Person; kept: boolean }) =>
      unwrap(api.PUT('/work/access/items/{id}', { params: { path: { id } }, body: { kept, version } })),
    onError,
  );

export const useFinish = () =>
  useChange(({ id, name }: { id: number; name: string }) =>
    unwrap(api.POST('/work/access/{id}/finish', { params: { path: { id } }, body: { name } })),
  );

/** Returns a person's account in the group; undefined if it's gone. */
export async function fetchAccount(groupId: number, { id, userName }: Person) {
  const table = { page: 0, pageSize: 1000, filters: { userName } };
  const { rows } = await unwrap(api.POST('/users/manageUsers/page', { body: { groupId, table } }));
  return rows.find((row) => row.id === id);
}

/** The server's response to a change that would leave a group without an administrator. */
export const lastAdmin = 600;

/** Terminates an account as Manage Users does. */
export const useTerminate = () => {
  const { actingUser } = useSession();
  return useChange(async (person: Person) => {
    const user = await fetchAccount(actingUser.grpInfoId ?? 0, person);
    if (!user) return undefined; // it's already terminated
    return unwrap(
      api.PUT('/users/terminateUser/{requester}/{userName}', {
        params: { path: { requester: actingUser.userNm, userName: user.userNm } },
        body: { ...user, mgrUserInfoId: actingUser.id },
      }),
    );
  });
};

export const getFileUrl = ({ id }: Review) => `/api/work/access/${id}/file`;
