import type { components } from '@/api/schema';
import { formatDate } from '@/ui/dates';
import { formatCount } from '@/ui/format';

export type CaseSummary = components['schemas']['CaseSummary'];
export type CaseThread = components['schemas']['CaseThread'];
export type CaseFile = components['schemas']['CaseFile'];
export type CaseComplaint = components['schemas']['CaseComplaint'];
export type CaseLetter = components['schemas']['CaseLetter'];
export type Category = CaseComplaint['categories'][number];
export type Outcome = Exclude<CaseComplaint['outcome'], ''>;
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

/** The categories of 28 TAC 10.121(d). */
export const categories: Record<Category, string> = {
  QUALITY: 'Quality of care or services',
  ACCESS: 'Accessibility and availability of services or providers',
  UTILIZATION: 'Utilization review',
  PROCEDURES: 'Complaint procedures',
  CONTRACTS: 'Health care provider contracts',
  PAYMENT: 'Bill payment',
  FEES: 'Fee disputes',
  OTHER: 'Miscellaneous',
};

export const outcomes: Record<Outcome, string> = {
  UPHELD: 'Upheld',
  PARTLY: 'Partly upheld',
  NOT_UPHELD: 'Not upheld',
  NONE: 'No decision',
};

export const originNames: Record<CaseComplaint['origin'], string> = {
  PORTAL: 'portal',
  PHONE: 'phone',
  MAIL: 'mail',
};

export const letterNames: Record<CaseLetter['kind'], string> = {
  ACK: 'Acknowledgment',
  RESOLVE: 'Resolution',
};

/** The promise to a complainant. It has a date only if an active rule sets one. */
export const describeReceipt = ({ receivedOn, resolveDue, citation }: CaseComplaint) =>
  `We received your complaint on ${formatDate(receivedOn)} and will send a written resolution${
    resolveDue ? ` by ${formatDate(resolveDue)} (${citation})` : ''
  }.`;

/** The name of a case's kind in a sentence. */
export const nameKind = ({ kind }: Pick<CaseSummary, 'kind'>) =>
  kind === 'COMPLAINT' ? 'complaint' : 'question';

/** The topic of a question, or that it's a complaint. */
export const describeTopic = ({ kind, topic }: Pick<CaseSummary, 'kind' | 'topic'>) =>
  kind === 'COMPLAINT' ? 'Complaint' : topics[topic];

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
