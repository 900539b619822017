import { z } from 'zod/mini';
import { getConfig } from '@/api/config';
import {
  hasWrongPersonLength,
  isEmail,
  isPhone,
  findNameProblems,
  findAffiliationProblem,
  type PersonTexts,
  findTinProblem,
} from '@/shared/validation';
import { normalizedText } from '@/ui/form/boundedText';
import { tooLong } from '@/ui/form/kinds';
import {
  asksEmployeeId,
  asksGroup,
  asksWork,
  isGroupId,
  kinds,
  type NewUser,
  needsAffiliation,
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

const checked = (problems: (user: NewUser) => Problem[]) =>
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
export const newUserSchema = ({ draft, stored = noUser }: { draft: boolean; stored?: NewUser }) =>
  checked((user) => findProblems(user, stored, draft));

/** The same for a draft, which only needs the type, the name and the email address. */
export const draftSchema = (stored: NewUser) =>
  checked((user) =>
    findProblems(user, stored, true).filter(([field]) => neededOfDraft.has(field) || user[field].length > 0),
  );

const neededOfDraft = new Set<keyof NewUser>(['typeCd', 'userFirstName', 'userLastName', 'emailAddr']);

const findProblems = (user: NewUser, stored: NewUser, draft: boolean): Problem[] =>
  user.typeCd === ''
    ? [noType]
    : [...personProblems(user, stored), ...placeProblems(user, stored, draft), ...workProblems(user, stored)];

/** The wizard's first step. */
export const personSchema = checked((user) => personProblems(user, noUser));

const noType: Problem = ['typeCd', 'Error: Select Account Type'];

function personProblems(user: NewUser, stored: NewUser): Problem[] {
  const found: Problem[] = [];
  if (user.typeCd === '') found.push(noType);
  found.push(...findNameProblems(user, stored));
  if (!isPhone(user.phoneNum)) found.push(['phoneNum', 'Error: Enter a valid Phone Number']);
  if (!isEmail(user.emailAddr)) found.push(['emailAddr', 'Error: Enter a valid Email Address']);
  return found;
}

function placeProblems(user: NewUser, stored: NewUser, draft: boolean): Problem[] {
  const found: Problem[] = [];
  const groupMissing = user.grpInfoId === '';
  if (asksGroup(user) && (groupMissing ? !draft : !isGroupId(user.grpInfoId)))
    found.push(['grpInfoId', 'Error: Enter a valid group Id']);
  if (user.typeCd === 'PRUS' && user.userFtins.length === 0) found.push(['userFtins', 'Error: Select TIN']);
  if (user.typeCd === 'NNUS' && user.userFtins.length === 0) {
    const problem = findTinProblem(user.ftin);
    if (problem) found.push(['ftin', problem]);
  }
  if (asksEmployeeId(user) && hasWrongPersonLength('employeeId', user, stored, 1))
    found.push(['employeeId', invalidEmployeeId()]);
  return found;
}

function workProblems(user: NewUser, stored: NewUser): Problem[] {
  const found: Problem[] = [];
  const outside = (field: keyof PersonTexts, least: number) =>
    hasWrongPersonLength(field, user, stored, least);
  if (needsAffiliation(user)) {
    if (user.affiliationCd === '') found.push(['affiliationCd', 'Error: Select Affiliation']);
    if (user.affiliationCd === 'OTHER' && outside('affiliationDesc', 1))
      found.push(['affiliationDesc', findAffiliationProblem(user)]);
    if (outside('companyUrl', 0)) found.push(['companyUrl', tooLong(kinds.companyUrl)]);
  }
  if (asksWork(user)) {
    if (outside('jobTitle', 1)) found.push(['jobTitle', 'Error: Enter a valid Job Title']);
    if (outside('companyNm', 1)) found.push(['companyNm', 'Error: Enter a valid Company Name']);
  }
  return found;
}

function invalidEmployeeId(): string {
  const { organizationName } = getConfig();
  return organizationName
    ? `Error: Enter a valid ${organizationName} Employee ID`
    : 'Error: Enter a valid Employee ID';
}
