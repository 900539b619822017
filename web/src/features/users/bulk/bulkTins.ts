import { formatCount } from '@/ui/format';
import { pluralize } from '@/ui/pluralize';
import type { Change, Outcome } from './queries';

/** The maximum number of users, and of TINs, per change. */
export const maxTins = 500;

export const kinds: { value: Change['change']; label: string; verb: string }[] = [
  { value: 'give', label: 'Add these TINs', verb: 'Add TINs' },
  { value: 'take', label: 'Remove these TINs', verb: 'Remove TINs' },
  { value: 'set', label: 'Replace all TINs with these', verb: 'Replace TINs' },
];

/** Parses the TINs in a text without duplicates. Anything but digits and hyphens separates them. */
export function parseTins(text: string): { tins: string[]; wrong: string[] } {
  const typed = text.split(/[^\d-]+/).filter(Boolean);
  const digits = typed.map((tin) => tin.replaceAll('-', ''));
  return {
    tins: [...new Set(digits.filter(isTin))],
    wrong: typed.filter((_, index) => !isTin(digits[index] ?? '')),
  };
}

const isTin = (digits: string) => digits.length === 9;

/** Returns the problem with the typed TINs. */
export function findTinsProblem(text: string): string | undefined {
  const { tins, wrong } = parseTins(text);
  const [first] = wrong;
  if (first !== undefined)
    return `Error: ${first}${wrong.length > 1 ? ` and ${formatCount(wrong.length - 1)} more aren't valid TINs` : " isn't a valid TIN"}. Enter 9 digits for each.`;
  if (tins.length === 0) return 'Error: Enter at least 1 TIN.';
  if (tins.length > maxTins)
    return `Error: You entered ${formatCount(tins.length)} TINs. Enter up to ${maxTins}.`;
}

const outcomeWords: Record<Outcome['outcome'], string> = {
  done: 'will change',
  nothing: 'unchanged',
  refused: 'rejected',
  left: 'not processed',
};

/** Summarizes the number of each outcome. */
export function formatSummary(outcomes: readonly Outcome[], done: boolean): string {
  const parts = (Object.keys(outcomeWords) as Outcome['outcome'][]).flatMap((outcome) => {
    const count = outcomes.filter((each) => each.outcome === outcome).length;
    return count > 0
      ? `${formatCount(count)} ${done && outcome === 'done' ? 'changed' : outcomeWords[outcome]}`
      : [];
  });
  return `Of ${pluralize(outcomes.length, 'user')}: ${parts.join(', ')}.`;
}
