import { z } from 'zod/mini';
import { addDays, isFuture, parseDate } from '@/ui/dates';
import { boundedText } from '@/ui/form/boundedText';
import { billNumber, line } from '@/ui/form/kinds';

/* The search modes and their required fields. */

export type Mode = 'claim' | 'claimant' | 'bill';

/** The form's values: dates as typed, and empty fields for inactive modes. */
export interface Criteria {
  tins: string[];
  mode: Mode;
  claimNumber: string;
  serviceDate: string;
  claimantFirstName: string;
  claimantLastName: string;
  claimantDateOfBirth: string;
  billControlNumber: string;
  documentId: string;
}

/** The kinds of the fields. */
export const kinds = {
  claimNumber: line(40),
  claimantFirstName: line(40),
  claimantLastName: line(40),
  billControlNumber: billNumber(22, 'billControlNumber'),
  documentId: billNumber(50, 'documentId'),
};

/** All bills of a claim, for any TIN and date. Claims link to this search. */
export const wholeClaimSchema = z.object({
  mode: z.literal('wholeClaim'),
  claimNumber: boundedText(kinds.claimNumber),
});
export type WholeClaim = z.infer<typeof wholeClaimSchema>;

/** Any search. */
export type BillSearch = Criteria | WholeClaim;

export const maxTins = 5;
export const selectTins = 'Select up to 5 TINS';

export const makeEmptyCriteria = (tins: string[] = [], mode: Mode = 'claim'): Criteria => ({
  tins,
  mode,
  claimNumber: '',
  serviceDate: '',
  claimantFirstName: '',
  claimantLastName: '',
  claimantDateOfBirth: '',
  billControlNumber: '',
  documentId: '',
});

export const criteriaSchema = z
  .object({
    tins: z.array(z.string()),
    mode: z.enum(['claim', 'claimant', 'bill']),
    claimNumber: boundedText(kinds.claimNumber),
    serviceDate: z.string(),
    claimantFirstName: boundedText(kinds.claimantFirstName),
    claimantLastName: boundedText(kinds.claimantLastName),
    claimantDateOfBirth: z.string(),
    billControlNumber: boundedText(kinds.billControlNumber),
    documentId: boundedText(kinds.documentId),
  })
  .check(
    z.superRefine((criteria, context) => {
      for (const [path, message] of Object.entries(findProblems(criteria)))
        context.addIssue({ code: 'custom', path: [path], message });
    }),
  );

function findProblems(criteria: Criteria): Partial<Record<keyof Criteria, string>> {
  const found: Partial<Record<keyof Criteria, string>> = {};
  const requireField = (field: keyof Criteria, message: string) => {
    if (criteria[field] === '') found[field] = message;
  };
  if (criteria.tins.length < 1 || criteria.tins.length > maxTins) found.tins = selectTins;

  if (criteria.mode === 'bill') {
    if (!criteria.billControlNumber && !criteria.documentId)
      found.billControlNumber = 'Enter Document ID or Bill Control Number';
    else if (isBulk(criteria.billControlNumber))
      found.billControlNumber = 'Enter one Bill Control Number at a time';
    else if (isBulk(criteria.documentId)) found.documentId = 'Enter one Document ID at a time';
    return found;
  }

  if (criteria.mode === 'claim') requireField('claimNumber', 'Enter a claim number');
  else {
    requireField('claimantFirstName', "Enter claimant's first name");
    requireField('claimantLastName', "Enter claimant's last name");
    found.claimantDateOfBirth = findDateProblem(criteria.claimantDateOfBirth, {
      missing: "Enter claimant's date of birth",
      invalid: 'Enter a valid Claimant Date of Birth',
      future: 'Claimant Date of Birth cannot be a future date',
    });
  }
  found.serviceDate = findDateProblem(criteria.serviceDate, {
    missing: 'Enter an approximate date of service.',
    invalid: 'Enter a valid Approximate Date of Service',
    future: 'Approximate Date of Service cannot be a future date',
  });
  return Object.fromEntries(Object.entries(found).filter(([, message]) => message));
}

/** A row or column of numbers pasted from a spreadsheet. */
const isBulk = (typed: string) =>
  /[,;]/.test(typed) || typed.split(' ').filter((part) => part.length >= 6).length > 1;

function findDateProblem(typed: string, texts: { missing: string; invalid: string; future: string }) {
  if (typed.trim() === '') return texts.missing;
  const date = parseDate(typed);
  if (!date) return texts.invalid;
  return isFuture(date) ? texts.future : undefined;
}

/** Matches bills this many days before and after the date. */
const dateWindow = 7;

/** Summarizes the criteria in one line. */
export function formatSummary(criteria: BillSearch) {
  if (criteria.mode === 'wholeClaim')
    return [`All bills of claim ${criteria.claimNumber}`, 'All your Tax IDs'];
  const { tins, mode, claimNumber, serviceDate, claimantFirstName, claimantLastName } = criteria;
  const about = `Service near ${serviceDate}`;
  return [
    `Tax ID ${tins.join(', ')}`,
    ...{
      claim: [`Claim ${claimNumber}`, about],
      claimant: [`${claimantFirstName} ${claimantLastName}, born ${criteria.claimantDateOfBirth}`, about],
      bill: [
        criteria.billControlNumber
          ? `Bill Control Number ${criteria.billControlNumber}`
          : `Document ID ${criteria.documentId}`,
      ],
    }[mode],
  ];
}

/** The request's parameters: only the mode's fields, with dates at 8 AM local time. */
export function toSearchParams(criteria: Criteria) {
  const { claimNumber, claimantFirstName, claimantLastName, billControlNumber, documentId } = criteria;
  if (criteria.mode === 'bill') return billControlNumber ? { billControlNumber } : { documentId };
  const about = parseDate(criteria.serviceDate) ?? '';
  const window = {
    beginServiceDate: toTimestamp(addDays(about, -dateWindow)),
    endServiceDate: toTimestamp(addDays(about, dateWindow)),
  };
  if (criteria.mode === 'claim') return { claimNumber, ...window };
  const claimantDateOfBirth = toTimestamp(parseDate(criteria.claimantDateOfBirth) ?? '');
  return { claimantFirstName, claimantLastName, claimantDateOfBirth, ...window };
}

const toTimestamp = (date: string) => `${date}T08:00:00`;
