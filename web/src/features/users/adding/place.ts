import type { PortalUserGroup } from '@/shared/groups';
import type { NewUser, Tin } from './newUser';

/** The TIN for which an account was asked for, and the groups that have it. */
export interface Requested {
  ftin: string;
  prvName: string;
  groups: readonly PortalUserGroup[];
}

/** Where a user belongs: the group, and TINs of it. */
export type Place = Pick<NewUser, 'groupAssignment' | 'grpInfoId' | 'ftin' | 'userFtins'>;

/**
 * What is known of that once the account type is chosen: the own group of whoever adds, or what was asked for. Where
 * several groups have the TIN, one of them is still to be named.
 */
export function placeOf(typeCd: string, ownGroup: number | null, requested?: Requested): Place {
  if (ownGroup !== null) return placed('existing', String(ownGroup));
  if (!requested) return placed('new');
  const { ftin, groups } = requested;
  const owners = groups.filter(({ groupTypeCd }) => groupTypeCd === 'PRV');
  const owner = owners.length === 1 ? String(owners[0]?.groupInfoId) : '';
  switch (typeCd) {
    case 'NNUS':
      return { ...placed('new'), ftin };
    case 'PRUS':
      return placed('new', owner, owner ? [{ ftin }] : []);
    case 'PRAD':
      return owners.length > 0 ? placed('existing', owner) : placed('new', '', [tinOf(requested)]);
    default:
      return placed('new');
  }
}

/** The TIN that was asked for, once one of the groups that have it is named for a provider user. */
export const tinsIn = (typeCd: string, groupId: string, requested?: Requested): Tin[] =>
  typeCd === 'PRUS' && requested?.groups.some(({ groupInfoId }) => String(groupInfoId) === groupId)
    ? [{ ftin: requested.ftin }]
    : [];

const placed = (groupAssignment: Place['groupAssignment'], grpInfoId = '', userFtins: Tin[] = []): Place => ({
  groupAssignment,
  grpInfoId,
  ftin: '',
  userFtins,
});

const tinOf = ({ ftin, prvName }: Requested): Tin => ({ ftin, prvName });

/** The place once a person chose between a new group and one there is. */
export function reassigned(
  typeCd: string,
  groupAssignment: Place['groupAssignment'],
  requested?: Requested,
): Place {
  const known = placeOf(typeCd, null, requested);
  if (known.groupAssignment === groupAssignment) return known;
  const gathers = requested && typeCd === 'PRAD' && groupAssignment === 'new';
  return placed(groupAssignment, '', gathers ? [tinOf(requested)] : []);
}
