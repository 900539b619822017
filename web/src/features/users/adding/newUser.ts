import { personKinds, tinKind } from '@/shared/validation';
import { digitGroups } from '@/ui/form/kinds';

/* What a new user is asked for, by account type. */

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

/** What is typed into the fields. */
export const kinds = { ...personKinds, grpInfoId: digitGroups(11), ftin: tinKind };

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

export const isGroupId = (typed: string) =>
  typed.length <= kinds.grpInfoId.most && /^0*[1-9]\d*$/.test(typed);

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
