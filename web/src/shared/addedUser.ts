import { type HistoryState, type ParsedLocation, redirect } from '@tanstack/react-router';
import type { components } from '@/api/schema';
import { onSessionChange } from '@/api/session';
import type { UserRow } from './navigation';

type UserPayload = components['schemas']['UserPayload'];

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The user typed on Add User, there and back between it and the roster sources. */
    formData?: UserPayload;
    /** When NEXT was first pressed, which tells the user who is added from others: all visits that go on with it have it. */
    timestamp?: number;
  }
}

type Known = Pick<HistoryState, 'mode' | 'user' | 'formData' | 'groupInfo'>;

// What became in this page of users who are added; a text where there is nothing to go on with. Back and Forward meet
// visits from before, and after Reload the visit on which it happened is the newest that is known.
const newest = new Map<number, Known | string>();

onSessionChange(({ type }) => {
  if (type === 'ended') newest.clear();
});

/** What a visit knows of a user who was saved as a draft: saved again, it is the same. */
export function draftSaved(
  { timestamp }: HistoryState,
  user: UserRow,
  typed: UserPayload,
  groupInfo: HistoryState['groupInfo'],
): Known {
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

/** The user is made: no visit goes on with it. */
export function userMade({ timestamp }: HistoryState, { userFirstName, userLastName }: UserRow): void {
  if (timestamp === undefined) return;
  newest.set(timestamp, `${userFirstName} ${userLastName} was added. You can now add another user.`);
}

/** Before Add User and the roster sources open: a visit from before the user was last saved goes on with what was saved. */
export function meetNewest({ location: { pathname, state } }: { location: ParsedLocation }): void {
  const { timestamp, user, formData, groupInfo, searchInfo, originalReturnPath } = state;
  if (timestamp === undefined) return;
  const known = newest.get(timestamp);
  if (known === undefined) {
    if (formData?.id !== undefined) newest.set(timestamp, { mode: 'draftUser', user, formData, groupInfo });
  } else if (typeof known === 'string')
    throw redirect({
      to: '/AddUser',
      replace: true,
      state: { searchInfo, originalReturnPath, message: known },
    });
  else if (savedAs(known) !== savedAs(state))
    throw redirect({ to: pathname, replace: true, state: { ...state, ...known } });
}

const savedAs = ({ formData }: Known) => `${formData?.id} ${formData?.draftVersion}`;
