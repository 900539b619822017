import type { PortalUserGroup } from '@/shared/groups';
import type { NewUser, Tin } from './newUser';

/** An account request's TIN, and the groups that have it. */
export interface Requested {
  ftin: string;
  prvName: string;
  groups: readonly PortalUserGroup[];
}

/**
 * The account type that fits an account request: a user of the provider group that has the TIN,
 * a non-network user if only such groups have it, or the administrator of a new group.
 */
export function proposeType({ groups }: Requested): 'PRUS' | 'NNUS' | 'PRAD' {
  if (groups.some(({ groupTypeCd }) => groupTypeCd === 'PRV')) return 'PRUS';
  return groups.some(({ groupTypeCd }) => groupTypeCd === 'NNW') ? 'NNUS' : 'PRAD';
}

/** The user's group and its TINs. */
export type GroupFields = Pick<NewUser, 'groupAssignment' | 'grpInfoId' | 'ftin' | 'userFtins'>;

/**
 * The default after selecting the account type: the administrator's own group, or the requested
 * one. If several groups have the TIN, the user must select one.
 */
export function getDefaultGroup(typeCd: string, ownGroup: number | null, requested?: Requested): GroupFields {
  if (ownGroup !== null) return makeGroupFields('existing', String(ownGroup));
  if (!requested) return makeGroupFields('new');
  const { ftin, groups } = requested;
  const owners = groups.filter(({ groupTypeCd }) => groupTypeCd === 'PRV');
  const owner = owners.length === 1 ? String(owners[0]?.groupInfoId) : '';
  switch (typeCd) {
    case 'NNUS':
      return { ...makeGroupFields('new'), ftin };
    case 'PRUS':
      return makeGroupFields('new', owner, owner ? [{ ftin }] : []);
    case 'PRAD':
      return owners.length > 0
        ? makeGroupFields('existing', owner)
        : makeGroupFields('new', '', [toTin(requested)]);
    default:
      return makeGroupFields('new');
  }
}

/** The requested TIN, once a provider user's group is selected among those that have it. */
export const getRequestedTins = (typeCd: string, groupId: string, requested?: Requested): Tin[] =>
  typeCd === 'PRUS' && requested?.groups.some(({ groupInfoId }) => String(groupInfoId) === groupId)
    ? [{ ftin: requested.ftin }]
    : [];

const makeGroupFields = (
  groupAssignment: GroupFields['groupAssignment'],
  grpInfoId = '',
  userFtins: Tin[] = [],
): GroupFields => ({
  groupAssignment,
  grpInfoId,
  ftin: '',
  userFtins,
});

const toTin = ({ ftin, prvName }: Requested): Tin => ({ ftin, prvName });

/** The group fields after switching between a new and an existing group. */
export function changeAssignment(
  typeCd: string,
  groupAssignment: GroupFields['groupAssignment'],
  requested?: Requested,
): GroupFields {
  const known = getDefaultGroup(typeCd, null, requested);
  if (known.groupAssignment === groupAssignment) return known;
  const addsRequested = requested && typeCd === 'PRAD' && groupAssignment === 'new';
  return makeGroupFields(groupAssignment, '', addsRequested ? [toTin(requested)] : []);
}
