import { Problem } from '@/api/client';
import { addRetryTime, toProblem } from '@/shared/apiError';
import type { Bill } from '@/shared/billDocuments/calls';
import { formatCount, formatTin } from '@/ui/format';

/* Merges a search's responses into the rows of one table. */

/** A request's source: the bills of one TIN or of all, or the second bill system. */
export interface Source {
  tin: string | 'all' | null;
}

/** The bills of one response. */
export interface BillResponse {
  bills: Bill[];
  /** How many it contains if there are more. */
  limitedTo: number | null;
}

interface SourceResponse {
  status: 'pending' | 'error' | 'success';
  data?: BillResponse;
  error?: unknown;
  dataUpdatedAt: number;
  errorUpdatedAt: number;
}

export interface BillRow {
  key: string;
  bill: Bill;
  claimantName: string;
  /** The sort value: first and last name, then the date of service. */
  claimantOrder: string;
  providerName: string;
}

export interface Outcome {
  rows: BillRow[];
  /** The number of bills in an incomplete response. */
  limitedTo: number | null;
  /** All requests. */
  sourceCount: number;
  /** Requests without a response yet. */
  outstanding: number;
  /** Tax IDs that the user no longer has. */
  lost: string[];
  /** The names of the sources that failed. */
  failed: string[];
  /** All requests failed, or the latest one did. */
  failedAtLast: boolean;
  /** The wait time after a rate limit. */
  wait: string;
}

export function mergeResults(asked: readonly Source[], answers: readonly SourceResponse[]): Outcome {
  const isLost = (index: number) => isLostTin(answers[index]?.error);
  const lost = asked.filter(({ tin }, index) => tin !== null && isLost(index));
  // The second bill system didn't fail if there was no Tax ID left to search.
  const failed = asked.filter((_, index) => answers[index]?.status === 'error' && !isLost(index));
  const outstanding = answers.filter(({ status }) => status === 'pending').length;
  return {
    rows: toRows(answers.flatMap(({ data }) => data?.bills ?? [])),
    limitedTo: answers.find(({ data }) => data?.limitedTo)?.data?.limitedTo ?? null,
    sourceCount: asked.length,
    outstanding,
    lost: lost.map(({ tin }) => String(tin)),
    failed: failed.map(formatName),
    failedAtLast:
      outstanding === 0 &&
      failed.length > 0 &&
      (failed.length + lost.length >= asked.length || findLastResponse(answers)?.status === 'error'),
    wait: answers.map(({ error }) => (error ? addRetryTime('', toProblem(error)) : '')).find(Boolean) ?? '',
  };
}

/** The server treats another user's Tax ID as nonexistent. */
const isLostTin = (error: unknown) => error instanceof Problem && error.status === 404;

const names = new Map<Source['tin'], string>([
  [null, 'the second bill system'],
  ['all', 'the bill system'],
]);
const formatName = ({ tin }: Source) => names.get(tin) ?? `Tax ID (TIN) ${tin}`;

const findLastResponse = (answers: readonly SourceResponse[]) =>
  [...answers].sort((a, b) => getResponseTime(a) - getResponseTime(b)).at(-1);

const getResponseTime = ({ dataUpdatedAt, errorUpdatedAt }: SourceResponse) =>
  Math.max(dataUpdatedAt, errorUpdatedAt);

function toRows(bills: readonly Bill[]): BillRow[] {
  const counts = new Map<string, number>();
  return bills.map((bill) => {
    const { ftin, mitchBill, billControlNumber, documentId } = bill;
    const name = [mitchBill ? 'second' : 'own', ftin, billControlNumber, documentId].join('|');
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return {
      key: `${name}|${count}`,
      bill,
      claimantOrder: [
        formatFullName(bill.patientFirstName, bill.patientLastName),
        bill.beginServiceDate,
      ].join('\t'),
      claimantName: formatFullName(bill.patientFirstName, bill.patientMiddleName, bill.patientLastName),
      providerName: formatFullName(bill.physicianFirstName, bill.physicianMiddleName, bill.physicianLastName),
    };
  });
}

const formatFullName = (...parts: string[]) => parts.filter(Boolean).join(' ');

export const formatWaiting = ({ outstanding, sourceCount }: Outcome) =>
  `Please wait while we retrieve data. ${formatCount(sourceCount - outstanding)} of ${formatCount(sourceCount)} sources have responded.`;

/** Names the Tax IDs that the user no longer has. */
export function formatLost({ lost, sourceCount }: Outcome): string {
  const named = `You no longer have access to Tax ID (TIN) ${lost.map(formatTin).join(', ')}.`;
  // The last request goes to the second bill system.
  return lost.length < sourceCount - 1 ? `${named} We searched your other Tax IDs.` : named;
}

/** Returns the payment column's content: a link, or why there is none. */
export function getPayment({ mcpsBill, billStatus }: Bill): 'link' | 'Not Applicable' | 'Not Available' {
  if (mcpsBill) return 'Not Applicable';
  return billStatus === '0' || billStatus === '3' ? 'link' : 'Not Available';
}
