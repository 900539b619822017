import { Problem } from '@/api/client';
import { refusal, withWait } from '@/shared/refusal';
import { formatCount, formatTin } from '@/ui/format';
import type { Bill } from './queries';

/* From the answers of one search to the rows of one table. */

/** Whom one request asked: for the bills of a TIN, or of all; or the second bill system. */
export interface Source {
  tin: string | 'all' | null;
}

/** The bills of one answer. */
export interface Found {
  bills: Bill[];
  /** How many are in it when there are more. */
  limitedTo: number | null;
}

interface Answer {
  status: 'pending' | 'error' | 'success';
  data?: Found;
  error?: unknown;
  dataUpdatedAt: number;
  errorUpdatedAt: number;
}

export interface BillRow {
  key: string;
  bill: Bill;
  claimantName: string;
  /** Sorts: first and last name, then the date of service. */
  claimantOrder: string;
  providerName: string;
}

export interface Outcome {
  rows: BillRow[];
  /** How many bills an answer has that has not all of them. */
  limitedTo: number | null;
  /** Requests in all. */
  asked: number;
  /** Requests without an answer yet. */
  outstanding: number;
  /** Tax IDs that the person no longer has. */
  lost: string[];
  /** Who did not answer, by name. */
  failed: string[];
  /** All failed, or the last one to answer did. */
  failedAtLast: boolean;
  /** How long to wait, where a limit refused one. */
  wait: string;
}

export function outcomeOf(asked: readonly Source[], answers: readonly Answer[]): Outcome {
  const isLost = (index: number) => isGone(answers[index]?.error);
  const lost = asked.filter(({ tin }, index) => tin !== null && isLost(index));
  // The second bill system is not to blame where no Tax ID was left to ask it for.
  const failed = asked.filter((_, index) => answers[index]?.status === 'error' && !isLost(index));
  const outstanding = answers.filter(({ status }) => status === 'pending').length;
  return {
    rows: rowsOf(answers.flatMap(({ data }) => data?.bills ?? [])),
    limitedTo: answers.find(({ data }) => data?.limitedTo)?.data?.limitedTo ?? null,
    asked: asked.length,
    outstanding,
    lost: lost.map(({ tin }) => String(tin)),
    failed: failed.map(nameOf),
    failedAtLast:
      outstanding === 0 &&
      failed.length > 0 &&
      (failed.length + lost.length >= asked.length || lastAnswer(answers)?.status === 'error'),
    wait: answers.map(({ error }) => (error ? withWait('', refusal(error)) : '')).find(Boolean) ?? '',
  };
}

/** A Tax ID that is not theirs is answered as one that does not exist. */
const isGone = (error: unknown) => error instanceof Problem && error.status === 404;

const names = new Map<Source['tin'], string>([
  [null, 'the second bill system'],
  ['all', 'the bill system'],
]);
const nameOf = ({ tin }: Source) => names.get(tin) ?? `Tax ID (TIN) ${tin}`;

const lastAnswer = (answers: readonly Answer[]) =>
  [...answers].sort((a, b) => answeredAt(a) - answeredAt(b)).at(-1);

const answeredAt = ({ dataUpdatedAt, errorUpdatedAt }: Answer) => Math.max(dataUpdatedAt, errorUpdatedAt);

function rowsOf(bills: readonly Bill[]): BillRow[] {
  const counts = new Map<string, number>();
  return bills.map((bill) => {
    const { ftin, mitchBill, billControlNumber, documentId } = bill;
    const name = [mitchBill ? 'second' : 'own', ftin, billControlNumber, documentId].join('|');
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return {
      key: `${name}|${count}`,
      bill,
      claimantOrder: [fullName(bill.patientFirstName, bill.patientLastName), bill.beginServiceDate].join(
        '\t',
      ),
      claimantName: fullName(bill.patientFirstName, bill.patientMiddleName, bill.patientLastName),
      providerName: fullName(bill.physicianFirstName, bill.physicianMiddleName, bill.physicianLastName),
    };
  });
}

const fullName = (...parts: string[]) => parts.filter(Boolean).join(' ');

export const waitingText = ({ outstanding, asked }: Outcome) =>
  `Please wait while we retrieve data. ${formatCount(asked - outstanding)} of ${formatCount(asked)} sources have responded.`;

/** Which Tax IDs are no longer the person's. */
export function lostText({ lost, asked }: Outcome): string {
  const named = `You no longer have access to Tax ID (TIN) ${lost.map(formatTin).join(', ')}.`;
  // The last one asked is the second bill system.
  return lost.length < asked - 1 ? `${named} We searched your other Tax IDs.` : named;
}

/** What stands in the payment column: a link, or why there is none. */
export function paymentOf({ mcpsBill, billStatus }: Bill): 'link' | 'Not Applicable' | 'Not Available' {
  if (mcpsBill) return 'Not Applicable';
  return billStatus === '0' || billStatus === '3' ? 'link' : 'Not Available';
}
