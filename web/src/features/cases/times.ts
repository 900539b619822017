import { z } from 'zod/mini';
import { parseCriteria } from '@/shared/historyState';
import { addDays, formatDate, parseDate, today } from '@/ui/dates';

const maxDays = 366;
const defaultDays = 30;

const day = z
  .string()
  .check(z.refine((typed) => parseDate(typed) !== null, 'Error: Enter a date as MM/DD/YYYY'));

/** The days of the figures, as typed. */
export const daysSchema = z.object({ from: day, to: day }).check(
  z.superRefine(({ from, to }, context) => {
    const [first, last] = [parseDate(from), parseDate(to)];
    if (!first || !last) return;
    const addIssue = (message: string) => context.addIssue({ code: 'custom', path: ['to'], message });
    if (last < first) addIssue('Error: End date must be on or after the start date');
    else if (last >= addDays(first, maxDays)) addIssue('Error: Use a range of 366 days or fewer');
  }),
);

export type Days = z.infer<typeof daysSchema>;

export const readDays = parseCriteria(daysSchema);

export const getDefaultDays = (): Days => ({
  from: formatDate(addDays(today(), 1 - defaultDays)),
  to: formatDate(today()),
});

/** 90 minutes are 1.5 h. */
export const formatHours = (hours: number | null) => (hours === null ? '' : `${hours.toFixed(1)} h`);
