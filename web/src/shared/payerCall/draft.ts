import { formatDate } from '@/ui/dates';
import { formatCount } from '@/ui/format';
import { callOutcomes } from '../callOutcomes.gen';
import type { CallBill, CallText } from './queries';

export const maxBills = 50;

/** A call as typed. */
export interface Draft {
  /** Repeated requests have the same key, so that the call counts once, even after a reload. */
  requestKey: string;
  /** The content last sent with the key; empty before. */
  sent: string;
  payer: string;
  person: string;
  outcome: keyof typeof callOutcomes | '';
  promisedOn: string;
  reference: string;
  followUpOn: string;
  body: string;
}

export const emptyDraft: Draft = {
  requestKey: '',
  sent: '',
  payer: '',
  person: '',
  outcome: '',
  promisedOn: '',
  reference: '',
  followUpOn: '',
  body: '',
};

/** The bills of a payer, under the name that most of them have. */
export interface PayerBills<Bill> {
  /** Empty for bills without a payer. */
  payer: string;
  bills: Bill[];
}

/** Groups bills by payer, regardless of case, in the order of their first bills. */
export function groupByPayer<Bill extends Pick<CallBill, 'payerName'>>(bills: readonly Bill[]) {
  const groups = new Map<string, PayerBills<Bill>>();
  for (const bill of bills) {
    const key = bill.payerName.trim().toLowerCase();
    const group = groups.get(key);
    if (group) group.bills.push(bill);
    else groups.set(key, { payer: bill.payerName.trim(), bills: [bill] });
  }
  return [...groups.values()];
}

const limits = { payer: 128, person: 60, reference: 60, body: 1000 } as const;

export type Errors = Partial<Record<keyof Draft, string>>;

/** Checks a call as the server does. */
export function checkDraft(draft: Draft, today: string): Errors {
  const errors: Errors = {};
  for (const [name, limit] of Object.entries(limits) as [keyof typeof limits, number][])
    if (draft[name].trim().length > limit)
      errors[name] = `Error: Use ${formatCount(limit)} characters or fewer`;
  if (!draft.payer.trim()) errors.payer = 'Error: Enter the payer';
  if (!draft.outcome) errors.outcome = 'Error: Select an outcome';
  if (draft.outcome === 'promised' && draft.promisedOn < today)
    errors.promisedOn = 'Error: Enter today or a later date';
  if (draft.followUpOn && draft.followUpOn < today) errors.followUpOn = 'Error: Enter today or a later date';
  return errors;
}

/** The request for a call. */
export const toCallText = (draft: Draft, bills: CallText['bills']): CallText => ({
  requestKey: draft.requestKey,
  bills,
  payer: draft.payer,
  outcome: draft.outcome,
  ...(draft.person && { spokeWith: draft.person }),
  ...(draft.outcome === 'promised' && { promisedOn: draft.promisedOn }),
  ...(draft.reference && { reference: draft.reference }),
  ...(draft.followUpOn && { followUpOn: draft.followUpOn }),
  ...(draft.body && { body: draft.body }),
});

/** The key and content of the next request. If the content changed since the last one, the key is new. */
export function getRequest(draft: Draft): Pick<Draft, 'requestKey' | 'sent'> {
  const { requestKey, ...content } = toCallText(draft, []);
  const sent = JSON.stringify(content);
  return { requestKey: draft.sent && draft.sent !== sent ? crypto.randomUUID() : requestKey, sent };
}

/** An outcome in a sentence. */
export const formatCallOutcome = (
  outcome: keyof typeof callOutcomes,
  promisedOn: string | null | undefined,
) => (promisedOn ? `${callOutcomes[outcome]} for ${formatDate(promisedOn)}` : callOutcomes[outcome]);
