import { z } from 'zod/mini';
import { digitsOf, isPhone, isTin, maxTin } from '@/shared/validation';
import { normaliseText } from '@/ui/text';

/* The form of an account request. */

export const affiliations = [
  { value: 'OFC_STAFF', label: 'Provider Staff or Facility Employee' },
  { value: 'BILLING_CO', label: 'Third Party Billing Company' },
  { value: 'OTHER', label: 'Other' },
];

export const limits = {
  authenticationCode: 23,
  otherAffiliation: 80,
  name: 40,
  middleInitial: 1,
  phoneNumber: 14,
  jobTitle: 128,
  company: 128,
  ftin: maxTin,
  providerName: 128,
};

const text = (max: number) => z.string().check(z.overwrite(normaliseText), z.maxLength(max));
const letters = (text: string) => text.match(/\p{L}/gu)?.length ?? 0;
const twoLetters = (max: number, message: string) =>
  text(max).check(z.refine((text) => letters(text) >= 2, message));

const code = /^[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}$/;
/** An account request takes ten digits, neither more nor less. */
const hasTenDigits = (text: string) => isPhone(text) && digitsOf(text).length === 10;

export const providerSchema = z.object({
  ftin: z.string().check(z.trim(), z.refine(isTin, 'Enter 9 digit FTIN.')),
  providerName: text(limits.providerName).check(z.minLength(2, 'Provider name is required.')),
});
export type Provider = z.infer<typeof providerSchema>;

export const registrationSchema = z
  .object({
    authenticationCode: z.string().check(
      z.overwrite((text) => text.trim().toUpperCase()),
      z.minLength(1, 'Error: Enter Authentication Code'),
      z.regex(code, 'Invalid Authentication Code'),
    ),
    affiliation: z.string().check(z.minLength(1, 'Affiliation is required.')),
    otherAffiliation: text(limits.otherAffiliation),
    firstName: twoLetters(limits.name, 'First Name must have at least 2 letters.'),
    lastName: twoLetters(limits.name, 'Last Name must have at least 2 letters.'),
    middleInitial: text(limits.middleInitial),
    phoneNumber: z
      .string()
      .check(
        z.trim(),
        z.maxLength(limits.phoneNumber),
        z.refine(hasTenDigits, 'A valid Phone Number is required.'),
      ),
    jobTitle: twoLetters(limits.jobTitle, 'Job Title must have at least 2 letters.'),
    companyName: twoLetters(limits.company, 'Company Name must have at least 2 letters.'),
    companyUrl: text(limits.company),
    providerList: z.array(providerSchema).check(z.length(1, 'Provider information is required.')),
  })
  .check(
    z.refine(
      ({ affiliation, otherAffiliation }) => affiliation !== 'OTHER' || letters(otherAffiliation) >= 2,
      {
        path: ['otherAffiliation'],
        error: 'Other Affiliation must have at least 2 letters.',
        when: () => true,
      },
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
