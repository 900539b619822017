import { z } from 'zod/mini';
import { parseCriteria } from '@/shared/historyState';
import { addDays, formatDate, parseDate, today } from '@/ui/dates';
import { boundedText } from '@/ui/form/boundedText';
import { line } from '@/ui/form/kinds';

export const kinds = { number: line(50), payer: line(60), amount: line(20) };

/** Payment methods by the code in BPR04. */
export const methods: Record<string, string> = {
  CHK: 'Check',
  ACH: 'ACH transfer',
  FWT: 'Wire transfer',
  BOP: 'Transfer or check',
  NON: 'No payment',
};

export const formatMethod = (code: string) => methods[code] ?? code;

const maxDays = 366;
const defaultDays = 30;

/** Parses $11,847.50 as 11847.5; null if invalid. */
export function parseAmount(typed: string): number | null {
  const plain = typed.trim().replace(/^\$/, '').replaceAll(',', '');
  return /^\d{1,10}(\.\d{1,2})?$/.test(plain) ? Number(plain) : null;
}

const day = z
  .string()
  .check(
    z.refine((typed) => !typed.trim() || parseDate(typed) !== null, 'Error: Enter a date as MM/DD/YYYY'),
  );

/** The criteria for remittances, with dates and the amount as typed. */
export const criteriaSchema = z
  .object({
    number: boundedText(kinds.number),
    payer: boundedText(kinds.payer),
    from: day,
    to: day,
    amount: z
      .string()
      .check(
        z.refine(
          (typed) => !typed.trim() || parseAmount(typed) !== null,
          'Error: Enter an amount, such as 1,847.50',
        ),
      ),
    method: z.string(),
    ftin: z.string(),
    reversals: z.boolean(),
    adjusted: z.boolean(),
    notPosted: z.boolean(),
  })
  .check(
    z.superRefine(({ number, from, to }, context) => {
      if (number.trim()) return;
      const addIssue = (path: 'from' | 'to', message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      const [first, last] = [parseDate(from), parseDate(to)];
      if (!from.trim()) addIssue('from', 'Error: Enter a start date or a check number');
      if (!to.trim()) addIssue('to', 'Error: Enter an end date or a check number');
      if (!first || !last) return;
      if (last < first) addIssue('to', 'Error: End date must be on or after the start date');
      else if (last >= addDays(first, maxDays)) addIssue('to', 'Error: Use a range of 366 days or fewer');
    }),
  );

export type Criteria = z.infer<typeof criteriaSchema>;

/** The last thirty days of all Tax IDs. */
export const getDefaultCriteria = (): Criteria => ({
  number: '',
  payer: '',
  from: formatDate(addDays(today(), 1 - defaultDays)),
  to: formatDate(today()),
  amount: '',
  method: '',
  ftin: '',
  reversals: false,
  adjusted: false,
  notPosted: false,
});

export const read = parseCriteria(criteriaSchema);

/** The request's parameters. A number is found for any date. */
export const toQuery = ({ number, payer, from, to, amount, method, ftin, ...rest }: Criteria) => ({
  ...rest,
  ...(number ? { number } : { from: parseDate(from) ?? '', to: parseDate(to) ?? '' }),
  payer,
  method: method as '' | 'CHK',
  ftin,
  amount: parseAmount(amount),
});

/** Duplicate checks, and their payments, which no total includes. */
export const duplicateNames = {
  SAME: 'Same check, counted once',
  POSSIBLE: 'Possible duplicate, not counted',
};
