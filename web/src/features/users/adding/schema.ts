import { z } from 'zod/mini';
import { config } from '@/api/config';
import { isEmail, isOutside, isPhone, nameProblems, tinProblem } from '@/shared/validation';
import { normaliseText } from '@/ui/text';
import {
  asksAffiliation,
  asksEmployeeId,
  asksGroup,
  asksWork,
  isGroupId,
  most,
  type NewUser,
} from './newUser';

/* Whether a new user is told whole. */

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

function invalidEmployeeId(): string {
  const { organizationName } = config();
  return organizationName
    ? `Error: Enter a valid ${organizationName} Employee ID`
    : 'Error: Enter a valid Employee ID';
}
