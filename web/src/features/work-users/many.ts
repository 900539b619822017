import { counted } from '@/ui/counted';
import { formatCount } from '@/ui/format';
import type { Change, Outcome } from './queries';

/** So many users, and so many TINs, are changed at once. */
export const most = 500;

export const kinds: { value: Change['change']; label: string; verb: string }[] = [
  { value: 'give', label: 'Give these TINs, beside those they have', verb: 'Give these TINs' },
  { value: 'take', label: 'Take these TINs', verb: 'Take these TINs' },
  { value: 'set', label: 'Give exactly these TINs, and take all others', verb: 'Give exactly these TINs' },
];

/** The TINs of a text, each once: separated by anything but digits and hyphens. */
export function tinsIn(text: string): { tins: string[]; wrong: string[] } {
  const typed = text.split(/[^\d-]+/).filter(Boolean);
  const digits = typed.map((tin) => tin.replaceAll('-', ''));
  return {
    tins: [...new Set(digits.filter(isTin))],
    wrong: typed.filter((_, index) => !isTin(digits[index] ?? '')),
  };
}

const isTin = (digits: string) => digits.length === 9;

/** What is wrong with the TINs that were typed. */
export function tinsProblem(text: string): string | undefined {
  const { tins, wrong } = tinsIn(text);
  const [first] = wrong;
  if (first !== undefined)
    return `Error: ${first}${wrong.length > 1 ? ` and ${formatCount(wrong.length - 1)} more are` : ' is'} no TIN: enter 9 digits each.`;
  if (tins.length === 0) return 'Error: Enter at least one TIN.';
  if (tins.length > most)
    return `Error: These are ${formatCount(tins.length)} TINs. Enter at most ${most} at once.`;
}

const outcomeWords: Record<Outcome['outcome'], string> = {
  done: 'to change',
  nothing: 'with nothing to do',
  refused: 'refused',
  left: 'left',
};

/** How many of each outcome there are, in a sentence. */
export function summaryOf(outcomes: readonly Outcome[], done: boolean): string {
  const parts = (Object.keys(outcomeWords) as Outcome['outcome'][]).flatMap((outcome) => {
    const count = outcomes.filter((each) => each.outcome === outcome).length;
    return count > 0
      ? `${formatCount(count)} ${done && outcome === 'done' ? 'changed' : outcomeWords[outcome]}`
      : [];
  });
  return `Of ${counted(outcomes.length, 'user')}: ${parts.join(', ')}.`;
}
