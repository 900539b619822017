import { z } from 'zod/mini';
import { parseCriteria } from '@/shared/historyState';
import type { Reason, ReasonList, Reasons } from '@/shared/reasons';

/* The criteria and results of the Reason codes screen. */

export interface Criteria {
  text: string;
  /** Empty for all lists. */
  list: ReasonList | '';
}

export const noCriteria: Criteria = { text: '', list: '' };

const criteriaSchema = z.object({
  text: z.string(),
  list: z.enum(['', 'CAGC', 'CARC', 'RARC', 'PLB', 'CLP02', 'HCP13', 'LOCAL']),
});

export const read = parseCriteria(criteriaSchema);

const grouped = /^([a-z]{2})[\s-]+([a-z]?\d+)$/;

/**
 * Finds codes that match all words. Each is a prefix of the code or occurs in its texts. An
 * exact code comes first. CO-45 finds an adjustment's group and reason together.
 */
export function search({ all, find }: Reasons, { text, list }: Criteria): readonly Reason[] {
  const typed = text.trim().toLowerCase();
  const within = list === '' ? all : all.filter((reason) => reason.list === list);
  const [, group = '', code = ''] = grouped.exec(typed) ?? [];
  if (find('CAGC', group.toUpperCase()))
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
  const rankExact = ({ code }: Reason) => Number(code.toLowerCase() === typed);
  return found.sort((a, b) => rankExact(b) - rankExact(a));
}

/** Reports whether the text is a code rather than words. */
export const isCode = (text: string) => /^([a-z]{2}[\s-]+)?[a-z]{0,3}\d{1,5}$/i.test(text.trim());
