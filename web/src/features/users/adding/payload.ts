import type { components } from '@/api/schema';
import type { User } from '@/api/types';
import { findTinProblem, getDigits } from '@/shared/validation';
import { formatPhone } from '@/ui/format';
import {
  isRoster,
  type NewUser,
  needsAffiliation,
  needsAssignment,
  needsEmployeeId,
  needsGroup,
  needsGroupTins,
  needsWorkInfo,
  noUser,
} from './newUser';
import { getDefaultGroup, type Requested } from './place';

/* Converts a new user to the request and back to the form. */

type Schemas = components['schemas'];
export type UserPayload = Schemas['UserPayload'];
export type RosterSource = Schemas['RosterSource'];
export type AccountRequest = Schemas['RequestedAccount'];
type Row = Schemas['UserRow'];

/** A new user's input so far, as stored in the history and passed between screens. */
export type FormData = UserPayload;

/**
 * Besides the input: the draft as loaded, the request it answers, and the roster sources
 * selected so far.
 */
export interface FormContext {
  id?: number;
  version?: string;
  request?: number;
  sources: RosterSource[];
  /** The IDs of the sources to remove from an existing group. */
  removed?: { groupId: number; sourceIds: number[] };
}

/** The user as sent: only the fields of the account type. */
export function toPayload(
  user: NewUser,
  acting: User,
  { id, version, request, sources, removed }: FormContext,
): UserPayload {
  const groupId = needsGroup(user) && user.grpInfoId ? Number(user.grpInfoId) : null;
  const affiliated = needsAffiliation(user);
  const hasWorkInfo = needsWorkInfo(user);
  return {
    id,
    draftVersion: version,
    accountRequestId: request,
    mode: id === undefined ? 'newUser' : 'draftUser',
    isSaveAsDraftOperation: false,
    typeCd: user.typeCd,
    ...toPerson(user),
    groupAssignment: needsAssignment(user) ? user.groupAssignment : undefined,
    grpInfoId: groupId,
    mgrUserInfoId: acting.id,
    statusDesc: acting.userNm,
    userFtins: getFtins(user).map((ftin) => ({ ftin })),
    employeeId: (needsEmployeeId(user) && user.employeeId) || null,
    affiliationCd: affiliated ? user.affiliationCd : null,
    affiliationDesc: affiliated && user.affiliationCd === 'OTHER' ? user.affiliationDesc : null,
    jobTitle: hasWorkInfo ? user.jobTitle : null,
    companyNm: hasWorkInfo ? user.companyNm : null,
    companyUrl: (affiliated && user.companyUrl) || null,
    ...(isRoster(user) && {
      groupInfo: { groupInfoId: groupId, groupRosterSources: sources },
      selectedRosterSources: sources,
      userGroupRosterSources: sources,
      // One group's sources don't apply to another.
      ...(removed && removed.groupId === groupId && { removedSourceIds: removed.sourceIds }),
    }),
  };
}

/** The person's fields, which both ways of adding a user send. */
export const toPerson = (user: NewUser) => ({
  userFirstName: user.userFirstName,
  userLastName: user.userLastName,
  userMidName: user.userMidName,
  emailAddr: user.emailAddr,
  phoneNum: getDigits(user.phoneNum),
});

function getFtins(user: NewUser): string[] {
  const listed = user.userFtins.map(({ ftin }) => ftin);
  // A valid TIN counts without ADD too.
  if (user.typeCd === 'NNUS')
    return findTinProblem(user.ftin) ? listed : [...new Set([...listed, user.ftin])];
  return user.typeCd === 'PRUS' || needsGroupTins(user) ? listed : [];
}

/** The form for earlier input or a saved draft. */
export function toForm(user: FormData | Row): NewUser {
  const { userFtins = [], groupAssignment = user.grpInfoId ? 'existing' : 'new' } = user;
  return {
    typeCd: user.typeCd,
    userFirstName: user.userFirstName,
    userLastName: user.userLastName,
    userMidName: user.userMidName ?? '',
    phoneNum: formatPhone(user.phoneNum),
    emailAddr: user.emailAddr,
    groupAssignment,
    grpInfoId: String(user.grpInfoId ?? ''),
    employeeId: user.employeeId ?? '',
    affiliationCd: user.affiliationCd ?? '',
    affiliationDesc: user.affiliationDesc ?? '',
    jobTitle: user.jobTitle ?? '',
    companyNm: user.companyNm ?? '',
    companyUrl: user.companyUrl ?? '',
    ftin: '',
    userFtins,
  };
}

/** The form for an account request, with the account type that fits its TIN. */
export const toRequestForm = (
  request: AccountRequest,
  typeCd: string,
  requested: Requested | undefined,
): NewUser => ({
  ...noUser,
  typeCd,
  ...(typeCd !== '' && getDefaultGroup(typeCd, null, requested)),
  userFirstName: request.firstName,
  userLastName: request.lastName,
  userMidName: request.middleInitial ?? '',
  phoneNum: formatPhone(request.phoneNumber),
  emailAddr: request.emailAddress,
  affiliationCd: request.affiliation,
  affiliationDesc: request.otherAffiliation ?? '',
  jobTitle: request.jobTitle,
  companyNm: request.companyName,
  companyUrl: request.companyUrl ?? '',
});
