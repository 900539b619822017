import type { PortalUserGroup } from '@/shared/groups';
import type { NewUser, Tin } from './newUser';

/** An account request's TIN, and the groups that have it. */
export interface Requested {
  ftin: string;
  prvName: string;
  groups: readonly PortalUserGroup[];
}

/** The user's group and its TINs. */
export type Place = Pick<NewUser, 'groupAssignment' | 'grpInfoId' | 'ftin' | 'userFtins'>;

/**
 * The default after selecting the account type: the administrator's own group, or the requested
 * one. If several groups have the TIN, the user must select one.
 */
export function getPlace(typeCd: string, ownGroup: number | null, requested?: Requested): Place {
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
      return owners.length > 0 ? placed('existing', owner) : placed('new', '', [toTin(requested)]);
    default:
      return placed('new');
  }
}

/** The requested TIN, once a provider user's group is selected among those that have it. */
export const getRequestedTins = (typeCd: string, groupId: string, requested?: Requested): Tin[] =>
  typeCd === 'PRUS' && requested?.groups.some(({ groupInfoId }) => String(groupInfoId) === groupId)
    ? [{ ftin: requested.ftin }]
    : [];

const placed = (groupAssignment: Place['groupAssignment'], grpInfoId = '', userFtins: Tin[] = []): Place => ({
  groupAssignment,
  grpInfoId,
  ftin: '',
  userFtins,
});

const toTin = ({ ftin, prvName }: Requested): Tin => ({ ftin, prvName });

/** The group fields after switching between a new and an existing group. */
export function reassign(
  typeCd: string,
  groupAssignment: Place['groupAssignment'],
  requested?: Requested,
): Place {
  const known = getPlace(typeCd, null, requested);
  if (known.groupAssignment === groupAssignment) return known;
  const gathers = requested && typeCd === 'PRAD' && groupAssignment === 'new';
  return placed(groupAssignment, '', gathers ? [toTin(requested)] : []);
}
