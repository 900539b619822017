import { personKinds, tinKind } from '@/shared/validation';
import { digitGroups } from '@/ui/form/kinds';

/* A new user's fields, by account type. */

/** A selected or added TIN, with the provider that found it. */
export interface Tin {
  ftin: string;
  prvId?: string;
  prvName?: string;
}

/** The form values by API name, so that server errors match their fields. */
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
  /** A non-network user's TIN while it's typed. */
  ftin: string;
  userFtins: Tin[];
}

export const genericError = 'Error: An error has occurred. Please try again or contact Customer Service.';
export const addressAllFields = 'An error has occurred. Please address all fields marked with “Error”.';
export const created = 'User has been successfully created!';
export const savedText = 'User has been successfully saved!';
export const emailTaken = 'Error: The Email Address is associated to another account';
export const alreadyAdded = 'You already added this TIN';

export const affiliations = [
  { value: 'OFC_STAFF', label: 'Provider or facility employee' },
  { value: 'BILLING_CO', label: '3rd party billing employee' },
  { value: 'OTHER', label: 'Other' },
];

export const kinds = { ...personKinds, grpInfoId: digitGroups(11), ftin: tinKind };

type AccountFields = Pick<NewUser, 'typeCd' | 'groupAssignment'>;
export const isRoster = ({ typeCd }: Pick<NewUser, 'typeCd'>) => typeCd === 'ROAD' || typeCd === 'ROUS';
export const needsAssignment = ({ typeCd }: AccountFields) => typeCd === 'PRAD' || typeCd === 'ROAD';
export const needsGroup = (user: AccountFields) =>
  needsAssignment(user) ? user.groupAssignment === 'existing' : ['PRUS', 'ROUS'].includes(user.typeCd);
export const needsEmployeeId = ({ typeCd }: AccountFields) => typeCd === 'ISAD' || typeCd === 'IRAD';
export const needsAffiliation = ({ typeCd }: AccountFields) => ['PRAD', 'PRUS', 'NNUS'].includes(typeCd);
export const needsWorkInfo = (user: AccountFields) => needsAffiliation(user) || isRoster(user);
/** Reports whether the form asks for the TINs of a group created with the user. */
export const needsGroupTins = (user: AccountFields) =>
  user.typeCd === 'PRAD' && user.groupAssignment === 'new';

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

export const isGroupId = (typed: string) =>
  typed.length <= kinds.grpInfoId.maxChars && /^0*[1-9]\d*$/.test(typed);

const restricted = 'FTIN_RESTRICTED_FOR_REGISTRATION';

/** The messages for the server's codes on a non-network user's TIN. */
const nonNetworkTexts: Record<string, string> = {
  INVALID_FTIN_IN_NETWORK:
    'Error: This TIN cannot be added because it is registered as In-network TIN.  Only non-network TINs are permitted for non-network user.',
  INVALID_FTIN_NO_BILLS_FOUND:
    'Error: This TIN cannot be added because no bills exist in the system. Only TINs with existing bills can be associated with user account.',
  [restricted]:
    'Error: Adding a TIN owned by our organization is not allowed.  Select a different TIN and resubmit.',
};

/** Returns the message for a code that rejects a TIN; undefined for other codes. */
export function findTinRefusal(typeCd: string, code: string): string | undefined {
  if (typeCd === 'NNUS') return nonNetworkTexts[code];
  return code === restricted
    ? 'Adding a TIN owned by our organization is not allowed.  Select a different TIN and resubmit..'
    : undefined;
}
