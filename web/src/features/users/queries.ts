import { useQuery } from '@tanstack/react-query';
import { api, Problem, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import { startMirror } from '@/api/signedIn';
import type { UserRow } from '@/shared/accounts';
import { useAnnounceChange } from '@/shared/changes';
import type { SearchRun } from '@/shared/historyState';
import { useServerPage } from '@/shared/pages';
import { useMutation } from '@/shared/useMutation';
import type { TableState } from '@/ui/table/state';
import type { Criteria } from './criteria';

/** A page of a group's users. */
export const useManagedUsers = (groupId: number | null, table: TableState) => {
  const { actingUser } = useSession();
  return useServerPage<UserRow>({
    key: ['users', 'managed', groupId, actingUser.userNm],
    table,
    enabled: groupId !== null,
    fetchPage: (table, signal) =>
      unwrap(api.POST('/users/manageUsers/page', { body: { groupId: groupId ?? 0, table }, signal })),
  });
};

/** A page of the users that a search finds. */
export const useUserSearch = (search: SearchRun<Criteria> | null, table: TableState) =>
  useServerPage<UserRow>({
    key: ['users', 'search', search],
    table,
    enabled: search !== null,
    once: true,
    fetchPage: (table, signal) =>
      unwrap(api.POST('/admin/userList/page', { body: { ...search?.criteria, table }, signal })),
  });

const unnamed = new Map<number, string>();

/** The names of the users' groups by ID, for those with access. */
export function useGroupNames(users: UserRow[]) {
  const { can } = useSession();
  const groupIds = [...new Set(users.flatMap(({ grpInfoId }) => grpInfoId ?? []))].sort((a, b) => a - b);
  const { data } = useQuery({
    queryKey: ['groups', 'names', groupIds],
    enabled: groupIds.length > 0 && can('groups.desk'),
    queryFn: ({ signal }) => unwrap(api.POST('/desk/groups/names', { body: { groupIds }, signal })),
    select: mapNames,
  });
  return data ?? unnamed;
}

const mapNames = (groups: components['schemas']['GroupName'][]) =>
  new Map(groups.map(({ groupInfoId, groupName }) => [groupInfoId, groupName]));

/** Actions on a user or in the user's name, and who did them. */
export function useAccessHistory(userName: string) {
  return useQuery({
    queryKey: ['users', 'history', userName],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/users/accessHistory/{userName}', { params: { path: { userName } }, signal })),
    gcTime: 0,
  });
}

/** The server's response to a change that would leave a group without an administrator. */
export const lastAdmin = 600;

/** Treats any other response as a failure. */
const expectAnswer =
  (word: string | number) =>
  <Answer>(said: Answer): Answer => {
    if (said !== word && said !== lastAdmin) throw new Error(`answered ${said}`);
    return said;
  };

/** The changes that need a dialog, by the server's names in a row's menu. */
const changes = {
  'Convert to Provider Admin': ({ userNm }: UserRow, requester: string) =>
    unwrap(
      api.POST('/users/convertUserToAdmin/{requester}/{userName}', {
        params: { path: { requester, userName: userNm } },
      }),
    ).then(expectAnswer('success')),
  'Convert to Provider User': ({ userNm }: UserRow, requester: string) =>
    unwrap(
      api.POST('/users/convertAdminToUser/{requester}/{userName}', {
        params: { path: { requester, userName: userNm } },
      }),
    ).then(expectAnswer('success')),
  Terminate: (user: UserRow, requester: string, mgrUserInfoId: number) =>
    unwrap(
      api.PUT('/users/terminateUser/{requester}/{userName}', {
        params: { path: { requester, userName: user.userNm } },
        body: { ...user, mgrUserInfoId },
      }),
    ).then(expectAnswer(1)),
  'Reset Password': ({ userNm, emailAddr }: UserRow, adminUserName: string) =>
    unwrap(
      api.POST('/users/resetPasswordByAdmin/start', {
        body: { userName: userNm, emailAddress: emailAddr, adminUserName },
      }),
    ),
  'Reset Two-Step Verification': ({ userNm }: UserRow) =>
    unwrap(api.POST('/users/factorReset/start', { body: { userName: userNm } })),
  'Delete Draft': ({ id }: UserRow) =>
    unwrap(api.DELETE('/desk/queues/drafts/{id}', { params: { path: { id } } })),
  'Resend Registration': ({ id }: UserRow, requester: string) =>
    unwrap(
      api.POST('/users/regenRegistrationByAdmin/{requester}/{id}', { params: { path: { requester, id } } }),
    ),
};

export type Change = keyof typeof changes;

export const isChange = (action: string): action is Change => action in changes;

/** Changes a user. The lists refetch even after an error. */
export function useChange() {
  const announce = useAnnounceChange();
  const { actingUser } = useSession();
  return useMutation({
    mutationFn: ({ change, user }: { change: Change; user: UserRow }) =>
      changes[change](user, actingUser.userNm, actingUser.id),
    // A new administrator gets all TINs of the group.
    onSettled: () => void announce('users', 'tins'),
  });
}

export const useMirror = () => useMutation({ mutationFn: startMirror });

const goneUser = 'This user can no longer sign in. Search again.';

/** Returns why mirroring failed: the server's reason if the user can act on it. */
export function formatMirrorFailure(error: unknown, otherwise: string) {
  if (!(error instanceof Problem)) return otherwise;
  if (error.status === 404) return goneUser;
  return [409, 429].includes(error.status) ? error.message : otherwise;
}
