import type { HistoryState } from '@tanstack/react-router';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { signIn } from '@/api/session';
import {
  type Call,
  fakeServer,
  listCalls,
  makeSession,
  makeValue,
  neverReplies,
  type Replies,
} from '@/api/testing';
import type { Session } from '@/api/types';
import { formatOutcome } from '@/shared/billWork';
import { getNextMonday } from '@/shared/nextMonday';
import { showOpenBills } from '@/shared/openBills';
import { getOwner } from '@/shared/owner';
import type { View } from '@/shared/savedViews';
import { makeSum, makeSummary, renderScreens, sampleReasons } from '@/shared/testing';
import { hasUnsavedChanges } from '@/shared/UnsavedChangesGuard';
import { addDays, today } from '@/ui/dates';
import { setSingleKeys } from '@/ui/singleKeys';
import { toast } from '@/ui/Toasts';
import { createTableState } from '@/ui/table/state';
import { formatAnswer } from './answer';
import { describeFilter, noFilters, payerOverdue, read, toCriteria, toFilter } from './criteria';
import { parseAmount } from './filters';
import OpenBillsPage from './OpenBillsPage';
import { toOrder, toSort } from './order';
import type { OpenBill, Work } from './queries';

const drawn: string[] = vi.hoisted(() => []);
vi.mock(import('@/ui/form/Field'), async (original) => {
  const { Field, ...others } = await original();
  return { ...others, Field: (props) => Field({ ...props, id: note(props.id) }) };
});
vi.mock(import('@/ui/table/TableRow'), async (original) => {
  const { TableRow } = await original();
  const noted: typeof TableRow = (props) => <TableRow {...props} id={note(props.id)} />;
  return { TableRow: noted };
});
function note(id: string) {
  drawn.push(id);
  return id;
}

const work: Work = makeValue('OpenBillWork', { version: 2, updatedBy: 'ann' });
const bill = (part: Partial<OpenBill> & { id: string }): OpenBill =>
  makeValue('OpenBill', {
    ftin: '111111111',
    billControlNumber: part.id,
    patientFirstName: 'Ada',
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
    dueBy: 'office',
    changed: 7,
    work,
    ...part,
  });
const summary = makeSummary({
  all: makeSum({ bills: 2 }),
  denied: makeSum({ bills: 2, charge: 125 }),
  payerLate: makeSum({ bills: 3 }),
  ages: [makeSum(), makeSum({ bills: 2 }), makeSum(), makeSum()],
  followUps: 1,
  followed: 125,
});

let calls: Call[];
beforeEach(() => {
  localStorage.clear();
  calls = [];
});

async function show(
  permissions: string[],
  more: Replies = {},
  at = '/work/bills',
  session: Partial<Session> = {},
  state: HistoryState = {},
) {
  calls = fakeServer({
    'POST /work/bills/search': {
      body: { bills: [bill({ id: 'A' }), bill({ id: 'B' })], next: '', asOf: '2026-05-04T09:00:00Z' },
    },
    'POST /work/bills/summary': { body: summary },
    'GET /work/people': { body: [{ userName: 'ann', name: 'Ann Lee' }] },
    'GET /ftin/userFtins/prad.demo': { body: [{ ftin: '111111111' }] as never },
    'GET /work/views': { body: [view()] },
    'GET /work/views/counts': { body: [{ id: 'V', bills: 1234 }] },
    ...more,
  });
  const { router } = renderScreens(
    { '/work/bills': OpenBillsPage, '/work/bills/$id': OpenBillsPage, '/work/bill/$id': () => null },
    makeSession({ permissions, ...session }),
    { at, state },
  );
  await screen.findByRole('link', { name: 'A' });
  return router;
}

const view = (part: Partial<View> = {}): View => ({
  id: 'V',
  name: 'Denied ones',
  shared: false,
  pinned: true,
  position: 0,
  version: 3,
  definition: { filter: { states: ['denied'], marked: 'open' }, columns: ['bill', 'payer'], order: 'newest' },
  dropped: [],
  owner: 'Ann Lee',
  mine: true,
  changeable: true,
  updatedAt: '2026-05-04T09:00:00Z',
  updatedBy: 'ann',
  ...part,
});

const sent = (name: string) => calls.filter(({ call }) => call === name).map(({ body }) => body as Sent);
interface Sent {
  order?: string;
  filter: { states?: string[]; followUps?: boolean; due?: string; reason?: string };
}
const lastFilter = () => sent('POST /work/bills/search').at(-1)?.filter;

/** Opens a filter's fields. */
const openFilter = (name: string) =>
  userEvent.click(within(screen.getByRole('list', { name: 'Filters' })).getByRole('button', { name }));

test('typing in a filter rerenders only that filter, and not the list', async () => {
  await show(['work.bills', 'work.notes']);
  await openFilter('More filters');
  const provider = await screen.findByRole('textbox', { name: 'Provider' });
  await userEvent.click(provider);
  await userEvent.keyboard('B');
  drawn.length = 0;
  await userEvent.keyboard('e');
  expect(new Set(drawn)).toEqual(new Set([provider.id]));
});

test('totals filter the list and count the same bills, with dollars', async () => {
  await show(['work.bills', 'work.notes']);
  const denied = screen.getByRole('button', { name: /^Denied/ });
  expect(denied.textContent).toContain('2 $125.00 charged');
  await userEvent.click(denied);
  expect(denied.getAttribute('aria-pressed')).toBe('true');
  expect(lastFilter()?.states).toEqual(['denied']);
  await userEvent.click(denied);
  expect(lastFilter()?.states).toBeUndefined();
  await userEvent.click(screen.getByRole('button', { name: /^My follow-ups/ }));
  expect(lastFilter()?.followUps).toBe(true);
  const late = screen.getByRole('button', { name: /^Payer overdue/ });
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

test('filters bills by deadline and by adjustment reason', async () => {
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
  expect(screen.getByRole('row', { name: /A.*days overdue.*CO-45 \+1 more reason/ })).toBeTruthy();
  await openFilter('More filters');
  const field = await screen.findByRole('textbox', { name: 'Reason code' });
  await userEvent.type(field, 'CO 45{Enter}');
  expect(await screen.findByText('Error: Enter a code, such as CO-45, 45 or N130')).toBeTruthy();
  await userEvent.clear(field);
  await userEvent.type(field, 'n130{Enter}');
  await waitFor(() => expect(lastFilter()?.reason).toBe('n130'));
});

test("a code has the explanation of the bill's state", async () => {
  await show(['work.bills', 'codes.read'], {
    'GET /codes': { body: sampleReasons },
    'POST /work/bills/search': {
      body: {
        bills: [bill({ id: 'A', reasons: ['CO-45'], jurisdiction: 'CA' })],
        next: '',
        asOf: '2026-05-04T09:00:00Z',
      },
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'CO-45' }));
  await screen.findByText('In California it is other.');
});

test('a bill with only a $0 payment is shown as that, not as denied', async () => {
  await show(['work.bills'], {
    'POST /work/bills/search': {
      body: { bills: [bill({ id: 'A', state: 'nothingPaid' })], next: '', asOf: '2026-05-04T09:00:00Z' },
    },
  });
  expect(screen.getByRole('row', { name: /A.*Paid \$0/ })).toBeTruthy();
});

test('filters apply while typing, are described and removed', async () => {
  await show(['work.bills']);
  await openFilter('More filters');
  const charge = await screen.findByRole('textbox', { name: 'Charge from' });
  await userEvent.type(charge, '1x');
  expect(await screen.findByText('Error: Enter an amount, such as 1234.56')).toBeTruthy();
  expect(sent('POST /work/bills/search')).toHaveLength(1);
  await userEvent.type(charge, '{Backspace}00');
  await waitFor(() => expect(lastFilter()).toEqual({ amountFrom: 100, marked: 'open' }));
  await userEvent.keyboard('{Escape}');
  await openFilter('Age');
  await userEvent.click(await screen.findByRole('button', { name: '31–60' }));
  await waitFor(() =>
    expect(lastFilter()).toEqual({ amountFrom: 100, ageFrom: 31, ageTo: 60, marked: 'open' }),
  );
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter: Charge of 100 or more' }));
  await waitFor(() => expect(lastFilter()).toEqual({ ageFrom: 31, ageTo: 60, marked: 'open' }));
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter: 31–60 days old' }));
  await waitFor(() => expect(lastFilter()).toEqual({ marked: 'open' }));
  expect(screen.queryByRole('button', { name: 'Reset filters' })).toBeNull();
});

test('a range the wrong way round shows so at its field and sends no request', async () => {
  await show(['work.bills']);
  const searches = sent('POST /work/bills/search').length;
  await openFilter('Age');
  const from = await screen.findByRole('textbox', { name: 'Days from' });
  await userEvent.type(screen.getByRole('textbox', { name: 'Days to' }), '30{Enter}');
  await waitFor(() => expect(lastFilter()).toEqual({ ageTo: 30, marked: 'open' }));
  await userEvent.type(from, '60');
  expect(await screen.findByText('Error: Maximum days must be at least the minimum')).toBeTruthy();
  expect(document.activeElement).toBe(from);
  expect(sent('POST /work/bills/search')).toHaveLength(searches + 1);
  await userEvent.clear(from);
  await userEvent.type(from, '20');
  await waitFor(() => expect(lastFilter()).toEqual({ ageFrom: 20, ageTo: 30, marked: 'open' }));
  expect(screen.queryByText('Error: Maximum days must be at least the minimum')).toBeNull();
  await userEvent.keyboard('{Escape}');
  await openFilter('More filters');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Charge from' }), '$1,000.00');
  await userEvent.type(screen.getByRole('textbox', { name: 'Charge to' }), '999{Enter}');
  expect(await screen.findByText('Error: Maximum amount must be at least the minimum')).toBeTruthy();
});

test('what was typed before a panel closes applies', async () => {
  await show(['work.bills'], { 'GET /work/views/payers': { body: [{ name: 'Harbor', bills: 3 }] } });
  await openFilter('Payer');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Payer' }), 'bea{Escape}');
  await waitFor(() => expect(lastFilter()).toEqual({ payer: 'bea', marked: 'open' }));
  await openFilter('Payer bea, change payer');
  await userEvent.click(await screen.findByRole('button', { name: 'Harbor' }));
  await waitFor(() => expect(lastFilter()).toEqual({ payer: 'Harbor', marked: 'open' }));
  await userEvent.click(screen.getByRole('button', { name: 'Reset filters' }));
  await waitFor(() => expect(lastFilter()).toEqual({ marked: 'open' }));
});

test('columns without values are hidden unless the user chooses them', async () => {
  await show(['work.bills', 'work.notes']);
  expect(screen.getByRole('columnheader', { name: 'Payer' })).toBeTruthy();
  expect(screen.queryByRole('columnheader', { name: 'Due' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Columns (10 of 16)' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Due' }));
  expect(screen.getByRole('columnheader', { name: 'Due' })).toBeTruthy();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Payer' }));
  expect(JSON.parse(localStorage.getItem('table open bills') ?? '')).toEqual({
    hidden: ['payer'],
    shown: ['due'],
    compact: false,
  });
  await userEvent.click(screen.getByRole('checkbox', { name: 'Due' }));
  expect(screen.queryByRole('columnheader', { name: 'Due' })).toBeNull();
});

test('Enter opens a bill to work on, and Ctrl+Enter saves it and moves on', async () => {
  await show(['work.bills', 'work.notes'], {
    'PUT /work/bills/work': {
      body: [{ id: 'A', outcome: 'saved', work: { ...work, version: 3 } }],
    },
    'POST /work/bills/B/notes': { status: 204 },
  });
  screen.getByRole('link', { name: 'A' }).focus();
  await userEvent.keyboard('{Enter}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Bill A' }));
  expect(dialog.getByText('Beacon Road denied this bill.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('textbox', { name: 'Note' })));
  await userEvent.keyboard('Called');
  await userEvent.click(dialog.getByRole('button', { name: 'Tomorrow' }));
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await screen.findByRole('dialog', { name: 'Bill B' });
  expect(sent('PUT /work/bills/work')).toEqual([
    {
      body: 'Called',
      followUpOn: addDays(today(), 1),
      bills: [{ id: 'A', version: 2, changed: 7 }],
    },
  ]);
  // The next bill has its own form.
  const field = dialog.getByRole('textbox', { name: 'Note' }) as HTMLTextAreaElement;
  expect(field.value).toBe('');
  await waitFor(() => expect(document.activeElement).toBe(field));
  await userEvent.keyboard('Only a note{Control>}{Enter}{/Control}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent('POST /work/bills/B/notes')).toEqual([{ body: 'Only a note' }]);
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'B' }));
});

test("an overdue follow-up date doesn't keep a note from being saved", async () => {
  const late = bill({ id: 'A', work: { ...work, followUpOn: '2026-05-01' } });
  await show(['work.bills', 'work.notes'], {
    'POST /work/bills/search': { body: { bills: [late], next: '', asOf: '2026-05-04T09:00:00Z' } },
    'POST /work/bills/A/notes': { status: 204 },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Actions for A' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Work on bill' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Bill A' }));
  await userEvent.type(dialog.getByRole('textbox', { name: 'Note' }), 'Called');
  // Tests don't run all of the browser's own checks.
  expect(dialog.getByLabelText<HTMLInputElement>('Follow-up date').min).toBe('');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent('POST /work/bills/A/notes')).toEqual([{ body: 'Called' }]));
});

test.each(['button', 'keyboard'])("an incomplete follow-up date isn't saved by %s", async (by) => {
  await show(['work.bills', 'work.notes'], {
    'POST /work/bills/search': {
      body: { bills: [bill({ id: 'A' })], next: '', asOf: '2026-05-04T09:00:00Z' },
    },
    'POST /work/bills/A/notes': { status: 204 },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Actions for A' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Work on bill' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Bill A' }));
  await userEvent.type(dialog.getByRole('textbox', { name: 'Note' }), 'Called');
  // The browser reports a date without its year as invalid, and as empty.
  const form = dialog.getByLabelText<HTMLInputElement>('Follow-up date').form;
  if (!form) throw new Error('no form');
  vi.spyOn(form, 'checkValidity').mockReturnValue(false);
  if (by === 'button') await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  else await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sent('POST /work/bills/A/notes')).toEqual([]);
});

test('a bill that was not saved stays open with what was typed', async () => {
  await show(['work.bills', 'work.notes'], {
    'PUT /work/bills/work': {
      status: 409,
      body: [{ id: 'A', outcome: 'stale', work: { ...work, version: 4, followUpOn: '2026-05-09' } }] as never,
    },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Actions for A' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Work on bill' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Bill A' }));
  const field = dialog.getByRole('textbox', { name: 'Note' }) as HTMLTextAreaElement;
  await userEvent.type(field, 'Called');
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Assigned to' }), 'ann');
  await userEvent.click(dialog.getByRole('button', { name: 'Save and next' }));
  expect((await dialog.findByRole('alert')).textContent).toBe(
    'Error: Ann Lee just changed bill A: unassigned, follow up on 05/09/2026. Nothing was saved.',
  );
  expect(field.value).toBe('Called');
  await userEvent.type(field, '{Escape}');
  expect(await dialog.findByText("Your changes won't be saved.")).toBeTruthy();
  await userEvent.type(field, '{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test("asks before a bill's changes are lost, and restores them after Back", async () => {
  const router = await show(['work.bills', 'work.notes'], {
    'POST /authenticate': { body: { username: 'x', token: 'token-1' } },
    'GET /session': { body: makeSession() },
    'PUT /session/form-key': { body: { key: btoa('k'.repeat(32)) } },
  });
  await signIn({ username: 'x', password: 'x' });
  const open = async () => {
    (await screen.findByRole('link', { name: 'A' })).focus();
    await userEvent.keyboard('{Enter}');
    return within(await screen.findByRole('dialog', { name: 'Bill A' }));
  };
  const getAssignee = (panel: Awaited<ReturnType<typeof open>>) =>
    panel.getByRole<HTMLSelectElement>('combobox', { name: 'Assigned to' });
  let panel = await open();
  await userEvent.selectOptions(getAssignee(panel), 'Ann Lee');
  expect(hasUnsavedChanges()).toBe(true);
  await waitFor(() => expect(router.history.location.state.typed?.['bill A']).toBeTruthy());
  await act(() => router.navigate({ to: '/work/bill/$id', params: { id: 'A' } }));
  act(() => router.history.back());
  panel = await open();
  await waitFor(() => expect(getAssignee(panel).value).toBe('ann'));
  await userEvent.keyboard('{Escape}');
  expect(await panel.findByText("Your changes won't be saved.")).toBeTruthy();
  await userEvent.click(panel.getByRole('button', { name: 'Discard changes' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(hasUnsavedChanges()).toBe(false);
  expect(getAssignee(await open()).value).toBe('');
});

test("a bill's work can't change while it's saved", async () => {
  await show(['work.bills', 'work.notes'], { 'POST /work/bills/A/notes': neverReplies });
  screen.getByRole('link', { name: 'A' }).focus();
  await userEvent.keyboard('{Enter}');
  const panel = within(await screen.findByRole('dialog', { name: 'Bill A' }));
  const note = panel.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
  await userEvent.type(note, 'Sent{Control>}{Enter}{/Control}');
  await userEvent.type(note, ' not sent');
  await userEvent.click(panel.getByRole('button', { name: 'Tomorrow' }));
  expect(note.value).toBe('Sent');
  expect(panel.getByLabelText<HTMLInputElement>('Follow-up date').value).toBe('');
});

test('a bill marked as done in its panel can be restored', async () => {
  await show(['work.bills', 'work.notes'], anew());
  screen.getByRole('link', { name: 'B' }).focus();
  await userEvent.keyboard('{Enter}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Bill B' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Mark as done' }));
  await screen.findByRole('dialog', { name: 'Bill C' });
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByText('Removed from the list: bill B.')).toBeTruthy();
});

test('the follow-up suggestions are later than today', () => {
  expect(['2026-11-28', '2026-11-29', '2026-11-30'].map(getNextMonday)).toEqual([
    '2026-11-30',
    '2026-11-30',
    '2026-12-07',
  ]);
});

test('each state is explained in a sentence', () => {
  const states = ['received', 'priced', 'denied', 'nothingPaid', 'short', 'takenBack'] as const;
  expect(states.map((state) => formatAnswer(bill({ id: 'A', state, paid: 50, payerName: '' })))).toEqual([
    "The network hasn't repriced this bill yet.",
    "Repriced at $80.00. The payer hasn't paid yet.",
    'The payer denied this bill.',
    'The payer paid $0.00.',
    'The payer paid $50.00 of the $80.00 allowance.',
    'The payer reversed its payment.',
  ]);
});

test('orders and the sorted column match', () => {
  const orders = [
    'due',
    'dueLast',
    'oldest',
    'newest',
    'charge',
    'chargeDesc',
    'payer',
    'payerDesc',
  ] as const;
  expect(orders.map((order) => toOrder(toSort(order)))).toEqual(orders);
  expect(toOrder({ id: 'age', desc: true })).toBe('oldest');
  expect(toOrder(null)).toBe('due');
});

test('keys act on the current row, or on the selection', async () => {
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

test('single-key shortcuts can be turned off in this browser', async () => {
  await show(['work.bills', 'work.notes'], { 'GET /work/bills/A': neverReplies });
  await userEvent.click(screen.getByRole('button', { name: 'Shortcuts' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Use single-key shortcuts' }));
  expect(localStorage.getItem('singleKeys')).toBe('off');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const link = screen.getByRole('link', { name: 'A' });
  act(() => link.focus());
  await userEvent.keyboard('jxc?');
  expect(document.activeElement).toBe(link);
  expect(screen.queryByRole('dialog')).toBeNull();
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByRole('dialog')).toBeTruthy();
  act(() => setSingleKeys(true));
});

/** Responds like the server: without finished bills. */
const anew = () => {
  const done = new Set<string>();
  return {
    'POST /work/bills/search': () => {
      const bills = ['A', 'B', 'C']
        .filter((id) => !done.has(id))
        .map((id) => bill({ id, billControlNumber: id }));
      return { body: { bills, next: '', asOf: '2026-05-04T09:00:00Z' } };
    },
    'PUT /work/bills/work': (body: unknown) => {
      const [{ id } = { id: '' }] = (body as { bills: { id: string }[] }).bills;
      const { marked = 'open' } = body as { marked?: Work['marked'] };
      if (marked === 'done') done.add(id);
      return { body: [{ id, outcome: 'saved' as const, work: { ...work, marked } }] };
    },
  };
};

test("a call logged in the panel keeps the panel's note, and saving it keeps the call's follow-up", async () => {
  const week = addDays(today(), 7);
  let logged = false;
  await show(['work.bills', 'work.notes'], {
    'POST /work/bills/search': () => ({
      body: {
        bills: [
          bill({
            id: 'A',
            ...(logged && {
              work: { ...work, version: 3, followUpOn: week },
              lastCall: { on: today(), outcome: 'other' as const, promisedOn: null },
            }),
          }),
        ],
        next: '',
        asOf: '2026-05-04T09:00:00Z',
      },
    }),
    'POST /work/payer-calls': () => {
      logged = true;
      return { body: { id: 1, failed: [] } };
    },
    'GET /work/bills/A/payer-calls': { body: [] },
    'POST /work/bills/A/notes': { status: 204 },
  });
  screen.getByRole('link', { name: 'A' }).focus();
  await userEvent.keyboard('{Enter}');
  const panel = within(await screen.findByRole('dialog', { name: 'Bill A' }));
  await userEvent.type(panel.getByLabelText('Note'), 'Typed before');
  await userEvent.click(panel.getByRole('button', { name: 'Log payer call' }));
  const call = within(await screen.findByRole('dialog', { name: 'Log payer call' }));
  await userEvent.click(call.getByRole('radio', { name: 'Other' }));
  await userEvent.click(call.getByRole('button', { name: '+7 days' }));
  await userEvent.click(call.getByRole('button', { name: 'Log call' }));
  await waitFor(() => expect(panel.getByLabelText<HTMLInputElement>('Follow-up date').value).toBe(week));
  expect(panel.getByLabelText<HTMLTextAreaElement>('Note').value).toBe('Typed before');
  await userEvent.click(panel.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent('POST /work/bills/A/notes')).toEqual([{ body: 'Typed before' }]));
  expect(sent('PUT /work/bills/work')).toEqual([]);
});

test('the column of payer calls is hidden until the user chooses it, and exports leave it out', async () => {
  const lastCall = { on: '2026-05-01', outcome: 'promised' as const, promisedOn: '2026-05-09' };
  await show(['work.bills', 'work.notes'], {
    'POST /work/bills/search': {
      body: { bills: [bill({ id: 'A', lastCall })], next: '', asOf: '2026-05-04T09:00:00Z' },
    },
  });
  expect(screen.queryByText(/^05\/01\/2026/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /^Columns/ }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Last payer call' }));
  expect(await screen.findByText('05/01/2026 Payment promised for 05/09/2026')).toBeTruthy();
});

test('the selection and the focus stay when the list refetches', async () => {
  await show(['work.bills', 'work.notes'], {
    ...anew(),
    'GET /work/bills/A/notes': { body: [] },
    'POST /work/bills/A/notes': { status: 204 },
  });
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select B' }));
  screen.getByRole('link', { name: 'A' }).focus();
  await userEvent.keyboard('n');
  const dialog = within(await screen.findByRole('dialog'));
  const field = dialog.getByRole('textbox', { name: 'New note' });
  await userEvent.type(field, 'Called');
  dialog.getByRole('button', { name: 'Add note' }).focus();
  await userEvent.keyboard('{Enter}');
  expect(await dialog.findByText('Note added')).toBeTruthy();
  expect(document.activeElement).toBe(field);
  await waitFor(() => expect(sent('POST /work/bills/search')).toHaveLength(2));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'A' }));
  expect((screen.getByRole('checkbox', { name: 'Select B' }) as HTMLInputElement).checked).toBe(true);
});

test('after finishing a bill, the focus moves to the one that took its place', async () => {
  await show(['work.bills', 'work.notes'], anew());
  screen.getByRole('link', { name: 'B' }).focus();
  await userEvent.keyboard('e');
  await waitFor(() => expect(screen.queryByRole('link', { name: 'B' })).toBeNull());
  await waitFor(() => expect(document.activeElement?.textContent).toBe('C'));
  await userEvent.keyboard('e');
  await waitFor(() => expect(screen.queryByRole('link', { name: 'C' })).toBeNull());
  await waitFor(() => expect(document.activeElement?.textContent).toBe('A'));
});

test('a bill removed by mistake is restored', async () => {
  const server = anew();
  await show(['work.bills', 'work.notes'], {
    ...server,
    'PUT /work/bills/work': (body) => {
      const said = server['PUT /work/bills/work'](body);
      return { body: said.body.map((one) => ({ ...one, work: { ...one.work, version: 3 } })) };
    },
  });
  screen.getByRole('link', { name: 'B' }).focus();
  await userEvent.keyboard('e');
  expect(await screen.findByText('Removed from the list: bill B.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(screen.queryByText(/^Removed from the list/)).toBeNull());
  expect(sent('PUT /work/bills/work').at(-1)).toEqual({
    marked: 'open',
    bills: [{ id: 'B', version: 3, changed: 7 }],
  });
});

test('a bill that changed since it was listed stays in the list', async () => {
  const success = vi.spyOn(toast, 'success');
  const error = vi.spyOn(toast, 'error');
  await show(['work.bills', 'work.notes'], {
    'PUT /work/bills/work': (body) => ({
      body: (body as { bills: { id: string }[] }).bills.map(({ id }) => ({
        id,
        outcome: 'saved' as const,
        work: { ...work, version: 3, marked: id === 'A' ? 'open' : 'done' },
      })),
    }),
  });
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select A' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select B' }));
  screen.getByRole('link', { name: 'A' }).focus();
  await userEvent.keyboard('e');
  expect(await screen.findByText('Removed from the list: bill B.')).toBeTruthy();
  expect(success.mock.calls).toEqual([['Marked as done: 1 bill']]);
  expect(error.mock.calls).toEqual([['Bill A changed. Check the change, then mark it as done.']]);
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select A' }).checked).toBe(true);
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select B' }).checked).toBe(false);
});

test('a bill that changed since its panel was opened stays in the list', async () => {
  const success = vi.spyOn(toast, 'success');
  const error = vi.spyOn(toast, 'error');
  await show(['work.bills', 'work.notes'], {
    'PUT /work/bills/work': { body: [{ id: 'A', outcome: 'saved', work: { ...work, version: 3 } }] },
  });
  screen.getByRole('link', { name: 'A' }).focus();
  await userEvent.keyboard('{Enter}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Bill A' }));
  await userEvent.type(dialog.getByRole('textbox', { name: 'Note' }), 'Called');
  await userEvent.click(dialog.getByRole('button', { name: 'Mark as done' }));
  await screen.findByRole('dialog', { name: 'Bill B' });
  await userEvent.keyboard('{Escape}');
  expect(success.mock.calls).toEqual([['Saved: bill A']]);
  expect(error.mock.calls).toEqual([['Bill A changed. Check the change, then mark it as done.']]);
  expect(screen.queryByText(/^Removed from the list/)).toBeNull();
});

test('a held key acts once, and keys work from the heading on', async () => {
  await show(['work.bills', 'work.notes'], anew());
  const heading = screen.getByRole('heading', { name: 'Open bills' });
  heading.tabIndex = -1; // as the shell sets it
  act(() => heading.focus());
  await userEvent.keyboard('j');
  expect(document.activeElement?.textContent).toBe('A');
  await userEvent.keyboard('{e>5/}');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('B'));
  expect(sent('PUT /work/bills/work')).toHaveLength(1);
});

test('nothing is done twice before the list refetches', async () => {
  await show(['work.bills', 'work.notes'], anew());
  const link = screen.getByRole('link', { name: 'A' });
  link.focus();
  fireEvent.keyDown(link, { key: 'e' });
  fireEvent.keyDown(link, { key: 'e' });
  await waitFor(() => expect(screen.queryByRole('link', { name: 'A' })).toBeNull());
  expect(sent('PUT /work/bills/work')).toHaveLength(1);
});

test('selections span pages, and failed bills stay selected', async () => {
  const pages = [['A', 'B'], ['C']].map((ids) =>
    ids.map((id) => bill({ id, billControlNumber: id, ftin: id === 'A' ? '222222222' : '111111111' })),
  );
  await show(['work.bills', 'work.notes'], {
    'POST /work/bills/search': (body) => {
      const after = (body as { after?: string }).after;
      return {
        body: { bills: pages[after ? 1 : 0] ?? [], next: after ? '' : 'B', asOf: '2026-05-04T09:00:00Z' },
      };
    },
    'POST /work/bills/summary': { body: { ...summary, all: makeSum({ bills: 51 }) } },
    'PUT /work/bills/work': {
      body: ['A', 'C'].map((id) => ({
        id,
        outcome: id === 'A' ? ('unseen' as const) : ('saved' as const),
        work,
      })),
    },
  });
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select A' }));
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select C' }));
  expect(screen.getByText('51 found, 2 selected')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Assign' }));
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: /^Assign to/ }), 'ann');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(
    await screen.findByText("Ann Lee doesn't have access to the Tax IDs of 1 bill, so it wasn't changed."),
  ).toBeTruthy();
  expect(sent('PUT /work/bills/work')[0]).toMatchObject({ bills: [{ id: 'A' }, { id: 'C' }] });
  expect(await screen.findByText('51 found, 1 selected')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Clear selection' }));
  expect(await screen.findByText('51 found')).toBeTruthy();
});

test('a selected bill that changed can be changed from another page', async () => {
  const page = (id: string, next: string) => ({ bills: [bill({ id })], next, asOf: '2026-05-04T09:00:00Z' });
  await show(['work.bills', 'work.notes'], {
    'POST /work/bills/search': (body) => ({
      body: (body as { after?: string }).after ? page('C', '') : page('A', 'A'),
    }),
    'POST /work/bills/summary': { body: { ...summary, all: makeSum({ bills: 51 }) } },
    'PUT /work/bills/work': { body: [{ id: 'A', outcome: 'stale', work: { ...work, version: 9 } }] },
  });
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select A' }));
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  await screen.findByRole('checkbox', { name: 'Select C' });
  for (const version of [work.version, 9]) {
    await userEvent.click(screen.getByRole('button', { name: 'Assign' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sent('PUT /work/bills/work').at(-1)).toMatchObject({ bills: [{ id: 'A', version }] }),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
});

test('an inactive assignee who stays chosen is no change', async () => {
  const inactive = { ...work, assignedTo: { userName: 'bo', name: 'Bo Diaz (inactive)' } };
  await show(['work.bills', 'work.notes'], {
    'POST /work/bills/search': {
      body: { bills: [bill({ id: 'A', work: inactive })], next: '', asOf: '2026-05-04T09:00:00Z' },
    },
  });
  screen.getByRole('link', { name: 'A' }).focus();
  await userEvent.keyboard('a');
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent('PUT /work/bills/work')).toEqual([]);
});

test('a filter keeps the chosen order', async () => {
  await show(['work.bills', 'work.notes']);
  await userEvent.click(screen.getByRole('button', { name: /^Charge/ }));
  await waitFor(() => expect(sent('POST /work/bills/search').at(-1)?.order).toMatch(/^charge/));
  const { order } = sent('POST /work/bills/search').at(-1) ?? {};
  await userEvent.click(screen.getByRole('button', { name: /^Denied/ }));
  await waitFor(() => expect(lastFilter()?.states).toEqual(['denied']));
  expect(sent('POST /work/bills/search').at(-1)?.order).toBe(order);
});

test('the call sheet lists selected bills that are done', async () => {
  const done = view({ definition: { filter: { marked: 'done' } } });
  const router = await show(
    ['work.bills', 'work.notes'],
    { 'GET /work/views': { body: [done] } },
    '/work/bills/V',
  );
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select A' }));
  await userEvent.click(screen.getByRole('link', { name: 'Call sheet' }));
  await waitFor(() => expect(router.history.location.pathname).toBe('/work/call-sheet'));
  expect(router.history.location.state.kept?.criteria).toMatchObject({ marked: 'done', bills: ['A'] });
});

test('a question needs bills of one Tax ID, and at most 50', async () => {
  const bills = Array.from({ length: 51 }, (_, at) =>
    bill({ id: at === 0 ? 'A' : `B${at}`, ftin: at === 1 ? '222222222' : '111111111' }),
  );
  await show(['work.bills', 'work.notes', 'cases.own'], {
    'POST /work/bills/search': { body: { bills, next: '', asOf: '2026-05-04T09:00:00Z' } },
    'POST /work/bills/summary': { body: { ...summary, all: makeSum({ bills: 51 }) } },
  });
  const click = (name: string) => userEvent.click(screen.getByRole('checkbox', { name }));
  await click('Select A');
  await click('Select B2');
  expect(screen.getByRole('link', { name: 'Ask about these bills' })).toBeTruthy();
  await click('Select B1');
  expect(screen.queryByRole('link', { name: 'Ask about these bills' })).toBeNull();
  const button = screen.getByRole<HTMLButtonElement>('button', {
    name: 'Ask about these bills',
    description: 'Select bills of one Tax ID.',
  });
  expect(button.disabled).toBe(true);
  await click('Select all rows');
  expect(
    screen.getByRole('button', { name: 'Ask about these bills', description: 'Select up to 50 bills.' }),
  ).toBeTruthy();
});

test('a page stays open when its bills load before the count', async () => {
  let answer = () => {};
  const counted = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const kept = {
    owner: getOwner(makeSession()),
    criteria: null,
    table: createTableState({ pageSize: 10, page: 2 }),
  };
  await show(
    ['work.bills', 'work.notes'],
    {
      'POST /work/bills/summary': async () => {
        await counted;
        return { body: { ...summary, all: makeSum({ bills: 22 }) } };
      },
    },
    '/work/bills',
    {},
    { kept },
  );
  answer();
  expect(await screen.findByText('21-22 of 22')).toBeTruthy();
  expect(calls.filter(({ call }) => call === 'POST /work/bills/search')).toMatchObject([
    { body: { skip: 20 } },
  ]);
});

test('the counts refetch with the list', async () => {
  const counts = { fail: false };
  await show(['work.bills', 'work.notes'], {
    'POST /work/bills/summary': () =>
      counts.fail ? { status: 500 } : { body: { ...summary, all: makeSum({ bills: 401 }) } },
  });
  counts.fail = true;
  await userEvent.click(screen.getByRole('button', { name: /^Denied/ }));
  const again = await screen.findByRole('button', { name: 'Try again' });
  counts.fail = false;
  await userEvent.click(again);
  expect(await screen.findByText('401 found')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('users of several offices see the office of each bill, or its Tax ID if the name is ambiguous', async () => {
  const tins = ['111111111', '222222222', '333333333'];
  const names = ['Lakeside', 'Northern', 'Northern'];
  await show(['work.notes', 'directory.lookup'], {
    'POST /work/bills/search': {
      body: {
        bills: ['A', 'B'].map((id, at) => bill({ id, ftin: tins[at] })),
        next: '',
        asOf: '2026-05-04T09:00:00Z',
      },
    },
    'GET /ftin/userFtins/prad.demo': { body: tins.map((ftin) => ({ ftin })) as never },
    'GET /provider/officeNames': {
      body: tins.map((ftin, at) => ({ ftin, name: names[at] ?? '', names: 1 })),
    },
  });
  expect((await screen.findByTitle('Tax ID 111111111, Lakeside')).textContent).toBe(
    'Lakeside Tax ID 111111111',
  );
  expect(screen.getByTitle('Tax ID 222222222, Northern').textContent).toBe('Tax ID 222222222');
});

test("an unsaved note isn't lost, neither by Escape nor by editing another one", async () => {
  const note = {
    id: 4,
    author: 'Ann Lee',
    at: '2026-05-04T09:00:00Z',
    body: 'Called on Monday',
    editedAt: null,
    struckAt: null,
    mine: true,
    fresh: true,
  };
  await show(['work.bills', 'work.notes'], {
    'GET /work/bills/A/notes': { body: [note] },
    'PUT /work/bills/A/notes/4': { status: 204 },
  });
  screen.getByRole('link', { name: 'A' }).focus();
  await userEvent.keyboard('n');
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByRole('textbox', { name: 'New note' }), 'A new one');
  await userEvent.keyboard('{Escape}');
  expect((await dialog.findByRole('alert')).textContent).toBe("Your changes won't be saved.");
  expect(dialog.getByRole('button', { name: 'Discard changes' })).toBeTruthy();
  await userEvent.click(await dialog.findByRole('button', { name: 'Edit' }));
  const changed = dialog.getByRole('textbox', { name: 'Edit note' }) as HTMLTextAreaElement;
  expect(changed.value).toBe('Called on Monday');
  await userEvent.type(changed, ', twice');
  await userEvent.click(dialog.getByRole('button', { name: 'Save note' }));
  await waitFor(() =>
    expect((dialog.getByRole('textbox', { name: 'New note' }) as HTMLTextAreaElement).value).toBe(
      'A new one',
    ),
  );
  await userEvent.keyboard('{Escape}{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a repeated problem of a view is announced again', async () => {
  await show(['work.bills', 'work.notes']);
  await userEvent.click(screen.getByRole('button', { name: 'Save view' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  const first = dialog.getByRole('alert');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(dialog.getByRole('alert')).not.toBe(first);
});

test('a view opens with its filter, columns and order, and counts', async () => {
  await show(
    ['work.bills', 'work.notes'],
    { 'GET /work/views': { body: [view({ dropped: ['filter weather'] })] } },
    '/work/bills/V',
  );
  expect(sent('POST /work/bills/search')[0]).toMatchObject({
    filter: { states: ['denied'], marked: 'open' },
    order: 'newest',
  });
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Select',
    'Bill',
    'Payer',
    'Actions',
  ]);
  expect(await screen.findByRole('link', { name: 'Denied ones 1,234', current: 'page' })).toBeTruthy();
  expect(screen.getByText(/no longer supported: filter weather\./)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'View' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^Paid below allowance/ }));
  expect(screen.getByRole('button', { name: 'View (changed)' })).toBeTruthy();
});

test("a Tax ID that the user doesn't have shows so in the filter, and its view has no tab", async () => {
  const foreign = { mine: false, definition: { filter: { tins: ['333333333'], marked: 'open' as const } } };
  const views = [
    view({ id: 'W', name: 'Another site', ...foreign }),
    view({ id: 'X', name: 'One more site', ...foreign }),
    view({ id: 'Y', name: 'A site I had', ...foreign, mine: true }),
  ];
  await show(['work.bills', 'work.notes'], { 'GET /work/views': { body: views } }, '/work/bills/W');
  await openFilter('More filters');
  const field = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Tax ID (TIN)' });
  expect(field.selectedOptions[0]?.textContent).toBe('333333333 not your Tax ID');
  const tabs = within(screen.getByRole('navigation', { name: 'Views' })).getAllByRole('link');
  expect(tabs.map(({ textContent }) => textContent?.trim())).toEqual(['All', 'Another site', 'A site I had']);
  expect(screen.getByRole('button', { name: 'More views (1)' })).toBeTruthy();
});

test('a view of an inactive assignee shows so in the filter, where it can be cleared', async () => {
  const definition = { filter: { assigned: 'bo', marked: 'open' as const } };
  await show(
    ['work.bills', 'work.notes'],
    { 'GET /work/views': { body: [view({ definition })] } },
    '/work/bills/V',
  );
  await openFilter('Assigned to bo (inactive), change assigned to');
  const field = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Assigned to' });
  expect(field.selectedOptions[0]?.textContent).toBe('bo (inactive)');
  await userEvent.selectOptions(field, 'Anyone');
  await waitFor(() => expect(lastFilter()).toEqual({ marked: 'open' }));
});

test("an empty view of a Tax ID that the user doesn't have says so", async () => {
  const definition = { filter: { tins: ['333333333'], marked: 'open' as const } };
  const hasTins = (body: unknown) => JSON.stringify(body).includes('333333333');
  await show(['work.bills', 'work.notes'], {
    'GET /work/views': { body: [view({ name: 'A site I had', definition })] },
    'POST /work/bills/summary': (body) => ({
      body: hasTins(body) ? { ...summary, all: makeSum() } : summary,
    }),
    'POST /work/bills/search': (body) => ({
      body: {
        bills: hasTins(body) ? [] : [bill({ id: 'A' })],
        next: '',
        asOf: '2026-05-04T09:00:00Z',
      },
    }),
  });
  await userEvent.click(screen.getByRole('link', { name: /^A site I had/ }));
  expect(await screen.findByText("You don't have access to Tax ID 333333333.")).toBeTruthy();
  expect(screen.queryByText("You're all caught up.")).toBeNull();
});

test('the slower user of a view sees both versions and saves one', async () => {
  const faster = view({
    name: 'Faster',
    version: 4,
    updatedBy: 'bo',
    definition: { filter: { marked: 'done' } },
  });
  await show(
    ['work.bills', 'work.notes'],
    {
      'GET /work/views': { body: [view()] },
      'PUT /work/views/V': [
        { status: 409, body: faster as never },
        { body: view({ name: 'Mine', version: 5 }) },
      ],
    },
    '/work/bills/V',
  );
  await userEvent.click(screen.getByRole('button', { name: 'View' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Rename or share' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.clear(dialog.getByRole('textbox', { name: /Name/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(dialog.getByText('Error: Enter a name')).toBeTruthy();
  await userEvent.type(dialog.getByRole('textbox', { name: /Name/ }), 'Mine');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('bo changed this view while you were editing.')).toBeTruthy();
  expect(dialog.getByText('Faster')).toBeTruthy();
  expect(dialog.getByText('Denied')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Save mine' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const puts = calls.filter(({ call }) => call === 'PUT /work/views/V').map(({ body }) => body);
  expect(puts).toMatchObject([
    { name: 'Mine', version: 3 },
    { name: 'Mine', version: 4 },
  ]);
});

test("a colleague's change that arrives while a view is open isn't overwritten", async () => {
  const newer = view({ version: 4, updatedBy: 'bo', definition: { filter: { marked: 'done' } } });
  const saved = view({ version: 5 });
  await show(
    ['work.bills', 'work.notes'],
    {
      'GET /work/views': [{ body: [view()] }, { body: [newer] }],
      'POST /work/views': { status: 500 },
      'PUT /work/views/V': [{ status: 409, body: newer as never }, { body: saved }],
    },
    '/work/bills/V',
  );
  await userEvent.click(screen.getByRole('button', { name: /^Paid below allowance/ }));
  const choose = async (name: string) => {
    await userEvent.click(screen.getByRole('button', { name: /^View/ }));
    await userEvent.click(await screen.findByRole('menuitem', { name }));
  };
  // A save that fails refetches the views.
  await choose('Save as new view');
  const naming = within(await screen.findByRole('dialog'));
  await userEvent.type(naming.getByRole('textbox', { name: /Name/ }), 'Another');
  await userEvent.click(naming.getByRole('button', { name: 'Save' }));
  await naming.findByRole('alert');
  await userEvent.click(naming.getByRole('button', { name: 'Cancel' }));
  await choose('Save changes');
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('bo changed this view while you were editing.')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Save mine' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await choose('Save changes');
  await waitFor(() =>
    expect(sent('PUT /work/views/V')).toMatchObject([{ version: 3 }, { version: 4 }, { version: 5 }]),
  );
});

test('users without a view get suggestions, with dates relative to today', async () => {
  const router = await show(['work.bills', 'work.notes'], {
    'GET /work/views': [{ body: [] }, { body: [view()] }],
    'GET /work/views/payers': { body: [{ name: 'Beacon Road', bills: 7 }] },
    'POST /work/views': { body: view() },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Suggested views' }));
  expect(await screen.findByRole('menuitem', { name: 'Beacon Road' })).toBeTruthy();
  await userEvent.click(screen.getByRole('menuitem', { name: 'Denied this month' }));
  const made = calls.filter(({ call }) => call === 'POST /work/views').map(({ body }) => body);
  expect(made).toMatchObject([
    { name: 'Denied this month', definition: { filter: { states: ['denied'], answered: 'thisMonth' } } },
  ]);
  await waitFor(() => expect(router.state.location.pathname).toBe('/work/bills/V'));
});

test('a saved view restores unchanged', () => {
  const filter = {
    states: ['denied' as const],
    ageFrom: 15,
    tins: ['111111111'],
    payer: 'Beacon',
    amountFrom: 12.5,
    mine: true,
    noted: true,
    due: 'week' as const,
    reason: 'CO-45',
    answered: 'last7' as const,
    shortFrom: 50.01,
    marked: 'parked' as const,
  };
  expect(JSON.parse(JSON.stringify(toFilter(toCriteria(filter))))).toEqual(filter);
  expect(describeFilter(filter, (name) => name)).toBe(
    'Denied, service at least 15 days ago, Tax ID 111111111, payer Beacon, charge of 12.5 or more, paid or denied last 7 days, underpaid by 50.01 or more, due within 7 days, reason code CO-45, assigned to the viewer, with notes, snoozed',
  );
  expect(toFilter(toCriteria({ unassigned: true })).unassigned).toBe(true);
  expect(toFilter(toCriteria({ assigned: 'bo' })).assigned).toBe('bo');
});

test('only the selected bills are shown, then all again', async () => {
  const of = (pages: string[]) => read(showOpenBills('me', pages).kept.criteria);
  expect(toFilter(of(['a', 'b']) ?? noFilters)).toMatchObject({ bills: ['a', 'b'], marked: 'open' });
  expect(of(Array.from({ length: 600 }, (_, n) => `${n}`))?.bills).toHaveLength(500);
});

test('administrators see who lost bills, list them and dismiss the alert', async () => {
  const loss = { id: 9, name: 'Julia Perez', ftin: '123456789', bills: 12, at: '2026-05-04T09:00:00Z' };
  await show(['work.bills', 'work.notes', 'work.lead'], {
    'GET /work/lost-assignments': [{ body: [loss] }, { body: [] }],
    'DELETE /work/lost-assignments/9': { status: 204 },
  });
  expect(
    await screen.findByText('Julia Perez lost access to 123456789. 12 bills are now unassigned.'),
  ).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }), { detail: 2 });
  await userEvent.click(screen.getByRole('button', { name: 'Show bills' }));
  expect(sent('DELETE /work/lost-assignments/9')).toEqual([]);
  expect(lastFilter()).toEqual({ lost: 9, marked: 'open' });
  expect(
    screen.getByText('Showing bills left unassigned when Julia Perez lost access to 123456789.'),
  ).toBeTruthy();
  expect((screen.getByRole('button', { name: 'Save view' }) as HTMLButtonElement).disabled).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByText(/Julia Perez no longer/)).toBeNull());
});

test('the filtered list is exported in the background, with the visible columns', async () => {
  const file = {
    id: 'F',
    status: 'waiting' as const,
    bills: 2,
    done: 1,
    createdAt: '2026-05-04T09:00:00Z',
    expiresAt: '2026-05-11T09:00:00Z',
    withheld: false,
  };
  await show(['work.bills'], {
    'GET /work/exports': [
      { body: [] },
      { body: [file] },
      { body: [{ ...file, status: 'done', done: 2 }] },
      { body: [] },
    ],
    'POST /work/bills/export': { body: file },
    'DELETE /work/exports/F': { status: 204 },
  });
  await userEvent.click(screen.getByRole('button', { name: /^Columns/ }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Payer' }));
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('button', { name: /^Denied/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Export' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Export' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Create file' }));
  const [asked] = sent('POST /work/bills/export') as { filter: object; columns?: string[] }[];
  expect(asked?.filter).toEqual({ states: ['denied'], marked: 'open' });
  expect(asked?.columns).not.toContain('payer');
  expect(asked?.columns).toContain('claimant');
  expect(await dialog.findByRole('progressbar')).toBeTruthy();
  expect(dialog.getByRole('status').textContent).toBe('Creating the file…');
  expect(await dialog.findByRole('link', { name: /^CSV/ }, { timeout: 5000 })).toBeTruthy();
  expect(dialog.getByRole('status').textContent).toBe('Your file is ready.');
  const remove = dialog.getByRole('button', { name: /^Delete/ });
  fireEvent.click(remove, { detail: 2 });
  await userEvent.hover(remove);
  expect(listCalls(calls)).not.toContain('DELETE /work/exports/F');
  await userEvent.click(remove);
  await waitFor(() => expect(dialog.queryByRole('link', { name: /^CSV/ })).toBeNull());
});

test("users with several offices see each bill's office; users with one don't", async () => {
  await show(['work.bills']);
  expect(screen.queryByText(/Tax ID 1{9}/)).toBeNull();
  cleanup();
  await show(['work.bills'], {
    'GET /ftin/userFtins/prad.demo': { body: [{ ftin: '111111111' }, { ftin: '222222222' }] as never },
  });
  expect(screen.getByRole('row', { name: /^A Tax ID 111111111/ })).toBeTruthy();
});

test("a file with a Tax ID that the user lost isn't offered", async () => {
  const file = {
    id: 'F',
    status: 'done' as const,
    bills: 2,
    done: 2,
    createdAt: '2026-05-04T09:00:00Z',
    expiresAt: '2026-05-11T09:00:00Z',
    withheld: true,
  };
  await show(['work.bills'], { 'GET /work/exports': { body: [file] } });
  await userEvent.click(screen.getByRole('button', { name: 'Export' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Export' }));
  expect(await dialog.findByText('Your Tax IDs have changed. Export the list again.')).toBeTruthy();
  expect(dialog.queryByRole('link', { name: /^CSV/ })).toBeNull();
  expect(dialog.getByRole('button', { name: /^Delete/ })).toBeTruthy();
});

test("too many bills for a file are reported before it's created", async () => {
  const many = { ...summary, all: makeSum({ bills: 20_001 }) };
  await show(['work.bills'], {
    'POST /work/bills/summary': { body: many },
    'GET /work/exports': { body: [] },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Export' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/up to 20,000 bills, but this list has 20,001/)).toBeTruthy();
  expect((dialog.getByRole('button', { name: 'Create file' }) as HTMLButtonElement).disabled).toBe(true);
});

test('selected bills are followed', async () => {
  await show(['work.bills', 'work.notes'], { 'PUT /work/watches': { body: { bills: 1 } } });
  await userEvent.click(screen.getByRole('checkbox', { name: /A/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Follow' }));
  expect(await screen.findByText("You're following 1 bill. Updates appear in Today.")).toBeTruthy();
  expect(sent('PUT /work/watches')).toEqual([{ bills: ['A'], of: 'bill', watched: true }]);
});

test('users who mirror only see the bills, with a message', async () => {
  const { user } = makeSession();
  await show(['work.bills', 'work.notes', 'work.lead'], {}, '/work/bills', {
    mirroredUser: user,
  });
  expect(screen.getByText(/^While mirroring, you don't see the group's assignments/)).toBeTruthy();
  expect(screen.queryByRole('checkbox', { name: /A/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /^My follow-ups/ })).toBeNull();
  expect(screen.queryByRole('combobox', { name: /^Assigned/ })).toBeNull();
  expect(screen.queryByRole('columnheader', { name: /^Follow-up/ })).toBeNull();
  expect(calls.map(({ call }) => call)).not.toContain('GET /work/people');
});

test('users without a group see the list read-only', async () => {
  await show(['work.bills']);
  expect(screen.queryByRole('checkbox', { name: /A/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull();
});

test("other users' changes are reported", () => {
  const bills = [bill({ id: 'A' }), bill({ id: 'B' }), bill({ id: 'C' })];
  expect(
    formatOutcome(
      [
        {
          id: 'A',
          outcome: 'stale',
          work: { ...work, assignedTo: { userName: 'bo', name: 'Bo Diaz' }, followUpOn: '2026-06-01' },
        },
        { id: 'B', outcome: 'gone', work },
        { id: 'C', outcome: 'saved', work },
        { id: 'D', outcome: 'unseen', work },
        { id: 'E', outcome: 'unseen', work },
      ],
      bills,
      (userName) => (userName === 'ann' ? 'Ann Lee' : userName),
      'Bo Diaz',
    ),
  ).toBe(
    "Ann Lee just changed bill A: assigned to Bo Diaz, follow up on 06/01/2026. Bo Diaz doesn't have access to the Tax IDs of 2 bills, so they weren't changed. 1 bill is no longer available.",
  );
});

test('parses typed amounts', () => {
  expect(['', ' $1,234.5 ', '12', '12.345', 'x', '-1'].map(parseAmount)).toEqual([
    undefined,
    1234.5,
    12,
    null,
    null,
    null,
  ]);
});

test('totals ignore the filters that they set', () => {
  const criteria = { ...noFilters, states: ['denied' as const], ageFrom: '91', tin: '111111111' };
  expect(toFilter(criteria).states).toEqual(['denied']);
  expect(toFilter(criteria, 'totals').states).toBeUndefined();
  expect(toFilter(criteria, 'totals').ageFrom).toBe(91);
  expect(toFilter({ ...noFilters, due: 'passed' }, 'totals').due).toBe('passed');
  expect(toFilter({ ...noFilters, ...payerOverdue }, 'totals').due).toBeUndefined();
});

test('history state of another version is ignored', () => {
  expect(read({ ...noFilters, ageFrom: 'x' })).toBeNull();
  const { reason: _, bills: __, ...before } = noFilters;
  expect(read(before)).toBeNull();
  expect(read(noFilters)).toEqual(noFilters);
});

test("selected bills that aren't open are counted, unless another filter leaves out some", async () => {
  const session = makeSession();
  await show(
    ['work.bills', 'work.notes'],
    {},
    '/work/bills',
    {},
    showOpenBills(getOwner(session), ['A', 'B', 'C']),
  );
  const selected = 'Showing only the 3 bills you selected.';
  expect(await screen.findByText(`${selected} 1 of 3 isn't open.`)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^Denied/ }));
  expect(await screen.findByText(selected)).toBeTruthy();
});

test('the payer filter takes the longest name', () => {
  const criteria = { ...noFilters, payer: 'x'.repeat(128) };
  expect(read(criteria)).toEqual(criteria);
});
