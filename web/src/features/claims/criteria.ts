import { z } from 'zod/mini';
import { nameKind } from '@/shared/validation';
import { isFuture, parseDate } from '@/ui/dates';
import { boundedText } from '@/ui/form/boundedText';

/* The fields of Claim Search, all required, by their API names. */

const name = boundedText(nameKind);

export const criteriaSchema = z
  .object({
    claimantFirstName: name,
    claimantLastName: name,
    /** Dates as typed. */
    claimantDOB: z.string(),
    doi: z.string(),
  })
  .check(
    z.superRefine((criteria, context) => {
      for (const [field, message] of findProblems(criteria))
        if (message) context.addIssue({ code: 'custom', path: [field], message });
    }),
  );

export interface Criteria {
  claimantFirstName: string;
  claimantLastName: string;
  claimantDOB: string;
  doi: string;
}

export const noCriteria: Criteria = { claimantFirstName: '', claimantLastName: '', claimantDOB: '', doi: '' };

function findProblems({ claimantFirstName, claimantLastName, claimantDOB, doi }: Criteria) {
  return [
    ['claimantFirstName', /^\**$/.test(claimantFirstName) && 'Error: Enter Claimant First Name'],
    ['claimantLastName', claimantLastName === '' && 'Error: Enter Claimant Last Name'],
    [
      'claimantDOB',
      findDateProblem(claimantDOB, {
        missing: 'Error: Enter Claimant Date of Birth',
        invalid: 'Error: Enter a valid Claimant Date of Birth',
        future: 'Error: Claimant Date of Birth cannot be a future date',
      }),
    ],
    [
      'doi',
      findDateProblem(doi, {
        missing: 'Error: Enter Claimant Date of Injury',
        invalid: 'Error: Enter a valid Claimant Date of Injury',
        future: 'Error: Claimant Date of Injury cannot be a future date',
      }),
    ],
  ] as const;
}

function findDateProblem(typed: string, texts: { missing: string; invalid: string; future: string }) {
  if (typed.trim() === '') return texts.missing;
  const date = parseDate(typed);
  if (!date) return texts.invalid;
  return isFuture(date) && texts.future;
}

/** Summarizes the criteria in one line. */
export const formatSummary = ({ claimantFirstName, claimantLastName, claimantDOB, doi }: Criteria) => [
  `${claimantFirstName} ${claimantLastName}`,
  `Born ${claimantDOB}`,
  `Injured ${doi}`,
];

/** The request's body. A first name that's one letter or ends with * matches as a prefix. */
export function toSearchPayload({ claimantFirstName, claimantLastName, claimantDOB, doi }: Criteria) {
  const wildCardFstName: 'Y' | 'N' = /\*$|^.$/u.test(claimantFirstName) ? 'Y' : 'N';
  return {
    claimantFirstName,
    claimantLastName,
    claimantDOB: parseDate(claimantDOB) ?? '',
    doi: parseDate(doi) ?? '',
    wildCardFstName,
  };
}
