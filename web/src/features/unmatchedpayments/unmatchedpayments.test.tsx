import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
} from '@tanstack/react-router';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { bearer } from '@/api/client';
import { configure, fakeServer, makeSession, type Replies } from '@/api/testing';
import { renderScreen } from '@/shared/testing';
import type { Decision, Duplicate, MatchDecision, Unmatched } from './queries';
import UnmatchedPage from './UnmatchedPage';
import { describeDifference } from './wording';

let replies: Replies;

const bill: Unmatched = {
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

beforeEach(async () => {
  bearer.token = 'token-1';
  await configure({});
  replies = {
    'POST /desk/feeds/unmatched': { body: { bills: [bill], next: '' } },
    'GET /desk/feeds/joins': { body: [] },
    'POST /desk/feeds/duplicates': { body: { checks: [], more: false } },
    'GET /desk/feeds/duplicates/decisions': { body: [] },
    'POST /desk/feeds/unmatched/candidates': {
      body: {
        made: bill,
        candidates: [
          {
            bill: {
              ...bill,
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
            bill: { ...bill, id: 'sealed-3', number: 'N2', paid: null, paidOn: null, check: '' },
            differences: [
              { what: 'DAY', paid: '2026-01-05', sent: '2026-01-06' },
              { what: 'CHARGE', paid: '100.00', sent: '90.00' },
            ],
            joinable: false,
          },
        ],
      },
    },
  };
  fakeServer(replies);
});

function show(permissions = ['feeds.watch', 'feeds.manage']) {
  const root = createRootRoute({ component: Outlet });
  const routeTree = root.addChildren([
    createRoute({ getParentRoute: () => root, path: '/desk/unmatched', component: UnmatchedPage }),
  ]);
  renderScreen(
    createRouter({ routeTree, history: createMemoryHistory({ initialEntries: ['/desk/unmatched'] }) }),
    makeSession({ permissions }),
  );
}

test('shows why nothing matched; a payment with one difference is matched after confirmation', async () => {
  show();
  await userEvent.click(await screen.findByRole('button', { name: /^Find bill/ }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText("Claimant's first name: Bob on the payment, Robert on the bill");
  dialog.getByText('Too many differences');
  dialog.getByText('$0');
  expect(dialog.queryByRole('button', { name: /to N2/ })).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: /^Match… to N1/ }));
  dialog.getByText('Match this payment to bill N1?');
  // The total includes the bill's existing payments.
  dialog.getByText(
    /^This bill already shows \$70\.00 on 02\/01\/2026, check K0\. If you match this payment, both count/,
  );
  replies['POST /desk/feeds/joins'] = {
    status: 409,
    body: { message: 'Somebody has said already what becomes of this payment.', code: 'CONFLICT' },
  };
  await userEvent.click(dialog.getByRole('button', { name: 'Match' }));
  await dialog.findByText(/Somebody has said already/);
  replies['POST /desk/feeds/joins'] = { status: 204 };
  await userEvent.click(dialog.getByRole('button', { name: /^Match… to N1/ }));
  replies['POST /desk/feeds/unmatched'] = { body: { bills: [], next: '' } };
  await userEvent.click(dialog.getByRole('button', { name: 'Match' }));
  await screen.findByText('Payment matched');
  await screen.findByText('All payments are matched');
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
  await userEvent.click(await screen.findByRole('button', { name: /^Find bill/ }));
  await screen.findByText("Claimant's first name: Bob on the payment, Robert on the bill");
  expect(screen.queryByRole('button', { name: /^Match…/ })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull();
});

test('users without access see so', async () => {
  show([]);
  await screen.findByText("You don't have access");
});

test('formats differences', () => {
  expect(describeDifference({ what: 'DAY', paid: '2026-01-05', sent: '2026-01-06' })).toBe(
    'First date of service: 01/05/2026 on the payment, 01/06/2026 on the bill',
  );
  expect(describeDifference({ what: 'CHARGE', paid: '100.00', sent: '90.00' })).toBe(
    'Charge: $100.00 on the payment, $90.00 on the bill',
  );
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
