import { z } from 'zod/mini';
import type { components } from '@/api/schema';
import { parseDate, today } from '@/ui/dates';
import { boundedText } from '@/ui/form/boundedText';
import { line } from '@/ui/form/kinds';

/* The input of an announcement. Dates and times are in the business time zone. */

export const kinds = { text: line(200) };

/** Every 15 minutes, as HH:MM. */
export const times = Array.from({ length: 96 }, (_, quarter) => {
  const hour = Math.floor(quarter / 4);
  const minute = String((quarter % 4) * 15).padStart(2, '0');
  return {
    value: `${String(hour).padStart(2, '0')}:${minute}`,
    label: `${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`,
  };
});

const isDay = (typed: string) => (parseDate(typed) ?? '') >= today();

export const lineSchema = z
  .object({
    text: boundedText(kinds.text).check(z.refine((text) => text !== '', { error: 'Error: Enter a message' })),
    kind: z.enum(['INFO', 'WARNING']),
    from: z.string().check(
      z.refine((typed) => typed.trim() === '' || isDay(typed), {
        error: 'Error: Enter today or a later date',
      }),
    ),
    fromTime: z.string(),
    to: z.string().check(z.refine(isDay, { error: 'Error: Enter today or a later date' })),
    toTime: z.string(),
  })
  .check(
    z.superRefine((values, context) => {
      const { from, to } = toAnnouncement(values);
      if (from && from >= to)
        context.addIssue({
          code: 'custom',
          path: ['to'],
          message: 'Error: The end must be after the start',
        });
    }),
  );

export type Values = z.infer<typeof lineSchema>;

export const noLine: Values = {
  text: '',
  kind: 'INFO',
  from: '',
  fromTime: '08:00',
  to: '',
  toTime: '17:00',
};

/** The announcement as sent. Without a first day it starts immediately. */
export function toAnnouncement({
  text,
  kind,
  from,
  fromTime,
  to,
  toTime,
}: Values): components['schemas']['NewStatusLine'] {
  const day = parseDate(from);
  return { text, kind, ...(day && { from: `${day}T${fromTime}` }), to: `${parseDate(to)}T${toTime}` };
}
