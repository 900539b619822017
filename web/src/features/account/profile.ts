import { z } from 'zod/mini';
import type { components } from '@/api/schema';
import {
  findAffiliationProblem,
  findNameProblems,
  getDigits,
  hasWrongPersonLength,
  isEmail,
  isPhone,
  personKinds as kinds,
  type PersonTexts,
} from '@/shared/validation';
import { normalizedText } from '@/ui/form/boundedText';
import { formatTooLong } from '@/ui/form/kinds';
import { formatPhone } from '@/ui/format';

/* The fields of a profile, by account type and editor. */

export type Details = components['schemas']['UserByName'];

/** The owner, the administrator of the owner's group, or an internal administrator. */
export type Editor = 'owner' | 'group-administrator' | 'internal-administrator';

export const affiliations = [
  { value: 'OFC_STAFF', label: 'Provider Office Staff' },
  { value: 'BILLING_CO', label: 'Billing Company' },
  { value: 'OTHER', label: 'Other' },
];

export const needsAffiliation = ({ typeCd }: Details) => ['PRAD', 'PRUS', 'NNUS'].includes(typeCd);
export const needsWorkInfo = (account: Details) =>
  needsAffiliation(account) || ['ROAD', 'ROUS'].includes(account.typeCd);

/** Internal staff have an employee ID, which only internal administrators can change. */
export const canEditEmployeeId = (account: Details, editor: Editor) =>
  account.internalStaffFlag && editor === 'internal-administrator';

export const invalidEmployeeId = 'Error: Enter a valid Employee ID';

/** The form values by API name, so that server errors match their fields. */
export type Profile = Record<keyof typeof texts, string>;

/** Includes the loaded version: input from before a reload is saved with its original version. */
export type ProfileValues = Profile & { version: string };

export const toValues = (account: Pick<Details, keyof Profile | 'version'>): ProfileValues => ({
  ...toProfile(account),
  version: account.version ?? '',
});

const texts = {
  employeeId: normalizedText(kinds.employeeId),
  userFirstName: normalizedText(kinds.userFirstName),
  userLastName: normalizedText(kinds.userLastName),
  userMidName: normalizedText(kinds.userMidName),
  phoneNum: normalizedText(kinds.phoneNum),
  emailAddr: normalizedText(kinds.emailAddr),
  affiliationCd: z.string(),
  affiliationDesc: normalizedText(kinds.affiliationDesc),
  jobTitle: normalizedText(kinds.jobTitle),
  companyNm: normalizedText(kinds.companyNm),
  companyUrl: normalizedText(kinds.companyUrl),
};

export const profileSchema = (account: Details, editor: Editor) =>
  z.object({ ...texts, version: z.string() }).check(
    z.superRefine((profile, context) => {
      for (const [path, message] of findProblems(profile, account, editor))
        context.addIssue({ code: 'custom', path: [path], message });
    }),
  );

function findProblems(profile: Profile, account: Details, editor: Editor) {
  const found: [keyof Profile, string][] = [];
  const stored = toProfile(account);
  const addProblem = (field: keyof Profile, wrong: boolean, message: string) => {
    if (wrong) found.push([field, message]);
  };
  const hasWrongSize = (field: keyof PersonTexts, least: number) =>
    hasWrongPersonLength(field, profile, stored, least);

  if (canEditEmployeeId(account, editor))
    addProblem('employeeId', hasWrongSize('employeeId', 1), invalidEmployeeId);
  found.push(...findNameProblems(profile, stored));
  addProblem(
    'phoneNum',
    !isPhone(profile.phoneNum),
    editor === 'owner' ? 'Error: Enter a valid numeric Phone Number' : 'Error: Enter a valid Phone Number',
  );
  addProblem('emailAddr', !isEmail(profile.emailAddr), 'Error: Enter a valid Email Address');
  if (needsAffiliation(account)) {
    addProblem('affiliationCd', profile.affiliationCd === '', 'Error: Select Affiliation');
    const other = profile.affiliationCd === 'OTHER';
    addProblem(
      'affiliationDesc',
      other && hasWrongSize('affiliationDesc', 1),
      findAffiliationProblem(profile),
    );
  }
  if (needsWorkInfo(account)) {
    addProblem('jobTitle', hasWrongSize('jobTitle', 1), 'Error: Enter a valid Job Title');
    addProblem('companyNm', hasWrongSize('companyNm', 1), 'Error: Enter a valid company Name');
    addProblem('companyUrl', hasWrongSize('companyUrl', 0), formatTooLong(kinds.companyUrl));
  }
  return found;
}

export const toProfile = (account: Pick<Details, keyof Profile>): Profile => ({
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

/** The profile as sent. */
export const toUpdate = ({ id, userNm }: Details, profile: ProfileValues) => ({
  id,
  userNm,
  ...profile,
  version: profile.version || undefined,
  phoneNum: getDigits(profile.phoneNum),
  employeeId: profile.employeeId || null,
  affiliationDesc: profile.affiliationCd === 'OTHER' ? profile.affiliationDesc : '',
  companyUrl: profile.companyUrl || null,
});

/**
 * Reports whether the new address only counts after its link is opened, as for registered
 * accounts.
 */
export const needsEmailConfirmation = (account: Details, { emailAddr }: { emailAddr: string }) =>
  emailAddr.trim().toLowerCase() !== account.emailAddr.toLowerCase() &&
  !['NEW', 'DRAFT'].includes(account.statusCd);

export type ProfileUpdate = ReturnType<typeof toUpdate>;
