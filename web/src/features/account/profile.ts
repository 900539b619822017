import { z } from 'zod/mini';
import type { components } from '@/api/schema';
import { digitsOf, isEmail, isOutside, isPhone, maxName, maxPhone, nameProblems } from '@/shared/validation';
import { formatPhone } from '@/ui/format';
import { normaliseText } from '@/ui/text';

/* What a profile asks for, by type of account and by who edits it. */

export type Details = components['schemas']['UserDetails'];

/** Its owner, the administrator of the owner's group, or an internal administrator. */
export type Editor = 'owner' | 'group-administrator' | 'internal-administrator';

export const affiliations = [
  { value: 'OFC_STAFF', label: 'Provider Office Staff' },
  { value: 'BILLING_CO', label: 'Billing Company' },
  { value: 'OTHER', label: 'Other' },
];

export const asksAffiliation = ({ typeCd }: Details) => ['PRAD', 'PRUS', 'NNUS'].includes(typeCd);
export const asksWork = (account: Details) =>
  asksAffiliation(account) || ['ROAD', 'ROUS'].includes(account.typeCd);

/** The employee ID is seen of internal staff, and changed by an internal administrator alone. */
export const editsEmployeeId = (account: Details, editor: Editor) =>
  account.internalStaffFlag && editor === 'internal-administrator';

export const invalidEmployeeId = 'Error: Enter a valid Employee ID';

/** The form, its values named as on the wire, so that what the server says of them lands on their fields. */
export type Profile = Record<keyof typeof texts, string>;

const text = z.string().check(z.overwrite(normaliseText));
const texts = {
  employeeId: text,
  userFirstName: text,
  userLastName: text,
  userMidName: text,
  phoneNum: text,
  emailAddr: text,
  affiliationCd: text,
  affiliationDesc: text,
  jobTitle: text,
  companyNm: text,
  companyUrl: text,
};

/** Longest values, in characters. */
export const most = { name: maxName, initial: 1, phone: maxPhone, employeeId: 120, work: 120, other: 40 };

export const profileSchema = (account: Details, editor: Editor) =>
  z.object(texts).check(
    z.superRefine((profile, context) => {
      for (const [path, message] of problems(profile, account, editor))
        context.addIssue({ code: 'custom', path: [path], message });
    }),
  );

function problems(profile: Profile, account: Details, editor: Editor) {
  const found: [keyof Profile, string][] = [];
  const refuse = (field: keyof Profile, wrong: boolean, message: string) => {
    if (wrong) found.push([field, message]);
  };
  const outside = (field: keyof Profile, least: number, longest: number) =>
    isOutside(profile[field], least, longest);

  if (editsEmployeeId(account, editor))
    refuse('employeeId', outside('employeeId', 1, most.employeeId), invalidEmployeeId);
  found.push(...nameProblems(profile));
  refuse(
    'phoneNum',
    !isPhone(profile.phoneNum),
    editor === 'owner' ? 'Error: Enter a valid numeric Phone Number' : 'Error: Enter a valid Phone Number',
  );
  refuse('emailAddr', !isEmail(profile.emailAddr), 'Error: Enter a valid Email Address');
  if (asksAffiliation(account)) {
    refuse('affiliationCd', profile.affiliationCd === '', 'Error: Select Affiliation');
    const other = profile.affiliationCd === 'OTHER';
    refuse('affiliationDesc', other && outside('affiliationDesc', 1, most.other), 'Error: Enter Other Desc');
  }
  if (asksWork(account)) {
    refuse('jobTitle', outside('jobTitle', 1, most.work), 'Error: Enter a valid Job Title');
    refuse('companyNm', outside('companyNm', 1, most.work), 'Error: Enter a valid company Name');
    refuse(
      'companyUrl',
      outside('companyUrl', 0, most.work),
      'Error: Enter at most 120 characters of Company URL',
    );
  }
  return found;
}

export const profileOf = (account: Pick<Details, keyof Profile>): Profile => ({
  employeeId: account.employeeId ?? '',
  userFirstName: account.userFirstName,
  userLastName: account.userLastName,
  userMidName: account.userMidName,
  phoneNum: formatPhone(account.phoneNum),
  emailAddr: account.emailAddr,
  affiliationCd: account.affiliationCd,
  affiliationDesc: account.affiliationDesc,
  jobTitle: account.jobTitle,
  companyNm: account.companyNm,
  companyUrl: account.companyUrl ?? '',
});

/** The profile as it is sent. */
export const updateOf = ({ id, userNm }: Details, profile: Profile) => ({
  id,
  userNm,
  ...profile,
  phoneNum: digitsOf(profile.phoneNum),
  employeeId: profile.employeeId || null,
  affiliationDesc: profile.affiliationCd === 'OTHER' ? profile.affiliationDesc : '',
  companyUrl: profile.companyUrl || null,
});

export type ProfileUpdate = ReturnType<typeof updateOf>;
