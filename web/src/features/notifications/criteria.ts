import { z } from 'zod/mini';
import { emailKind, tinKind } from '@/shared/validation';
import { boundedText } from '@/ui/form/boundedText';
import { digitGroups, line, nameList } from '@/ui/form/kinds';

/* The criteria for recipients: exactly one, by their API names. */

/** The kinds of the fields. */
export const kinds = {
  emailAddress: emailKind,
  ftin: tinKind,
  groupId: digitGroups(9),
  status: line(14),
  userNames: nameList(4000),
};

/** The account statuses with their labels. */
export const statuses = [
  { code: 'ACTIV', name: 'Active' },
  { code: 'NEW', name: 'New' },
  { code: 'DRAFT', name: 'Draft' },
  { code: 'INACT', name: 'Inactive' },
  { code: 'LOCK', name: 'Locked' },
  { code: 'DISABL', name: 'Deactivated' },
  { code: 'TERM', name: 'Terminated' },
];

export const criteriaSchema = z
  .object({
    emailAddress: boundedText(kinds.emailAddress),
    ftin: boundedText(kinds.ftin),
    groupId: boundedText(kinds.groupId),
    status: boundedText(kinds.status),
    userNames: boundedText(kinds.userNames),
  })
  .check(
    z.superRefine((criteria, context) => {
      const { emailAddress, groupId, userNames } = criteria;
      const addIssue = (field: keyof Criteria, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message });
      if (!getCriterion(criteria))
        addIssue('emailAddress', 'Error: Enter Username or Email Address or Tax ID Number (TIN) or Group ID');
      if (/^\*+.{0,2}\**$/.test(emailAddress))
        addIssue('emailAddress', 'Error: Enter at least 3 characters after the *');
      if (groupId && !/^[0-9]+$/.test(groupId))
        addIssue('groupId', 'Error: Enter numeric only for Group ID field');
      if (userNames && (userNames.length < 3 || splitNames(userNames).length === 0))
        addIssue('userNames', 'Error: Enter a minimum of 3 characters in usernames field');
    }),
  );

export type Criteria = z.infer<typeof criteriaSchema>;

export const noCriteria: Criteria = { emailAddress: '', ftin: '', groupId: '', status: '', userNames: '' };

/** Returns the criterion that has a value. */
export const getCriterion = (criteria: Partial<Criteria>) =>
  (Object.keys(noCriteria) as (keyof Criteria)[]).find((field) => criteria[field]);

/** Splits a list into names for comparison, ignoring case. */
export const splitNames = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

export function toPayload({ emailAddress, ftin, groupId, status, userNames }: Criteria) {
  const typed = status.toLowerCase();
  const known = statuses.find(({ code, name }) => [code, name].some((word) => word.toLowerCase() === typed));
  return {
    userTypeCD: '',
    userName: userNames,
    emailAddress,
    ftin,
    groupId,
    userIDs: '',
    status: known?.code ?? status,
    isUserNames: userNames !== '',
  };
}
