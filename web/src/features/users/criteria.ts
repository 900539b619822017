import { z } from 'zod/mini';
import { emailKind, tinKind } from '@/shared/validation';
import { boundedText } from '@/ui/form/boundedText';
import { line } from '@/ui/form/kinds';

/* The criteria of User Search, by their API names. */

/** The kinds of the fields. */
export const kinds = {
  userName: line(14),
  name: line(120),
  emailAddress: emailKind,
  ftin: tinKind,
  groupId: line(9),
};

/** One of the first five. The account type narrows the results. */
// The first word has two letters, besides apostrophes.
const twoLetters = /^[^\p{L}\p{N}]*[\p{L}\p{N}][^\p{L}\p{N}\s,.\p{Pd}]*[\p{L}\p{N}]/u;

export const criteriaSchema = z
  .object({
    userName: boundedText(kinds.userName),
    name: boundedText(kinds.name),
    emailAddress: boundedText(kinds.emailAddress),
    ftin: boundedText(kinds.ftin),
    groupId: boundedText(kinds.groupId),
    userTypeCD: z.string(),
  })
  .check(
    z.superRefine(({ userName, name, emailAddress, ftin, groupId }, context) => {
      const addIssue = (field: keyof Criteria, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message });
      if (!userName && !name && !emailAddress && !ftin && !groupId)
        addIssue('userName', 'Error: Enter Username or Email Address or Tax ID Number (TIN) or Group ID');
      if (userName && userName.length < 3)
        addIssue('userName', 'Error: Enter a minimum of 3 characters in username field');
      if (name && !twoLetters.test(name))
        addIssue('name', 'Error: Enter at least 2 letters of the first or last name');
      if (/^\*+.{0,2}\**$/.test(emailAddress))
        addIssue('emailAddress', 'Error: Enter at least 3 characters after the *');
      if (groupId && !/^\d+$/.test(groupId))
        addIssue('groupId', 'Error: Enter numeric only for Group ID field');
    }),
  );

export type Criteria = z.infer<typeof criteriaSchema>;

export const noCriteria: Criteria = {
  userName: '',
  name: '',
  emailAddress: '',
  ftin: '',
  groupId: '',
  userTypeCD: '',
};
