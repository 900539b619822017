import type { useSession } from '@/api/session';
import type { Session } from '@/api/types';
import * as paths from '@/shared/paths';
import { queueLists } from '@/shared/queues';

/** A screen that the dialog opens, with other words that find it. */
export interface Screen {
  group: string;
  label: string;
  to: string;
  words?: string;
}

/** The labels of the Workspace's groups. */
const groups: Record<NonNullable<Session['workspace']>[number]['group'], string> = {
  Work: 'Work',
  Know: 'Reference',
  Group: 'Administration',
  Desk: 'Service desk',
};

/** The Workspace's screens. */
export const listWorkspace = ({ workspace }: Session): Screen[] =>
  (workspace ?? []).map(({ group, label, to }) => ({
    group: groups[group],
    label,
    to: paths.getScreenPath(to),
  }));

/** All other screens that the user may open: those of the menu, and those that have no menu entry. */
export function listPortal({ menu, routes, can }: ReturnType<typeof useSession>): Screen[] {
  const group = 'Portal';
  const others: [boolean, string, string, string?][] = [
    [true, 'Home', paths.home, 'start'],
    [can('feeSchedules.request'), 'PPO Fee Schedule', paths.feeSchedule, 'rates prices'],
    [routes.includes('UserProfile'), 'User Profile', paths.userProfile, 'account name phone'],
    [can('account.sessions'), 'Sign-in and security', paths.signInAndSecurity, 'passkey two-step devices'],
    [can('account.factors'), 'Change Password', paths.changePassword],
    [can('tins.sharing') || can('tins.decide'), 'TIN sharing', paths.tinSharing, 'tax id'],
    [can('users.many'), 'Bulk TIN update', paths.bulkTins, 'tax id'],
    [can('audit.read'), 'Audit log', paths.auditLog, 'activity'],
    [true, 'News', paths.news],
  ];
  return [
    ...menu.map(({ label, to }) => ({ group, label, to: paths.getScreenPath(to) })),
    ...others.filter(([has]) => has).map(([, label, to, words]) => ({ group, label, to, words })),
    ...(can('queues.manage')
      ? Object.values(queueLists).map(({ name, to }) => ({ group: 'Queues', label: name, to: to as string }))
      : []),
  ];
}

/** Reports whether each typed word begins a word of the name. */
export function matches({ label, words = '' }: Pick<Screen, 'label' | 'words'>, text: string): boolean {
  const own = `${label} ${words}`.toLowerCase().split(/[\s-]+/);
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((typed) => own.some((word) => word.startsWith(typed)));
}
