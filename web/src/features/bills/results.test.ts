import { expect, it } from 'vitest';
import { Problem } from '@/api/client';
import { getState } from '@/shared/BillState';
import { formatReference } from '@/shared/billDocuments/calls';
import { formatLost, getPayment, mergeResults } from './results';
import { makeBill } from './testing';

const asked = [{ tin: '111111111' }, { tin: '222222222' }, { tin: null }];
const answered = (at: number, ...bills: ReturnType<typeof makeBill>[]) => ({
  status: 'success' as const,
  data: { bills, limitedTo: null },
  dataUpdatedAt: at,
  errorUpdatedAt: 0,
});
const failed = (at: number) => ({ status: 'error' as const, dataUpdatedAt: 0, errorUpdatedAt: at });
const pending = { status: 'pending' as const, dataUpdatedAt: 0, errorUpdatedAt: 0 };

it('counts outstanding requests and shows the results so far', () => {
  const outcome = mergeResults(asked, [answered(1, makeBill()), pending, failed(2)]);
  expect(outcome).toMatchObject({
    sourceCount: 3,
    outstanding: 2 - 1,
    failed: ['the second bill system'],
    failedAtLast: false,
  });
  expect(outcome.rows).toHaveLength(1);
});

it('names removed Tax IDs, and reports no other failure for them', () => {
  const gone = { ...failed(2), error: new Problem(404, 'NOT_FOUND', 'Not found') };
  const some = mergeResults(asked, [gone, answered(1, makeBill()), answered(3)]);
  expect(some).toMatchObject({ lost: ['111111111'], failed: [], failedAtLast: false });
  expect(formatLost(some)).toBe(
    'You no longer have access to Tax ID (TIN) 111111111. We searched your other Tax IDs.',
  );
  const all = mergeResults(asked, [gone, gone, gone]);
  expect(all).toMatchObject({ lost: ['111111111', '222222222'], failed: [], failedAtLast: false });
  expect(formatLost(all)).toBe('You no longer have access to Tax ID (TIN) 111111111, 222222222.');
  expect(mergeResults(asked, [gone, answered(1), failed(3)])).toMatchObject({
    failed: ['the second bill system'],
    failedAtLast: true,
  });
});

it('shows the retrieval error when the last response fails, or all do', () => {
  expect(mergeResults(asked, [answered(1), failed(2), answered(3)]).failedAtLast).toBe(false);
  expect(mergeResults(asked, [answered(1), failed(4), answered(3)]).failedAtLast).toBe(true);
  expect(mergeResults(asked, [failed(1), failed(1), failed(1)])).toMatchObject({
    failedAtLast: true,
    failed: ['Tax ID (TIN) 111111111', 'Tax ID (TIN) 222222222', 'the second bill system'],
  });
  expect(mergeResults(asked, [answered(1), answered(1), answered(1)]).failedAtLast).toBe(false);
});

it('merges all bills with unique keys and combined names', () => {
  const twin = makeBill({ patientMiddleName: 'K' });
  const { rows } = mergeResults(asked, [
    answered(1, makeBill()),
    answered(1, twin),
    answered(1, makeBill({ mitchBill: true })),
  ]);
  expect(rows.map(({ claimantName }) => claimantName)).toEqual([
    'Ada Lovelace',
    'Ada K Lovelace',
    'Ada Lovelace',
  ]);
  expect(rows[0]?.providerName).toBe('Grace B Hopper');
  expect(new Set(rows.map(({ key }) => key)).size).toBe(3);
});

it('combines bill control number and document ID', () => {
  expect(formatReference(makeBill())).toBe('B1 / D1');
  expect(formatReference(makeBill({ documentId: '' }))).toBe('B1');
});

it.each([
  [{ billStatus: '0' }, 'link'],
  [{ billStatus: '3' }, 'link'],
  [{ billStatus: '1' }, 'Not Available'],
  [{ billStatus: '' }, 'Not Available'],
  [{ billStatus: '0', mcpsBill: true }, 'Not Applicable'],
  [{ billStatus: '1', mcpsBill: true }, 'Not Applicable'],
])('returns for %j: %s', (part, payment) => expect(getPayment(makeBill(part))).toBe(payment));

it("returns a bill's status if bills have pages", () => {
  const word = (part: Parameters<typeof makeBill>[0]) => getState(makeBill(part))?.label;
  expect(word({})).toBeUndefined();
  expect(word({ state: 'denied' })).toBe('Denied');
  expect(['0', '1', '2', '3', '4', '9'].map((billStatus) => word({ billStatus, page: 'p' }))).toEqual([
    'Paid',
    'Received',
    'Repriced',
    'Corrected',
    'Denied',
    'Void',
  ]);
  expect(word({ billStatus: '9', state: 'replaced', page: 'p' })).toBe('Replaced');
});
