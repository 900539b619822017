import type { components } from '@/api/schema';
import { formatCount } from '@/ui/format';

export type CaseSummary = components['schemas']['CaseSummary'];
export type CaseThread = components['schemas']['CaseThread'];
export type CaseEntry = components['schemas']['CaseEntry'];

/** Maximum characters of an entry. */
export const maxText = 4000;

export const topics: Record<CaseSummary['topic'], string> = {
  PRICE: "Network's price",
  STATUS: 'Status of a bill',
  PAYMENT: 'Payment',
  DENIAL: 'Denial',
  DIRECTORY: 'Provider directory',
  ACCOUNT: 'Account or Tax IDs',
  OTHER: 'Something else',
};

interface StateLabel {
  label: string;
  kind: 'neutral' | 'success' | 'info' | 'warning';
}

/** How an office sees the states. */
export const officeStates: Record<CaseSummary['state'], StateLabel> = {
  OPEN: { label: 'Open', kind: 'info' },
  WAITING: { label: 'Needs your reply', kind: 'warning' },
  ANSWERED: { label: 'Answered', kind: 'success' },
  CLOSED: { label: 'Closed', kind: 'neutral' },
  WITHDRAWN: { label: 'Withdrawn', kind: 'neutral' },
};

/** How network staff see them. */
export const deskStates: typeof officeStates = {
  ...officeStates,
  OPEN: { label: 'Needs an answer', kind: 'warning' },
  WAITING: { label: 'Waiting for the office', kind: 'info' },
};

export const describeEntry: Record<CaseEntry['kind'], string> = {
  MESSAGE: 'wrote',
  ANSWER: 'answered',
  ASK: 'asked',
  WITHDRAWN: 'withdrew the question',
  CLOSED: 'closed the question',
};

/** Names the author of an entry. */
export const formatAuthor = ({ author, side }: CaseEntry) =>
  author || { OFFICE: 'A former user', NETWORK: 'The network', SYSTEM: 'The portal' }[side];

/** Returns what is wrong with a trimmed text. */
export function checkText(text: string, empty: string): string | undefined {
  if (!text) return `Error: ${empty}`;
  return text.length > maxText ? `Error: Enter up to ${formatCount(maxText)} characters` : undefined;
}

/** The key of a new question. A repeated request with it is stored once. */
export const createRequestKey = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
