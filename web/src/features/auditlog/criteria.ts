import { z } from 'zod/mini';
import { parseCriteria } from '@/shared/historyState';
import { parseDate } from '@/ui/dates';
import { boundedText } from '@/ui/form/boundedText';
import { line } from '@/ui/form/kinds';

export const kinds = { person: line(60), subject: line(80) };

const day = z
  .string()
  .check(
    z.refine((typed) => !typed.trim() || parseDate(typed) !== null, 'Error: Enter a date as MM/DD/YYYY'),
  );

/** The audit log's filters, with dates as typed. */
export const criteriaSchema = z
  .object({
    person: boundedText(kinds.person),
    subject: boundedText(kinds.subject),
    operation: z.string(),
    from: day,
    to: day,
  })
  .check(
    z.superRefine(({ from, to }, context) => {
      const [first, last] = [parseDate(from), parseDate(to)];
      if (first && last && last < first)
        context.addIssue({
          code: 'custom',
          path: ['to'],
          message: 'Error: End date must be on or after the start date',
        });
    }),
  );

export type Criteria = z.infer<typeof criteriaSchema>;

export const noCriteria: Criteria = { person: '', subject: '', operation: '', from: '', to: '' };

export const read = parseCriteria(criteriaSchema);

/** The request's parameters. */
export const toQuery = ({ from, to, ...rest }: Criteria) => ({
  ...rest,
  from: parseDate(from) ?? '',
  to: parseDate(to) ?? '',
});
