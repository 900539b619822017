import { z } from 'zod/mini';
import { boundedText } from '@/ui/form/boundedText';

/* What the search for portal user groups asks for, its values named as on the wire. */

/** Longest values, in characters. */
export const most = {
  portalUserGroupId: 14,
  taxIdNumber: 9,
  providerHubGroupId: 14,
  username: 50,
  emailAddress: 100,
};

const digitsOnly = 'Error: Enter digits only';

/** Exactly one of them. */
export const criteriaSchema = z
  .object({
    portalUserGroupId: boundedText(most.portalUserGroupId),
    taxIdNumber: boundedText(most.taxIdNumber),
    rosterHubSource: z.string(),
    providerHubGroupId: boundedText(most.providerHubGroupId),
    username: boundedText(most.username),
    emailAddress: boundedText(most.emailAddress),
  })
  .check(
    z.superRefine((criteria, context) => {
      const refuse = (field: Criterion, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message });
      if (!chosen(criteria)) refuse('portalUserGroupId', 'Error: Enter at least one search criteria');
      for (const field of ['portalUserGroupId', 'taxIdNumber', 'providerHubGroupId'] as const)
        if (/\D/.test(criteria[field])) refuse(field, digitsOnly);
      if (criteria.username && criteria.username.length < 3)
        refuse('username', 'Error: Enter a minimum of 3 characters in username field');
      if (criteria.emailAddress && /^[*@]*[^@*]{0,2}$/.test(criteria.emailAddress))
        refuse('emailAddress', 'Error: Enter at least 3 characters of an email domain');
    }),
  );

export type Criteria = z.infer<typeof criteriaSchema>;
export type Criterion = keyof Criteria;

export const noCriteria: Criteria = {
  portalUserGroupId: '',
  taxIdNumber: '',
  rosterHubSource: '',
  providerHubGroupId: '',
  username: '',
  emailAddress: '',
};

/** The one that is filled in. */
export const chosen = (criteria: Partial<Criteria>) =>
  (Object.keys(noCriteria) as Criterion[]).find((field) => criteria[field]);
