import { z } from 'zod/mini';
import { tinKind } from '@/shared/validation';
import { boundedText } from '@/ui/form/boundedText';
import { digitGroups, line } from '@/ui/form/kinds';

/* The criteria for portal user groups, by their API names. */

/** The kinds of the fields. */
export const kinds = {
  portalUserGroupId: digitGroups(14),
  taxIdNumber: tinKind,
  providerHubGroupId: line(14),
  username: line(50),
  emailAddress: line(100),
};

const digitsOnly = 'Error: Enter digits only';

/** Exactly one of them. */
export const criteriaSchema = z
  .object({
    portalUserGroupId: boundedText(kinds.portalUserGroupId),
    taxIdNumber: boundedText(kinds.taxIdNumber),
    rosterHubSource: z.string(),
    providerHubGroupId: boundedText(kinds.providerHubGroupId),
    username: boundedText(kinds.username),
    emailAddress: boundedText(kinds.emailAddress),
  })
  .check(
    z.superRefine((criteria, context) => {
      const addIssue = (field: Criterion, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message });
      if (!getCriterion(criteria)) addIssue('portalUserGroupId', 'Error: Enter at least one search criteria');
      for (const field of ['portalUserGroupId', 'taxIdNumber'] as const)
        if (/\D/.test(criteria[field])) addIssue(field, digitsOnly);
      if (criteria.username && criteria.username.length < 3)
        addIssue('username', 'Error: Enter a minimum of 3 characters in username field');
      if (criteria.emailAddress && /^[*@]*[^@*]{0,2}$/.test(criteria.emailAddress))
        addIssue('emailAddress', 'Error: Enter at least 3 characters of the email domain');
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

/** Returns the criterion that has a value. */
export const getCriterion = (criteria: Partial<Criteria>) =>
  (Object.keys(noCriteria) as Criterion[]).find((field) => criteria[field]);
