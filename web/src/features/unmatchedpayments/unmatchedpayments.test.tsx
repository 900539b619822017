import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { bearer } from '@/api/client';
import { configure, fakeServer, makeSession, type Replies } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import type { Decision, Duplicate, MatchDecision, Unmatched } from './queries';
import UnmatchedPage from './UnmatchedPage';

let replies: Replies;

const facts = {
  id: 'sealed-1',
  ftin: '111111111',
  npi: '',
  number: 'I1',
  claimant: 'Bob Brook',
  account: 'A1',
  serviceOn: '2026-01-05',
  charges: 100,
  paid: 80,
  paidOn: '2026-03-01',
  check: 'K1',
  payer: 'Steady Mutual',
};

const bill: Unmatched = {
  ...facts,
  candidates: [
    {
      bill: {
        ...facts,
        id: 'sealed-2',
        number: 'N1',
        claimant: 'Robert Brook',
        paid: 70,
        paidOn: '2026-02-01',
        check: 'K0',
      },
      differences: [{ what: 'FIRST_NAME', paid: 'Bob', sent: 'Robert' }],
      joinable: true,
    },
    {
      bill: { ...facts, id: 'sealed-3', number: 'N2', paid: null, paidOn: null, check: '' },
      differences: [
        { what: 'DAY', paid: '2026-01-05', sent: '2026-01-06' },
        { what: 'CHARGE', paid: '100.00', sent: '90.00' },
      ],
      joinable: false,
    },
  ],
  more: false,
};
const sums = { payments: 1, paid: 80, zero: 2 };

beforeEach(async () => {
  bearer.token = 'token-1';
  await configure({});
  replies = {
    'POST /desk/feeds/unmatched': { body: { bills: [bill], next: '', sums } },
    'GET /desk/feeds/joins': { body: [] },
    'POST /desk/feeds/duplicates': { body: { checks: [], more: false } },
    'GET /desk/feeds/duplicates/decisions': { body: [] },
  };
  fakeServer(replies);
});

const show = (permissions = ['feeds.watch', 'feeds.manage']) =>
  renderScreens({ '/desk/unmatched': UnmatchedPage }, makeSession({ permissions }));

/** The text of an element that contains marked characters. */
const hasText = (text: string | RegExp) => (_: string, element: Element | null) =>
  element?.tagName === 'SPAN' &&
  (typeof text === 'string' ? element.textContent === text : text.test(element.textContent ?? ''));

test('a payment shows its possible bills, is matched with one click, and the match is undone', async () => {
  show();
  const table = within(await screen.findByRole('table', { name: 'Payments to match' }));
  table.getByText(hasText("Claimant's first name: Bob on the payment, Robert on the bill"));
  table.getByText(hasText('Charge: $100.00 on the payment, $90.00 on the bill'));
  table.getByText('Too many differences');
  // The total includes the bill's existing payments.
  table.getByText(/^Already paid \$70\.00 on 02\/01\/2026, check K0\. Both payments will count\./);
  expect(table.queryByRole('button', { name: 'Match to N2' })).toBeNull();
  screen.getByRole('button', { name: /^To match\s*\$80\.00\s*1 payment/ });
  const sent: unknown[] = [];
  replies['POST /desk/feeds/joins'] = {
    status: 409,
    body: { message: 'Somebody has said already what becomes of this payment.', code: 'CONFLICT' },
  };
  await userEvent.click(table.getByRole('button', { name: 'Match to N1' }));
  await screen.findByText(/Somebody has said already/);
  replies['POST /desk/feeds/joins'] = (body) => {
    sent.push(body);
    return { body: { ftin: '111111111', payment: 'f' } };
  };
  replies['POST /desk/feeds/joins/undo'] = (body) => {
    sent.push(body);
    return { status: 204 };
  };
  replies['POST /desk/feeds/unmatched'] = { body: { bills: [], next: '', sums } };
  await userEvent.click(await screen.findByRole('button', { name: 'Match to N1' }));
  const notice = within(screen.getByRole('region', { name: 'Notifications' }));
  await notice.findByText('Payment matched');
  await screen.findByText('All payments are matched');
  replies['POST /desk/feeds/unmatched'] = { body: { bills: [bill], next: '', sums } };
  await userEvent.click(notice.getByRole('button', { name: 'Undo' }));
  await notice.findByText('Payment match undone');
  await screen.findByRole('button', { name: 'Match to N1' });
  expect(sent).toEqual([
    { id: 'sealed-1', to: 'sealed-2' },
    { ftin: '111111111', payment: 'f' },
  ]);
});

test('a payment is dismissed, and other possible bills are requested', async () => {
  replies['POST /desk/feeds/unmatched'] = {
    body: { bills: [{ ...bill, candidates: bill.candidates.slice(0, 1), more: true }], next: '', sums },
  };
  show();
  replies['POST /desk/feeds/unmatched/candidates'] = {
    body: { made: facts, candidates: bill.candidates },
  };
  await userEvent.click(await screen.findByRole('button', { name: /^Show other bills/ }));
  await screen.findByText('N2');
  expect(screen.queryByRole('button', { name: /^Show other bills/ })).toBeNull();
  replies['POST /desk/feeds/unmatched/leave'] = { body: { ftin: '111111111', payment: 'f' } };
  await userEvent.click(screen.getByRole('button', { name: /^Dismiss/ }));
  await screen.findByText('Payment dismissed');
});

test('payments of $0.00 are a list of their own', async () => {
  const asked: unknown[] = [];
  replies['POST /desk/feeds/unmatched'] = (body) => {
    asked.push(body);
    return { body: { bills: [{ ...bill, paid: 0, candidates: [] }], next: '', sums } };
  };
  show();
  await userEvent.click(await screen.findByRole('button', { name: /^Denials and \$0\.00/ }));
  await screen.findByText(/^No similar bills/);
  expect(asked).toEqual([
    { after: '', zero: false },
    { after: '', zero: true },
  ]);
});

const joined: MatchDecision = {
  ftin: '111111111',
  npi: '',
  payment: 'f',
  left: false,
  difference: 'FIRST_NAME',
  check: 'K1',
  paid: 80,
  paidOn: '2026-03-01',
  bill: 'N1',
  by: 'casey',
  at: '2026-06-03T10:00:00Z',
  undoneBy: '',
  undoneAt: null,
};

test('a decision is undone, with a message', async () => {
  replies['GET /desk/feeds/joins'] = { body: [joined] };
  replies['POST /desk/feeds/joins/undo'] = { status: 204 };
  show();
  await userEvent.click(await screen.findByRole('button', { name: /^Undo/ }));
  await screen.findByText('Payment match undone');
});

test("read-only users can't match, and the history is listed", async () => {
  replies['GET /desk/feeds/joins'] = { body: [joined] };
  show(['feeds.watch']);
  await screen.findByText("Matched; different claimant's first name");
  screen.getByText('Check K1, $80.00 on 03/01/2026');
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull();
  await screen.findByText(hasText("Claimant's first name: Bob on the payment, Robert on the bill"));
  expect(screen.queryByRole('button', { name: /^Match to/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /^Dismiss/ })).toBeNull();
  expect(screen.queryByText('Too many differences')).toBeNull();
});

test('users without access see so', async () => {
  show([]);
  await screen.findByText("You don't have access");
});

const check = {
  number: 'K1',
  paidOn: '2026-03-01',
  payer: 'Clearing House',
  amount: 80,
  bills: 1,
  firstSeen: '2026-03-04T10:00:00Z',
};
const duplicate: Duplicate = {
  id: 'sealed-k1',
  ftin: '111111111',
  check,
  counts: { ...check, payer: 'Steady Mutual', bills: 2 },
};
const decision: Decision = {
  id: 'sealed-d1',
  ftin: '111111111',
  number: 'K1',
  paidOn: '2026-03-01',
  payer: 'Steady Mutual',
  same: true,
  by: 'casey',
  at: '2026-06-03T10:00:00Z',
  undoneBy: '',
  undoneAt: null,
};

test('a possible duplicate is decided, and the decision is undone from its toast', async () => {
  replies['POST /desk/feeds/duplicates'] = { body: { checks: [duplicate], more: true } };
  show();
  const table = within(await screen.findByRole('table', { name: 'Possible duplicate checks' }));
  table.getByText('Clearing House, 1 bill');
  table.getByText('Steady Mutual, 2 bills');
  screen.getByText('Showing the first 1. Decide on these to see more.');
  const sent: unknown[] = [];
  replies['POST /desk/feeds/duplicates/decide'] = (body) => {
    sent.push(body);
    return { body: { id: decision.id } };
  };
  replies['POST /desk/feeds/duplicates/undo'] = (body) => {
    sent.push(body);
    return { status: 204 };
  };
  replies['GET /desk/feeds/duplicates/decisions'] = { body: [decision] };
  await userEvent.click(table.getByRole('button', { name: /^Same check/ }));
  const notice = within(screen.getByRole('region', { name: 'Notifications' }));
  await notice.findByText('Counted as the same check');
  const decisions = within(await screen.findByRole('table', { name: 'Duplicate check decisions' }));
  decisions.getByText('Check K1 on 03/01/2026, Steady Mutual');
  decisions.getByText('Current');
  await userEvent.click(notice.getByRole('button', { name: 'Undo' }));
  await notice.findByText('Decision undone');
  expect(notice.queryByText('Counted as the same check')).toBeNull();
  expect(sent).toEqual([{ id: 'sealed-k1', same: true }, { id: 'sealed-d1' }]);
});

test('the slower user sees so, and the lists refetch', async () => {
  replies['POST /desk/feeds/duplicates'] = { body: { checks: [duplicate], more: false } };
  show();
  const two = await screen.findByRole('button', { name: /^Two checks/ });
  replies['POST /desk/feeds/duplicates/decide'] = {
    status: 409,
    body: { message: 'Somebody else decided.', code: 'CONFLICT' },
  };
  replies['POST /desk/feeds/duplicates'] = { body: { checks: [], more: false } };
  replies['GET /desk/feeds/duplicates/decisions'] = { body: [decision] };
  await userEvent.click(two);
  await screen.findByText('Error: Somebody else decided.');
  await screen.findByText('No possible duplicates');
  replies['POST /desk/feeds/duplicates/undo'] = {
    status: 409,
    body: { message: 'Somebody else undid this.', code: 'CONFLICT' },
  };
  replies['GET /desk/feeds/duplicates/decisions'] = {
    body: [{ ...decision, undoneBy: 'dana', undoneAt: '2026-06-04T10:00:00Z' }],
  };
  await userEvent.click(await screen.findByRole('button', { name: /^Undo the decision on check K1/ }));
  await screen.findByText('Error: Somebody else undid this.');
  await screen.findByText('Undone');
});

test("read-only users can't decide", async () => {
  replies['POST /desk/feeds/duplicates'] = { body: { checks: [duplicate], more: false } };
  replies['GET /desk/feeds/duplicates/decisions'] = { body: [decision] };
  show(['feeds.watch']);
  await screen.findByText('Clearing House, 1 bill');
  await screen.findByText('Current');
  expect(screen.queryByRole('button', { name: /^(Same check|Two checks|Undo)/ })).toBeNull();
});
