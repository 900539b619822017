import { z } from 'zod/mini';
import { formatDate, parseDate } from '@/ui/dates';
import { boundedText } from '@/ui/form/boundedText';
import { type Kind, line } from '@/ui/form/kinds';
import { normalizeText } from '@/ui/text';
import type { DeskCode } from './queries';

/* The desk's input for a code. */

const upperCase = (most: number): Kind => ({
  maxChars: most,
  normalize: (typed) => normalizeText(typed).toUpperCase(),
});

export const kinds = {
  code: upperCase(10),
  jurisdiction: upperCase(2),
  title: line(160),
  plain: line(400),
  advice: line(400),
  official: line(1000),
};

const day = z.string().check(
  z.refine((typed) => typed.trim() === '' || parseDate(typed) !== null, {
    error: 'Error: Enter a date as MM/DD/YYYY',
  }),
);

export const wordingSchema = z.object({
  list: z.string().check(z.minLength(1, 'Error: Select a list')),
  code: boundedText(kinds.code).check(z.minLength(1, 'Error: Enter a code')),
  jurisdiction: boundedText(kinds.jurisdiction),
  title: boundedText(kinds.title),
  plain: boundedText(kinds.plain),
  advice: boundedText(kinds.advice),
  official: boundedText(kinds.official),
  status: z.enum(['ACTIVE', 'ENDED']),
  effective: day,
  ended: day,
});

export type Values = z.infer<typeof wordingSchema>;

export const toValues = (code?: DeskCode): Values => ({
  list: code?.list ?? '',
  code: code?.code ?? '',
  jurisdiction: code?.jurisdiction ?? '',
  title: code?.title ?? '',
  plain: code?.plain ?? '',
  advice: code?.advice ?? '',
  official: code?.official ?? '',
  status: code?.status ?? 'ACTIVE',
  effective: formatDate(code?.effective),
  ended: formatDate(code?.ended),
});

/** Converts a server value to its field's value. */
export const toFieldValue = (name: string, value: string) =>
  name === 'effective' || name === 'ended' ? formatDate(value) : value;

/** The request's body, in place of a version; 0 if there is none yet. */
export const toRequest = (values: Values, version: number) => ({
  ...values,
  version,
  effective: parseDate(values.effective) ?? '',
  ended: parseDate(values.ended) ?? '',
});
