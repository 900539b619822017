import { z } from 'zod/mini';
import { config } from '@/api/config';
import type { components } from '@/api/schema';
import type { User } from '@/api/types';
import {
  digitsOf,
  isEmail,
  isOutside,
  isPhone,
  maxEmail,
  maxName,
  maxPhone,
  maxTin,
  nameProblems,
  tinProblem,
} from '@/shared/validation';
import { formatPhone } from '@/ui/format';
import { normaliseText } from '@/ui/text';

/* What a new user is asked for, by account type, and how it is sent. */

type Schemas = components['schemas'];
export type UserPayload = Schemas['UserPayload'];
export type RosterSource = Schemas['RosterSource'];
export type AccountRequest = Schemas['RequestedAccount'];
type Row = Schemas['UserRow'];

/** A TIN that is chosen or added, with the provider by whom it was found. */
export interface Tin {
  ftin: string;
  prvId?: string;
  prvName?: string;
}

/** The form, its values named as on the wire, so that what the server says of them lands on their fields. */
export interface NewUser {
  typeCd: string;
  userFirstName: string;
  userLastName: string;
  userMidName: string;
  phoneNum: string;
  emailAddr: string;
  groupAssignment: 'new' | 'existing';
  grpInfoId: string;
  employeeId: string;
  affiliationCd: string;
  affiliationDesc: string;
  jobTitle: string;
  companyNm: string;
  companyUrl: string;
  /** The TIN being typed, of a non-network user. */
  ftin: string;
  userFtins: Tin[];
}

/** A new user as typed so far, as the history keeps it and screens hand it on. */
export type FormData = UserPayload & Pick<NewUser, 'groupAssignment'>;

export const genericError = 'Error: An error has occurred. Please try again or contact Customer Service.';
export const addressAllFields = 'An error has occurred. Please address all fields marked with “Error”.';
export const created = 'User has been successfully created!';
export const saved = 'User has been successfully saved!';
export const emailTaken = 'Error: The Email Address is associated to another account';
export const alreadyAdded = 'You already added this TIN';

export const affiliations = [
  { value: 'OFC_STAFF', label: 'Provider or facility employee' },
  { value: 'BILLING_CO', label: '3rd party billing employee' },
  { value: 'OTHER', label: 'Other' },
];

/** Longest values, in characters. */
export const most = {
  name: maxName,
  initial: 1,
  phone: maxPhone,
  email: maxEmail,
  group: 11,
  employeeId: 120,
  work: 120,
  other: 40,
  tin: maxTin,
};

type Asked = Pick<NewUser, 'typeCd' | 'groupAssignment'>;
export const isRoster = ({ typeCd }: Pick<NewUser, 'typeCd'>) => typeCd === 'ROAD' || typeCd === 'ROUS';
export const asksAssignment = ({ typeCd }: Asked) => typeCd === 'PRAD' || typeCd === 'ROAD';
export const asksGroup = (user: Asked) =>
  asksAssignment(user) ? user.groupAssignment === 'existing' : ['PRUS', 'ROUS'].includes(user.typeCd);
export const asksEmployeeId = ({ typeCd }: Asked) => typeCd === 'ISAD' || typeCd === 'IRAD';
export const asksAffiliation = ({ typeCd }: Asked) => ['PRAD', 'PRUS', 'NNUS'].includes(typeCd);
export const asksWork = (user: Asked) => asksAffiliation(user) || isRoster(user);
/** The TINs of a group that is made with the user. */
export const gathersTins = (user: Asked) => user.typeCd === 'PRAD' && user.groupAssignment === 'new';

export const noUser: NewUser = {
  typeCd: '',
  userFirstName: '',
  userLastName: '',
  userMidName: '',
  phoneNum: '',
  emailAddr: '',
  groupAssignment: 'new',
  grpInfoId: '',
  employeeId: '',
  affiliationCd: '',
  affiliationDesc: '',
  jobTitle: '',
  companyNm: '',
  companyUrl: '',
  ftin: '',
  userFtins: [],
};

const text = z.string().check(z.overwrite(normaliseText));
const shape = {
  typeCd: z.string(),
  userFirstName: text,
  userLastName: text,
  userMidName: text,
  phoneNum: text,
  emailAddr: text,
  groupAssignment: z.enum(['new', 'existing']),
  grpInfoId: text,
  employeeId: text,
  affiliationCd: z.string(),
  affiliationDesc: text,
  jobTitle: text,
  companyNm: text,
  companyUrl: text,
  ftin: text,
  userFtins: z.array(z.any()),
};

type Problem = [field: keyof NewUser, message: string];

const checked = (problems: (user: NewUser) => Problem[]) =>
  z.object(shape).check(
    z.superRefine((user, context) => {
      for (const [path, message] of problems(user))
        context.addIssue({ code: 'custom', path: [path], message });
    }),
  );

/** The single form, which asks for nothing more before the type is chosen. A draft may lack its group. */
export const newUserSchema = ({ draft }: { draft: boolean }) =>
  checked((user) =>
    user.typeCd === ''
      ? [noType]
      : [...personProblems(user), ...placeProblems(user, draft), ...workProblems(user)],
  );

/** The first step of the wizard. */
export const personSchema = checked(personProblems);

const noType: Problem = ['typeCd', 'Error: Select Account Type'];

function personProblems(user: NewUser): Problem[] {
  const found: Problem[] = [];
  if (user.typeCd === '') found.push(noType);
  found.push(...nameProblems(user));
  if (!isPhone(user.phoneNum)) found.push(['phoneNum', 'Error: Enter a valid Phone Number']);
  if (!isEmail(user.emailAddr)) found.push(['emailAddr', 'Error: Enter a valid Email Address']);
  return found;
}

function placeProblems(user: NewUser, draft: boolean): Problem[] {
  const found: Problem[] = [];
  const groupMissing = user.grpInfoId === '';
  if (asksGroup(user) && (groupMissing ? !draft : !isGroupId(user.grpInfoId)))
    found.push(['grpInfoId', 'Error: Enter a valid group Id']);
  if (user.typeCd === 'PRUS' && user.userFtins.length === 0) found.push(['userFtins', 'Error: Select TIN']);
  if (user.typeCd === 'NNUS' && user.userFtins.length === 0) {
    const problem = tinProblem(user.ftin);
    if (problem) found.push(['ftin', problem]);
  }
  if (asksEmployeeId(user) && isOutside(user.employeeId, 1, most.employeeId))
    found.push(['employeeId', invalidEmployeeId()]);
  return found;
}

function workProblems(user: NewUser): Problem[] {
  const found: Problem[] = [];
  if (asksAffiliation(user)) {
    if (user.affiliationCd === '') found.push(['affiliationCd', 'Error: Select Affiliation']);
    if (user.affiliationCd === 'OTHER' && isOutside(user.affiliationDesc, 1, most.other))
      found.push(['affiliationDesc', 'Error: Enter Other Desc']);
    if (isOutside(user.companyUrl, 0, most.work))
      found.push(['companyUrl', 'Error: Enter at most 120 characters of Company URL']);
  }
  if (asksWork(user)) {
    if (isOutside(user.jobTitle, 1, most.work)) found.push(['jobTitle', 'Error: Enter a valid Job Title']);
    if (isOutside(user.companyNm, 1, most.work))
      found.push(['companyNm', 'Error: Enter a valid Company Name']);
  }
  return found;
}

export const isGroupId = (typed: string) => typed.length <= most.group && /^0*[1-9]\d*$/.test(typed);

function invalidEmployeeId(): string {
  const { organizationName } = config();
  return organizationName
    ? `Error: Enter a valid ${organizationName} Employee ID`
    : 'Error: Enter a valid Employee ID';
}

const restricted = 'FTIN_RESTRICTED_FOR_REGISTRATION';

/** What the server's codes say of a TIN of a non-network user. */
const nonNetworkTexts: Record<string, string> = {
  INVALID_FTIN_IN_NETWORK:
    'Error: This TIN cannot be added because it is registered as In-network TIN.  Only non-network TINs are permitted for non-network user.',
  INVALID_FTIN_NO_BILLS_FOUND:
    'Error: This TIN cannot be added because no bills exist in the system. Only TINs with existing bills can be associated with user account.',
  [restricted]:
    'Error: Adding a TIN owned by our organization is not allowed.  Select a different TIN and resubmit.',
};

/** The text for a code by which the server refuses a TIN, if it is one. */
export function tinRefusal(typeCd: string, code: string): string | undefined {
  if (typeCd === 'NNUS') return nonNetworkTexts[code];
  return code === restricted
    ? 'Adding a TIN owned by our organization is not allowed.  Select a different TIN and resubmit..'
    : undefined;
}

/** Beside what is typed: the draft that goes on, the request it answers, and the roster sources chosen so far. */
export interface Around {
  id?: number;
  request?: number;
  sources: RosterSource[];
}

/** The user as it is sent: only what its account type asks for. */
export function payloadOf(user: NewUser, acting: User, { id, request, sources }: Around): UserPayload {
  const groupId = asksGroup(user) && user.grpInfoId ? Number(user.grpInfoId) : null;
  const affiliated = asksAffiliation(user);
  const works = asksWork(user);
  return {
    id,
    accountRequestId: request,
    mode: id === undefined ? 'newUser' : 'draftUser',
    isSaveAsDraftOperation: false,
    typeCd: user.typeCd,
    ...personOf(user),
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
  const { userFtins = [], groupAssignment = user.grpInfoId ? 'existing' : 'new' } = user as Partial<FormData>;
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
