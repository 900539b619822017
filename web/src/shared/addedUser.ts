import { type HistoryState, type ParsedLocation, redirect } from '@tanstack/react-router';
import type { components } from '@/api/schema';
import { onSessionChange } from '@/api/session';
import type { UserRow } from './accounts';
import * as paths from './paths';

type UserPayload = components['schemas']['UserPayload'];

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The input of Add User, passed between it and the roster sources. */
    formData?: UserPayload;
    /**
     * When NEXT was first clicked. It identifies the added user in all history entries that
     * belong to it.
     */
    timestamp?: number;
  }
}

type AddUserState = Pick<HistoryState, 'mode' | 'user' | 'formData' | 'groupInfo'>;

// The latest state on this page of users being added; a text if there is nothing to continue.
// Back and Forward reach older history entries, and after a reload only the entry of the latest
// change has the newest state.
const newest = new Map<number, AddUserState | string>();

onSessionChange(({ type }) => {
  if (type === 'ended') newest.clear();
});

/** The state of a user saved as a draft. Saving it again updates the same draft. */
export function rememberDraft(
  { timestamp }: HistoryState,
  user: UserRow,
  typed: UserPayload,
  groupInfo: HistoryState['groupInfo'],
): AddUserState {
  const { id, draftVersion } = user;
  const known = {
    mode: 'draftUser',
    user,
    formData: { ...typed, id, draftVersion, mode: 'draftUser' },
    groupInfo,
  };
  if (timestamp !== undefined) newest.set(timestamp, known);
  return known;
}

/** The user exists now, so no history entry continues it. */
export function markCreated({ timestamp }: HistoryState, { userFirstName, userLastName }: UserRow): void {
  if (timestamp === undefined) return;
  newest.set(timestamp, `${userFirstName} ${userLastName} was added. You can now add another user.`);
}

/**
 * Runs before Add User and the roster sources open. An older history entry continues with the
 * latest save.
 */
export function restoreNewest({ location: { pathname, state } }: { location: ParsedLocation }): void {
  const { timestamp, user, formData, groupInfo, searchInfo, originalReturnPath } = state;
  if (timestamp === undefined) return;
  const known = newest.get(timestamp);
  if (known === undefined) {
    if (formData?.id !== undefined) newest.set(timestamp, { mode: 'draftUser', user, formData, groupInfo });
  } else if (typeof known === 'string')
    throw redirect({
      to: paths.addUser,
      replace: true,
      state: { searchInfo, originalReturnPath, message: known },
    });
  else if (getSavedVersion(known) !== getSavedVersion(state))
    throw redirect({ to: pathname, replace: true, state: { ...state, ...known } });
}

const getSavedVersion = ({ formData }: AddUserState) => `${formData?.id} ${formData?.draftVersion}`;
