import type { components } from '@/api/schema';
import { formatCount } from '@/ui/format';

export type CaseSummary = components['schemas']['CaseSummary'];
export type CaseThread = components['schemas']['CaseThread'];
export type CaseFile = components['schemas']['CaseFile'];
export type CaseEntry = components['schemas']['CaseEntry'];

/** Maximum characters of an entry. */
export const maxText = 4000;

/** Maximum files of an entry. */
export const maxFiles = 10;

/** Names how often an office contacted the network: "3rd contact about this bill". */
export function formatContacts(count: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd' }[ordinals.select(count) as 'one'] ?? 'th';
  return `${count}${ending} contact about this bill`;
}

const ordinals = new Intl.PluralRules('en-US', { type: 'ordinal' });

export const topics: Record<CaseSummary['topic'], string> = {
  PRICE: "Network's price",
  STATUS: 'Status of a bill',
  PAYMENT: 'Payment',
  DENIAL: 'Denial',
  DIRECTORY: 'Provider directory',
  ACCOUNT: 'Account or Tax IDs',
  OTHER: 'Something else',
};

export const kinds: Record<CaseSummary['kind'], string> = {
  QUESTION: 'Question',
  CALL: 'Call',
  COMPLAINT: 'Complaint',
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
  MERGED: { label: 'Merged', kind: 'neutral' },
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
  NOTE: 'added an internal note',
  CALL: 'logged a call',
  MERGE: 'merged questions',
  LETTER: 'sent a letter',
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
