import { z } from 'zod/mini';
import { parseCriteria } from '@/shared/useSearchState';
import type { Reason, ReasonList, Reasons } from '@/shared/reasons';

/* What the screen Reasons is searched by, and what that finds. */

export interface Criteria {
  text: string;
  /** Empty: all lists. */
  list: ReasonList | '';
}

export const everything: Criteria = { text: '', list: '' };

const criteriaSchema = z.object({
  text: z.string(),
  list: z.enum(['', 'CAGC', 'CARC', 'RARC', 'PLB', 'CLP02', 'HCP13', 'LOCAL']),
});

export const read = parseCriteria(criteriaSchema);

const grouped = /^([a-z]{2})[\s-]+([a-z]?\d+)$/;

/**
 * What has all the words: each begins the code or is part of the texts. A code that is typed whole comes first. As in
 * CO-45 an adjustment's group and reason are found together.
 */
export function search({ all, of }: Reasons, { text, list }: Criteria): readonly Reason[] {
  const typed = text.trim().toLowerCase();
  const within = list === '' ? all : all.filter((reason) => reason.list === list);
  const [, group = '', code = ''] = grouped.exec(typed) ?? [];
  if (of('CAGC', group.toUpperCase()))
    return within.filter(
      (reason) =>
        (reason.list === 'CAGC' && reason.code.toLowerCase() === group) ||
        (reason.list === 'CARC' && reason.code.toLowerCase() === code),
    );
  const words = typed.split(/\s+/);
  const found = within.filter((reason) => {
    const text = `${reason.title} ${reason.plain} ${reason.advice} ${reason.official}`.toLowerCase();
    return words.every((word) => reason.code.toLowerCase().startsWith(word) || text.includes(word));
  });
  const whole = ({ code }: Reason) => Number(code.toLowerCase() === typed);
  return found.sort((a, b) => whole(b) - whole(a));
}

/** Whether a code was typed, rather than words. */
export const isCode = (text: string) => /^([a-z]{2}[\s-]+)?[a-z]{0,3}\d{1,5}$/i.test(text.trim());
