import type { components } from '@/api/schema';
import type { User } from '@/api/types';
import { digitsOf } from '@/shared/validation';
import { formatPhone } from '@/ui/format';
import {
  asksAffiliation,
  asksAssignment,
  asksEmployeeId,
  asksGroup,
  asksWork,
  gathersTins,
  isRoster,
  type NewUser,
  noUser,
} from './newUser';

/* A new user as it is sent, and the form again for what was sent before. */

type Schemas = components['schemas'];
export type UserPayload = Schemas['UserPayload'];
export type RosterSource = Schemas['RosterSource'];
export type AccountRequest = Schemas['RequestedAccount'];
type Row = Schemas['UserRow'];

/** A new user as typed so far, as the history keeps it and screens hand it on. */
export type FormData = UserPayload;

/** Beside what is typed: the draft that goes on, as it was read, the request it answers, and the roster sources chosen so far. */
export interface Around {
  id?: number;
  version?: string;
  request?: number;
  sources: RosterSource[];
  /** The sources that an existing group is to lose, by their ids. */
  removed?: { groupId: number; sourceIds: number[] };
}

/** The user as it is sent: only what its account type asks for. */
export function payloadOf(
  user: NewUser,
  acting: User,
  { id, version, request, sources, removed }: Around,
): UserPayload {
  const groupId = asksGroup(user) && user.grpInfoId ? Number(user.grpInfoId) : null;
  const affiliated = asksAffiliation(user);
  const works = asksWork(user);
  return {
    id,
    draftVersion: version,
    accountRequestId: request,
    mode: id === undefined ? 'newUser' : 'draftUser',
    isSaveAsDraftOperation: false,
    typeCd: user.typeCd,
    ...personOf(user),
    groupAssignment: asksAssignment(user) ? user.groupAssignment : undefined,
    grpInfoId: groupId,
    mgrUserInfoId: acting.id,
    statusDesc: acting.userNm,
    userFtins: ftinsOf(user).map((ftin) => ({ ftin })),
    employeeId: (asksEmployeeId(user) && user.employeeId) || null,
    affiliationCd: affiliated ? user.affiliationCd : null,
    affiliationDesc: affiliated && user.affiliationCd === 'OTHER' ? user.affiliationDesc : null,
    jobTitle: works ? user.jobTitle : null,
    companyNm: works ? user.companyNm : null,
    companyUrl: (affiliated && user.companyUrl) || null,
    ...(isRoster(user) && {
      groupInfo: { groupInfoId: groupId, groupRosterSources: sources },
      selectedRosterSources: sources,
      userGroupRosterSources: sources,
      // Those of one group are none of another.
      ...(removed && removed.groupId === groupId && { removedSourceIds: removed.sourceIds }),
    }),
  };
}

/** What both ways of adding a user send of the person. */
export const personOf = (user: NewUser) => ({
  userFirstName: user.userFirstName,
  userLastName: user.userLastName,
  userMidName: user.userMidName,
  emailAddr: user.emailAddr,
  phoneNum: digitsOf(user.phoneNum),
});

function ftinsOf(user: NewUser): string[] {
  if (user.typeCd === 'NNUS' && user.userFtins.length === 0) return [user.ftin];
  const sent = user.typeCd === 'PRUS' || user.typeCd === 'NNUS' || gathersTins(user);
  return sent ? user.userFtins.map(({ ftin }) => ftin) : [];
}

/** The form for a user who was typed before, or saved as a draft. */
export function formOf(user: FormData | Row): NewUser {
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

/** The form for whom an account was asked for. */
export const formOfRequest = (request: AccountRequest): NewUser => ({
  ...noUser,
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
