import { useSession } from '@/api/session';
import { createSearch } from './historyState';
import { getOwner } from './owner';
import * as paths from './paths';

/** Opens the questions that need the user: those that Today and the Workspace bar count. */
export const useNeededQuestions = () => ({
  to: paths.cases,
  state: { searchInfo: createSearch(getOwner(useSession()), { tab: 'reply', mine: false }) },
});

/**
 * Reports whether a typed question number starts with its C. Without it, it can also be the number of
 * a bill or check.
 */
export const hasQuestionPrefix = (typed: string) => /^C[-\s]*\w{4}[-\s]*\w{4}$/i.test(typed.trim());

const alphabet = '23456789BCDFGHJKMNPQRSTVWXZ';

/** Returns the typed number of a question in its form, C-4K7Q-29MX, or undefined if it isn't one. */
export function parseQuestionNumber(typed: string): string | undefined {
  const [, first, second] = /^C?[-\s]*(\w{4})[-\s]*(\w{4})$/.exec(typed.trim().toUpperCase()) ?? [];
  if (!first || !second) return undefined;
  const values = [...(first + second)].map((letter) => alphabet.indexOf(letter));
  if (values.includes(-1)) return undefined;
  // The server's check character: the weighted sum is a multiple of the alphabet's length.
  const sum = values.reduce((total, value, at) => total + value * (at % 2 === 0 ? 2 : 1), 0);
  return sum % alphabet.length === 0 ? `C-${first}-${second}` : undefined;
}
