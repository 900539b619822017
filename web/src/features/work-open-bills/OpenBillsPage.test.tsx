import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
} from '@tanstack/react-router';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Call, type Replies, serve, sessionOf } from '@/api/testing';
import { renderScreen } from '@/shared/testing';
import * as window_ from '@/ui/window';
import { amountOf, everything, filterOf, payerLate, read } from './criteria';
import OpenBillsPage from './OpenBillsPage';
import type { OpenBill, Sum, Work } from './queries';
import { outcomeText } from './WorkDialog';

const work: Work = {
  version: 2,
  marked: 'open',
  until: null,
  followUpOn: null,
  notes: 0,
  updatedAt: null,
  updatedBy: 'ann',
};
const bill = (part: Partial<OpenBill> & { id: string }): OpenBill => ({
  ftin: '111111111',
  billControlNumber: part.id,
  patientFirstName: 'Ada',
  patientMiddleName: '',
  patientLastName: 'Ortiz',
  beginServiceDate: '2026-04-02',
  age: 32,
  payerName: 'Beacon Road',
  provider: 'Lee, Kim',
  state: 'denied',
  charge: 100,
  allowance: 80,
  paid: 0,
  difference: 80,
  due: null,
  dueBy: 'office',
  reasons: [],
  changed: 7,
  work,
  ...part,
});
const none: Sum = { bills: 0, charge: 0, allowance: 0, paid: 0, short: 0 };
const summary = {
  all: { ...none, bills: 2 },
  received: none,
  priced: none,
  denied: { ...none, bills: 2 },
  short: none,
  takenBack: none,
  payerLate: { ...none, bills: 3 },
  ages: [none, { ...none, bills: 2 }, none, none],
  undated: none,
  followUps: 1,
  asOf: '2026-05-04T09:00:00Z',
};

let calls: Call[];
beforeEach(() => {
  calls = [];
});

async function show(permissions: string[], more: Replies = {}) {
  calls = serve({
    'POST /work/bills/search': {
      body: { bills: [bill({ id: 'A' }), bill({ id: 'B' })], next: '', asOf: '2026-05-04T09:00:00Z' },
    },
    'POST /work/bills/summary': { body: summary },
    'GET /work/people': { body: [{ userName: 'ann', name: 'Ann Lee' }] },
    'GET /ftin/userFtins/prad.demo': { body: [{ ftin: '111111111' }] as never },
    ...more,
  });
  const root = createRootRoute({ component: Outlet });
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({ getParentRoute: () => root, path: '/work/bills', component: OpenBillsPage }),
      createRoute({ getParentRoute: () => root, path: '/work/bill/$id', component: () => null }),
    ]),
    history: createMemoryHistory({ initialEntries: ['/work/bills'] }),
  });
  renderScreen(router, sessionOf({ permissions }));
  await screen.findByRole('link', { name: 'A' });
}

const sent = (name: string) => calls.filter(({ call }) => call === name).map(({ body }) => body as Sent);
interface Sent {
  filter: { states?: string[]; followUps?: boolean; due?: string; reason?: string };
}
const lastFilter = () => sent('POST /work/bills/search').at(-1)?.filter;

test('tiles narrow the list and count what they narrow', async () => {
  await show(['work.bills', 'work.notes']);
  const denied = screen.getByRole('button', { name: /^Denied/ });
  expect(denied.textContent).toContain('2');
  await userEvent.click(denied);
  expect(denied.getAttribute('aria-pressed')).toBe('true');
  expect(lastFilter()?.states).toEqual(['denied']);
  await userEvent.click(denied);
  expect(lastFilter()?.states).toBeUndefined();
  await userEvent.click(screen.getByRole('button', { name: /^My follow-ups/ }));
  expect(lastFilter()?.followUps).toBe(true);
  const late = screen.getByRole('button', { name: /^Past the payer's time/ });
  expect(late.textContent).toContain('3');
  await userEvent.click(late);
  expect(lastFilter()).toEqual({ states: ['received', 'priced'], due: 'passed', marked: 'open' });
  expect(late.getAttribute('aria-pressed')).toBe('true');
  await userEvent.click(denied);
  expect(lastFilter()).toEqual({ states: ['denied'], marked: 'open' });
  await userEvent.click(late);
  await userEvent.click(late);
  expect(lastFilter()).toEqual({ marked: 'open' });
});

test('bills are asked for by what is due and why they were cut', async () => {
  await show(['work.bills'], {
    'POST /work/bills/search': {
      body: {
        bills: [
          bill({ id: 'A', due: '2020-01-02', reasons: ['CO-45', 'N130'] }),
          bill({ id: 'B', due: '2999-01-02' }),
        ],
        next: '',
        asOf: '2026-05-04T09:00:00Z',
      },
    },
  });
  expect(screen.getByRole('row', { name: /A.*01\/02\/2020.*CO-45.*N130/ })).toBeTruthy();
  const field = screen.getByRole('textbox', { name: 'Reason code' });
  await userEvent.type(field, 'CO 45{Enter}');
  expect(await screen.findByText('Enter a code, such as CO-45, 45 or N130')).toBeTruthy();
  await userEvent.clear(field);
  await userEvent.type(field, 'n130{Enter}');
  await waitFor(() => expect(lastFilter()?.reason).toBe('n130'));
});

test('keys act on the row one is at, or on what is chosen', async () => {
  await show(['work.bills', 'work.notes'], { 'PUT /work/bills/work': { body: [] } });
  await userEvent.click(screen.getByRole('checkbox', { name: /A/ }));
  screen.getByRole('link', { name: 'A' }).focus();
  await userEvent.keyboard('jx');
  expect(document.activeElement?.textContent).toBe('B');
  await userEvent.keyboard('e');
  expect(sent('PUT /work/bills/work')).toEqual([
    {
      marked: 'done',
      bills: [
        { id: 'A', version: 2, changed: 7 },
        { id: 'B', version: 2, changed: 7 },
      ],
    },
  ]);
  await userEvent.keyboard('?');
  expect(within(await screen.findByRole('dialog')).getByText('Next bill')).toBeTruthy();
});

test('all that the filter leaves is exported, part after part', async () => {
  const saved = vi.spyOn(window_, 'download').mockImplementation(() => {});
  const parts = ['X', 'Y'].map((id, index) => ({
    body: { bills: [bill({ id })], next: index === 0 ? 'more' : '', asOf: '2026-05-04T09:00:00Z' },
  }));
  await show(['work.bills']);
  calls = serve({ 'POST /work/bills/search': parts });
  await userEvent.click(screen.getByRole('button', { name: 'Export' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Comma-separated (CSV)' }));
  await waitFor(() => expect(saved).toHaveBeenCalled());
  const [file, name] = saved.mock.calls[0] ?? [];
  expect(name).toBe('OpenBills.csv');
  const lines = (await file?.text())?.trim().split('\r\n') ?? [];
  expect(lines.map((line) => line.split(',')[0]?.replace('\uFEFF', ''))).toEqual(['Bill', 'X', 'Y']);
  expect(calls.map(({ body }) => (body as { after?: string }).after)).toEqual([undefined, 'more']);
});

test('who has no group reads the list and changes nothing', async () => {
  await show(['work.bills']);
  expect(screen.queryByRole('checkbox', { name: /A/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull();
});

test('what others changed meanwhile is told', () => {
  const bills = [bill({ id: 'A' }), bill({ id: 'B' }), bill({ id: 'C' })];
  expect(
    outcomeText(
      [
        {
          id: 'A',
          outcome: 'stale',
          work: { ...work, assignedTo: { userName: 'bo', name: 'Bo Diaz' }, followUpOn: '2026-06-01' },
        },
        { id: 'B', outcome: 'gone', work },
        { id: 'C', outcome: 'saved', work },
      ],
      bills,
    ),
  ).toBe(
    'ann has changed A meanwhile: assigned to Bo Diaz, follow up on 06/01/2026. 1 is not among the bills that this can be done with.',
  );
});

test('amounts are read as people type them', () => {
  expect(['', ' $1,234.5 ', '12', '12.345', 'x', '-1'].map(amountOf)).toEqual([
    undefined,
    1234.5,
    12,
    null,
    null,
    null,
  ]);
});

test('tiles and bars count beyond what they choose', () => {
  const criteria = { ...everything, states: ['denied' as const], age: 3, tin: '111111111' };
  expect(filterOf(criteria).states).toEqual(['denied']);
  expect(filterOf(criteria, 'tiles').states).toBeUndefined();
  expect(filterOf(criteria, 'tiles').to).toBeDefined();
  expect(filterOf(criteria, 'ages').to).toBeUndefined();
  expect(filterOf(criteria, 'ages').states).toEqual(['denied']);
  expect(filterOf(criteria).from).toBeUndefined();
  expect(filterOf({ ...everything, due: 'passed' }, 'tiles').due).toBe('passed');
  expect(filterOf({ ...everything, ...payerLate }, 'tiles').due).toBeUndefined();
  expect(filterOf({ ...everything, ...payerLate }, 'ages').due).toBe('passed');
});

test('what the history keeps of another version is not taken', () => {
  expect(read({ ...everything, age: 9 })).toBeNull();
  expect(read(everything)).toEqual(everything);
});
