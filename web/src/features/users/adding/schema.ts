import { z } from 'zod/mini';
import { getConfig } from '@/api/config';
import {
  findAffiliationProblem,
  findNameProblems,
  findTinProblem,
  hasWrongPersonLength,
  isEmail,
  isPhone,
  type PersonTexts,
} from '@/shared/validation';
import { normalizedText } from '@/ui/form/boundedText';
import { formatTooLong } from '@/ui/form/kinds';
import {
  isGroupId,
  kinds,
  type NewUser,
  needsAffiliation,
  needsEmployeeId,
  needsGroup,
  needsWorkInfo,
  noUser,
} from './newUser';

/* Validates that a new user is complete. */

const shape = {
  typeCd: z.string(),
  userFirstName: normalizedText(kinds.userFirstName),
  userLastName: normalizedText(kinds.userLastName),
  userMidName: normalizedText(kinds.userMidName),
  phoneNum: normalizedText(kinds.phoneNum),
  emailAddr: normalizedText(kinds.emailAddr),
  groupAssignment: z.enum(['new', 'existing']),
  grpInfoId: normalizedText(kinds.grpInfoId),
  employeeId: normalizedText(kinds.employeeId),
  affiliationCd: z.string(),
  affiliationDesc: normalizedText(kinds.affiliationDesc),
  jobTitle: normalizedText(kinds.jobTitle),
  companyNm: normalizedText(kinds.companyNm),
  companyUrl: normalizedText(kinds.companyUrl),
  ftin: normalizedText(kinds.ftin),
  userFtins: z.array(z.any()),
};

type Problem = [field: keyof NewUser, message: string];

const makeSchema = (problems: (user: NewUser) => Problem[]) =>
  z.object(shape).check(
    z.superRefine((user, context) => {
      for (const [path, message] of problems(user))
        context.addIssue({ code: 'custom', path: [path], message });
    }),
  );

/**
 * The schema of the one-page form, which needs nothing else before the type is selected. A draft
 * needs no group. Values stored with a draft or a request can exceed the limits.
 */
export const makeNewUserSchema = ({ draft, stored = noUser }: { draft: boolean; stored?: NewUser }) =>
  makeSchema((user) => findProblems(user, stored, draft));

/** The same for a draft, which only needs the type, the name and the email address. */
export const makeDraftSchema = (stored: NewUser) =>
  makeSchema((user) =>
    findProblems(user, stored, true).filter(
      ([field]) => requiredForDraft.has(field) || user[field].length > 0,
    ),
  );

const requiredForDraft = new Set<keyof NewUser>(['typeCd', 'userFirstName', 'userLastName', 'emailAddr']);

const findProblems = (user: NewUser, stored: NewUser, draft: boolean): Problem[] =>
  user.typeCd === ''
    ? [noType]
    : [
        ...findPersonProblems(user, stored),
        ...findGroupProblems(user, stored, draft),
        ...findWorkProblems(user, stored),
      ];

/** The wizard's first step. */
export const personSchema = makeSchema((user) => findPersonProblems(user, noUser));

const noType: Problem = ['typeCd', 'Error: Select Account Type'];

function findPersonProblems(user: NewUser, stored: NewUser): Problem[] {
  const found: Problem[] = [];
  if (user.typeCd === '') found.push(noType);
  found.push(...findNameProblems(user, stored));
  if (!isPhone(user.phoneNum)) found.push(['phoneNum', 'Error: Enter a valid Phone Number']);
  if (!isEmail(user.emailAddr)) found.push(['emailAddr', 'Error: Enter a valid Email Address']);
  return found;
}

function findGroupProblems(user: NewUser, stored: NewUser, draft: boolean): Problem[] {
  const found: Problem[] = [];
  const groupMissing = user.grpInfoId === '';
  if (needsGroup(user) && (groupMissing ? !draft : !isGroupId(user.grpInfoId)))
    found.push(['grpInfoId', 'Error: Enter a valid group Id']);
  if (user.typeCd === 'PRUS' && user.userFtins.length === 0) found.push(['userFtins', 'Error: Select TIN']);
  if (user.typeCd === 'NNUS' && user.userFtins.length === 0) {
    const problem = findTinProblem(user.ftin);
    if (problem) found.push(['ftin', problem]);
  }
  if (
    needsEmployeeId(user) &&
    (hasWrongPersonLength('employeeId', user, stored, 1) || !/^[\w.-]*$/.test(user.employeeId))
  )
    found.push(['employeeId', formatInvalidEmployeeId()]);
  return found;
}

function findWorkProblems(user: NewUser, stored: NewUser): Problem[] {
  const found: Problem[] = [];
  const hasWrongSize = (field: keyof PersonTexts, least: number) =>
    hasWrongPersonLength(field, user, stored, least);
  if (needsAffiliation(user)) {
    if (user.affiliationCd === '') found.push(['affiliationCd', 'Error: Select Affiliation']);
    if (user.affiliationCd === 'OTHER' && hasWrongSize('affiliationDesc', 1))
      found.push(['affiliationDesc', findAffiliationProblem(user)]);
    if (hasWrongSize('companyUrl', 0)) found.push(['companyUrl', formatTooLong(kinds.companyUrl)]);
  }
  if (needsWorkInfo(user)) {
    if (hasWrongSize('jobTitle', 1)) found.push(['jobTitle', 'Error: Enter a valid Job Title']);
    if (hasWrongSize('companyNm', 1)) found.push(['companyNm', 'Error: Enter a valid Company Name']);
  }
  return found;
}

function formatInvalidEmployeeId(): string {
  const { organizationName } = getConfig();
  return organizationName
    ? `Error: Enter a valid ${organizationName} Employee ID`
    : 'Error: Enter a valid Employee ID';
}
