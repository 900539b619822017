import type { HistoryState } from '@tanstack/react-router';
import { fingerprint } from '@/api/session';
import type { Session } from '@/api/types';

/** The history state with an owner. */
export const ownedKeys = ['kept', 'searchInfo', 'list', 'claim', 'marked', 'position', 'asked'] as const;

/** The owner of a visit's stored state. Other users and other sessions can't use it. */
export const getOwner = ({ user, mirroredUser, token }: Session) =>
  `${(mirroredUser ?? user).userNm} ${fingerprint(token)}`;

/** Returns a visit's state for this session if the same user owns it. */
export function restoreState(session: Session, state: HistoryState): HistoryState {
  const owner = getOwner(session);
  const owned = ownedKeys.flatMap((key) => (state[key] ? [[key, { ...state[key], owner }]] : []));
  return { ...state, ...Object.fromEntries(owned) };
}
