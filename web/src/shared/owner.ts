import type { HistoryState } from '@tanstack/react-router';
import { fingerprint } from '@/api/session';
import type { Session } from '@/api/types';
import type {} from './navigation';

/** The owner of a visit's stored state. Other users and other sessions can't use it. */
export const getOwner = ({ user, mirroredUser, token }: Session) =>
  `${(mirroredUser ?? user).userNm} ${fingerprint(token)}`;

/** Returns a visit's state for this session if the same user owns it. */
export function restoreState(
  session: Session,
  { kept, searchInfo, list, claim, marked, ...state }: HistoryState,
): HistoryState {
  const owner = getOwner(session);
  return {
    ...state,
    ...(kept && { kept: { ...kept, owner } }),
    ...(searchInfo && { searchInfo: { ...searchInfo, owner } }),
    ...(list && { list: { ...list, owner } }),
    ...(claim && { claim: { ...claim, owner } }),
    ...(marked && { marked: { ...marked, owner } }),
  };
}
