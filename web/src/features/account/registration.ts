import { z } from 'zod/mini';
import { getDigits, isName, isPhone, isTin, nameCharacters, nameKind, tinKind } from '@/shared/validation';
import { boundedText, normalizedText } from '@/ui/form/boundedText';
import { findLengthProblem, formatTooLong, type Kind, line, phone } from '@/ui/form/kinds';

/* The form of an account request. */

export const affiliations = [
  { value: 'OFC_STAFF', label: 'Provider Staff or Facility Employee' },
  { value: 'BILLING_CO', label: 'Third Party Billing Company' },
  { value: 'OTHER', label: 'Other' },
];

/** An emailed code. Hyphens, dashes or spaces separate its groups. */
const codeKind: Kind = {
  maxChars: 23,
  normalize: (typed) =>
    typed
      .trim()
      .toUpperCase()
      .replace(/[\s\p{Pd}]+/gu, '-'),
};

/** The kinds of the fields. */
export const kinds = {
  authenticationCode: codeKind,
  otherAffiliation: line(80),
  name: nameKind,
  middleInitial: line(1),
  phoneNumber: phone(14),
  jobTitle: line(128),
  company: line(128),
  ftin: tinKind,
  providerName: line(128),
};

const countLetters = (text: string) => text.match(/\p{L}/gu)?.length ?? 0;
const makeLetterSchema = (kind: Kind, message: string) =>
  boundedText(kind).check(z.refine((text) => countLetters(text) >= 2, message));

const namePattern = z.refine<string>(isName, nameCharacters);

const code = /^[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}$/;
/** An account request needs exactly ten digits. */
const hasTenDigits = (text: string) => isPhone(text) && getDigits(text).length === 10;

export const providerSchema = z.object({
  ftin: normalizedText(kinds.ftin).check(z.refine(isTin, 'Enter 9 digit FTIN.')),
  providerName: boundedText(kinds.providerName).check(z.minLength(2, 'Provider name is required.')),
});
export type Provider = z.infer<typeof providerSchema>;

export const registrationSchema = z
  .object({
    authenticationCode: normalizedText(kinds.authenticationCode).check(
      z.minLength(1, 'Error: Enter Authentication Code'),
      z.regex(code, 'Invalid Authentication Code'),
    ),
    affiliation: z.string().check(z.minLength(1, 'Affiliation is required.')),
    // Hidden unless the affiliation is Other.
    otherAffiliation: normalizedText(kinds.otherAffiliation),
    firstName: makeLetterSchema(kinds.name, 'First Name must have at least 2 letters.').check(namePattern),
    lastName: makeLetterSchema(kinds.name, 'Last Name must have at least 2 letters.').check(namePattern),
    middleInitial: boundedText(kinds.middleInitial).check(namePattern),
    phoneNumber: normalizedText(kinds.phoneNumber).check(
      z.refine(hasTenDigits, 'A valid Phone Number is required.'),
    ),
    jobTitle: makeLetterSchema(kinds.jobTitle, 'Job Title must have at least 2 letters.'),
    companyName: makeLetterSchema(kinds.company, 'Company Name must have at least 2 letters.'),
    companyUrl: boundedText(kinds.company),
    providerList: z.array(providerSchema).check(z.length(1, 'Provider information is required.')),
  })
  .check(
    z.refine(
      ({ affiliation, otherAffiliation }) => affiliation !== 'OTHER' || countLetters(otherAffiliation) >= 2,
      {
        path: ['otherAffiliation'],
        error: 'Other Affiliation must have at least 2 letters.',
        when: () => true,
      },
    ),
    z.refine(
      ({ affiliation, otherAffiliation }) =>
        affiliation !== 'OTHER' || !findLengthProblem(kinds.otherAffiliation, otherAffiliation),
      { path: ['otherAffiliation'], error: formatTooLong(kinds.otherAffiliation), when: () => true },
    ),
  );
export type Registration = z.infer<typeof registrationSchema>;

export const emptyRegistration: Registration = {
  authenticationCode: '',
  affiliation: '',
  otherAffiliation: '',
  firstName: '',
  lastName: '',
  middleInitial: '',
  phoneNumber: '',
  jobTitle: '',
  companyName: '',
  companyUrl: '',
  providerList: [],
};
