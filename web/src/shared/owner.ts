import type { HistoryState } from '@tanstack/react-router';
import { fingerprint } from '@/api/session';
import type { Session } from '@/api/types';
import type {} from './navigation';

/** Whose a visit is: nobody else, and no other session, finds what it kept. */
export const ownerOf = ({ user, mirroredUser, token }: Session) =>
  `${(mirroredUser ?? user).userNm} ${fingerprint(token)}`;

/** What a visit had found, as found in this session of the same user. */
export function ownedBy(
  session: Session,
  { kept, searchInfo, list, claim, marked, ...state }: HistoryState,
): HistoryState {
  const owner = ownerOf(session);
  return {
    ...state,
    ...(kept && { kept: { ...kept, owner } }),
    ...(searchInfo && { searchInfo: { ...searchInfo, owner } }),
    ...(list && { list: { ...list, owner } }),
    ...(claim && { claim: { ...claim, owner } }),
    ...(marked && { marked: { ...marked, owner } }),
  };
}
