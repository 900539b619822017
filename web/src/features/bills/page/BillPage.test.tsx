import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { bearer } from '@/api/client';
import { configure, fakeServer, makeSession, makeUser, type Replies } from '@/api/testing';
import { getNextMonday, offersMonday } from '@/shared/nextMonday';
import { renderScreens } from '@/shared/testing';
import { addDays, today } from '@/ui/dates';
import { toast } from '@/ui/Toasts';
import BillPage from './BillPage';
import type { Page } from './queries';
import { makeLine, makePage } from './testing';
import type { Work } from './work';

let replies: Replies;
let asked: string[];

beforeEach(async () => {
  bearer.token = 'token-1';
  asked = [];
  await configure({});
  replies = {};
  fakeServer(replies);
});

function show(page: Page | null, id = 'sealed-1', part: Parameters<typeof makeSession>[0] = {}) {
  for (const page of ['sealed-1', 'sealed-2'])
    replies[`GET /work/bills/${page}/watched`] = { body: { bill: false, claim: true } };
  replies[`GET /work/bills/${id}/payer-calls`] ??= { body: [] };
  replies[`GET /work/bills/${id}`] = () => {
    asked.push(id);
    return page
      ? { body: page }
      : {
          status: 404,
          body: { message: 'This link is no longer good. Find the bill by its number.', code: 'NOT_FOUND' },
        };
  };
  return renderScreens(
    { '/work/bill/$id': BillPage, '/billSearch': () => <h1>Bill Search</h1> },
    makeSession(part),
    { at: `/work/bill/${id}` },
  ).history;
}

const getCells = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent));

const note = {
  id: 5,
  author: 'Ann Lee',
  at: '2026-07-12T09:00:00Z',
  body: 'Called the payer',
  editedAt: null,
  struckAt: null,
  mine: true,
  fresh: true,
};

test("shows the group's notes and accepts another", async () => {
  replies['GET /work/bills/sealed-1/notes'] = { body: [note] };
  replies['POST /work/bills/sealed-1/notes'] = { status: 204 };
  show(makePage(), 'sealed-1', { permissions: ['work.notes'] });
  const card = within(
    (await screen.findByRole('heading', { level: 2, name: 'Notes' })).closest('section') as HTMLElement,
  );
  expect(card.getByText('Called the payer')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Notes' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Notes on bill 7002' }));
  await userEvent.type(dialog.getByLabelText('New note'), 'They pay on Friday');
  await userEvent.keyboard('{Escape}');
  expect(await dialog.findByText("Your changes won't be saved.")).toBeTruthy();
  expect(dialog.getByLabelText<HTMLTextAreaElement>('New note').value).toBe('They pay on Friday');
  await userEvent.click(dialog.getByRole('button', { name: 'Add note' }));
  const field = dialog.getByLabelText<HTMLTextAreaElement>('New note');
  await waitFor(() => expect(field.value).toBe(''));
  await userEvent.type(field, 'Called again{Control>}{Enter}{/Control}');
  await waitFor(() => expect(field.value).toBe(''));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test.each([
  [404, 'Error: This bill is no longer available.'],
  [500, "Error: Couldn't save the note. Try again."],
])('keeps the text of a note that fails with %i, as do its notes', async (status, text) => {
  replies['GET /work/bills/sealed-1/notes'] = { body: [] };
  replies['POST /work/bills/sealed-1/notes'] = () => {
    replies['GET /work/bills/sealed-1/notes'] = { status };
    return { status };
  };
  show(makePage(), 'sealed-1', { permissions: ['work.notes'] });
  await userEvent.click(await screen.findByRole('button', { name: 'Add note' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Notes on bill 7002' }));
  await userEvent.type(dialog.getByLabelText('New note'), 'They pay on Friday');
  await userEvent.click(dialog.getByRole('button', { name: 'Add note' }));
  expect(await dialog.findByText(text)).toBeTruthy();
  expect(await dialog.findByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(dialog.getByLabelText<HTMLTextAreaElement>('New note').value).toBe('They pay on Friday');
});

test('shows why a bill was reversed, apart from its lines', async () => {
  const line = makeLine({ paid: null, difference: null, adjustments: [], remarks: [] });
  const takenBack = {
    adjustments: [{ group: 'CO', reason: '129', amount: -80 }],
    remarks: [{ list: 'HE' as const, code: 'N469' }],
  };
  show(makePage({ lines: [line], takenBack }));
  const why = await screen.findByRole('heading', { level: 3, name: 'Reversal codes' });
  expect(
    within(why.parentElement as HTMLElement)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['CO-129-$80.00', 'N469']);
  expect(screen.getByRole('table', { name: 'Service lines' }).textContent).not.toContain('CO-129');
});

test("a current bill wasn't reversed", async () => {
  show(makePage());
  await screen.findByRole('table', { name: 'Service lines' });
  expect(screen.queryByRole('heading', { name: 'Reversal codes' })).toBeNull();
});

test('users without notes, or who mirror, see none', async () => {
  for (const part of [{}, { permissions: ['work.notes'], mirroredUser: makeUser() }]) {
    show(makePage(), 'sealed-1', part);
    await screen.findByRole('heading', { level: 1, name: 'Bill 7002' });
    expect(screen.queryByRole('button', { name: /note/i })).toBeNull();
    cleanup();
  }
});

test('shows header, status, lines with totals, history and versions', async () => {
  show(makePage());
  expect(await screen.findByRole('heading', { level: 1, name: 'Bill 7002' })).toBeTruthy();
  const answer = screen.getByRole('region', { name: 'Status' });
  expect(answer.textContent).toContain(
    'Paid $100.00 on 07/11/2026 by Beacon Road Insurance, $40.00 below the network allowance.',
  );
  expect(answer.textContent).toContain('Next stepCompare the reason codes with the allowance.');
  // Staff and users without the group's work don't change it.
  expect(within(answer).queryByRole('button')).toBeNull();
  expect(screen.getByText('Ada Brook · 06/03/2026 – 06/04/2026 · Beacon Road Insurance')).toBeTruthy();
  expect(screen.getByText('on 07/11/2026, check or EFT 40000069')).toBeTruthy();
  expect(getCells(screen.getByRole('table', { name: 'Service lines' }))).toEqual([
    ['Service', 'Charge', 'Network allowance', 'Adjustments', 'Paid', 'Difference from allowance'],
    ['99213-25× 1 · 06/03/2026', '$180.00', '$140.00', 'CO-45$80.00N130', '$100.00', '$40.00'],
    ['Total', '$180.00', '$140.00', '', '$100.00', '$40.00'],
  ]);
  const steps = within(screen.getByRole('region', { name: 'Bill history' })).getAllByRole('listitem');
  expect(steps.map(({ textContent }) => textContent)).toEqual([
    '06/03/2026Service until 06/04/2026',
    '07/14/2026, 1:02 PMEOR first opened here by Jane Hendricks',
  ]);
  await userEvent.click(screen.getByText('Sources'));
  expect(getCells(screen.getByRole('table', { name: 'Sources of the history' }))).toEqual([
    ['Date', 'Event', 'Source'],
    ['06/03/2026', 'Service until 06/04/2026', 'The bill'],
    ['07/14/2026, 1:02 PM', 'EOR first opened here by Jane Hendricks', "The portal's log"],
  ]);
  expect(screen.getByRole('table', { name: 'Submissions' }).textContent).toContain('The only version.');
  expect(asked).toEqual(['sealed-1']);
});

test('shows unknown values as such, and no empty columns', async () => {
  const { bill } = makePage();
  show(
    makePage({
      bill: { ...bill, paidAmount: null, paidDate: null, checkNumber: '', eor: false },
      difference: null,
      certificate: false,
      lines: [makeLine({ paid: null, difference: null, adjustments: [], remarks: [] })],
    }),
  );
  expect(await screen.findAllByText('not available')).toHaveLength(2);
  for (const name of ['Adjustments', 'Paid', 'Difference from allowance'])
    expect(screen.queryByRole('columnheader', { name })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Certificate of receipt' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'EOR' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Bill image' })).toBeTruthy();
});

test("marks the network's own documents", async () => {
  show(makePage({ papers: [{ kind: 'eor', at: '2026-08-20T14:02:00Z' }] }));
  expect(
    await screen.findByText(
      'Bill image: generated from bill data. EOR: network document, received 08/20/2026.',
    ),
  ).toBeTruthy();
});

test('shows unmatched lines separately, with their check', async () => {
  const {
    number: _,
    allowance: __,
    difference: ___,
    ...line
  } = makeLine({ procedure: '97110', modifiers: [] });
  show(
    makePage({
      unmatched: [{ ...line, paid: 80, checkNumber: 'K1', paidDate: '2026-07-11' }],
      adjustments: [{ group: 'CO', reason: '29', amount: 5 }],
    }),
  );
  const table = await screen.findByRole('table', { name: 'Unmatched payment lines' });
  expect(getCells(table)[1]).toEqual([
    '97110× 1 · 06/03/2026',
    '$180.00',
    'CO-45$80.00N130',
    '$80.00',
    'K107/11/2026',
  ]);
  expect(screen.getByRole('heading', { name: 'Bill-level adjustments' })).toBeTruthy();
});

test("links from a replaced bill's banner, and from the claim's other bills, to their pages", async () => {
  const other = {
    billControlNumber: '7105',
    ftin: '111111111',
    page: 'sealed-2',
    beginServiceDate: '2026-06-03',
    endServiceDate: '2026-06-03',
    billCharges: 300,
    state: { tone: 'info' as const, text: 'Priced by the network, no payment known' },
  };
  const history = show(
    makePage({
      banners: [
        { kind: 'replaced', text: 'This bill was replaced: what counts is bill 7105.', page: 'sealed-2' },
      ],
      sameClaim: [other],
      moreOfClaim: true,
    }),
  );
  replies['GET /work/bills/sealed-2'] = {
    body: makePage({ bill: { ...makePage().bill, billControlNumber: '7105' } }),
  };
  expect(await screen.findByText(/use Bill Search with the claim number/)).toBeTruthy();
  expect(screen.getByRole('link', { name: '7105' }).getAttribute('href')).toBe('/work/bill/sealed-2');
  await userEvent.click(screen.getByRole('link', { name: 'View bill' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Bill 7105' })).toBeTruthy();
  expect(history.location.pathname).toBe('/work/bill/sealed-2');
});

test('shows that the second bill system provides no lines', async () => {
  show(
    makePage({
      kind: 'second',
      lines: [],
      versions: [],
      bill: { ...makePage().bill, mitchBill: true },
      banners: [
        { kind: 'second', text: 'This bill is from the second bill system; its lines are not told.' },
      ],
    }),
  );
  expect(
    await screen.findByText("Service lines aren't available for bills from the second bill system."),
  ).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Payments' })).toBeNull();
});

test('shows where to find the bill when a link has expired', async () => {
  show(null);
  expect(await screen.findByText('This link is no longer good. Find the bill by its number.')).toBeTruthy();
  await userEvent.click(screen.getByRole('link', { name: 'Search for the bill' }));
  expect(await screen.findByRole('heading', { name: 'Bill Search' })).toBeTruthy();
});

test('copies its address, prints, and opens the certificate', async () => {
  show(makePage());
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const print = vi.fn();
  vi.stubGlobal('print', print);
  await userEvent.click(await screen.findByRole('button', { name: 'Copy link' }));
  expect(write).toHaveBeenCalledWith(window.location.href);
  await userEvent.click(screen.getByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledOnce();
  expect(screen.getByRole('link', { name: 'Certificate of receipt' }).getAttribute('href')).toBe(
    '/api/work/bills/sealed-1/certificate',
  );
});

test("says that a bill that the user lost can't be followed", async () => {
  replies['PUT /work/watches'] = { status: 404 };
  show(makePage());
  await userEvent.click(await screen.findByRole('button', { name: 'Follow bill' }));
  expect(await screen.findByText('Error: This bill is no longer available.')).toBeTruthy();
});

test('follows the bill, and unfollows its claim', async () => {
  const changes: unknown[] = [];
  replies['PUT /work/watches'] = (body) => {
    changes.push(body);
    return { body: { bills: 1 } };
  };
  show(makePage());
  fireEvent.click(await screen.findByRole('button', { name: 'Unfollow claim' }), { detail: 2 });
  await userEvent.click(screen.getByRole('button', { name: 'Follow bill' }));
  await userEvent.click(screen.getByRole('button', { name: 'Unfollow claim' }));
  await waitFor(() =>
    expect(changes).toEqual([
      { bills: ['sealed-1'], of: 'bill', watched: true },
      { bills: ['sealed-1'], of: 'claim', watched: false },
    ]),
  );
});

const openWork: Work = {
  version: 3,
  marked: 'open',
  until: null,
  followUpOn: null,
  notes: 0,
  updatedAt: null,
  updatedBy: '',
};

const people = [
  { userName: 'ann', name: 'Ann Lee' },
  { userName: makeUser().userNm, name: 'Me Myself' },
];

function showWithWork(part: Partial<Page['answer']> = {}, work: Work = openWork) {
  replies['GET /work/bills/sealed-1/notes'] = { body: [] };
  replies['GET /work/bills/sealed-1/work'] = { body: { changed: 9, work } };
  replies['GET /work/people'] = { body: people };
  const sent: unknown[] = [];
  let version = work.version;
  replies['PUT /work/bills/work'] = (body) => {
    sent.push(body);
    const { bills: _, assignTo, ...change } = body as { bills: unknown; assignTo?: string };
    version += 1;
    const assignedTo = people.find(({ userName }) => userName === assignTo);
    return {
      body: [{ id: 'sealed-1', outcome: 'saved', work: { ...work, ...change, assignedTo, version } }],
    };
  };
  show(makePage({ answer: { ...makePage().answer, open: true, ...part } }), 'sealed-1', {
    permissions: ['work.notes'],
  });
  return sent;
}

test('marks the bill as done from its page, with Undo', async () => {
  const sent = showWithWork();
  await userEvent.click(await screen.findByRole('button', { name: 'Done' }));
  // The second click of a double click.
  fireEvent.click(await screen.findByRole('button', { name: 'Reopen' }), { detail: 2 });
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('button', { name: 'Done' })).toBeTruthy();
  expect(sent).toEqual([
    { bills: [{ id: 'sealed-1', version: 3, changed: 9 }], marked: 'done' },
    { bills: [{ id: 'sealed-1', version: 4, changed: 9 }], marked: 'open' },
  ]);
});

test('marks a bill that changed since its page was opened as done after its change is shown', async () => {
  const sent = showWithWork();
  replies['PUT /work/bills/work'] = (body) => {
    sent.push(body);
    const { bills } = body as { bills: { version: number; changed: number }[] };
    const marked = bills[0]?.changed === 10 ? 'done' : 'open';
    const work = { ...openWork, version: (bills[0]?.version ?? 0) + 1, marked } as const;
    replies['GET /work/bills/sealed-1/work'] = { body: { changed: 10, work } };
    return { body: [{ id: 'sealed-1', outcome: 'saved', work }] };
  };
  await userEvent.click(await screen.findByRole('button', { name: 'Done' }));
  expect(await screen.findByText('This bill changed. Check the change, then mark it as done.')).toBeTruthy();
  expect(screen.queryByText('Bill marked as done')).toBeNull();
  await waitFor(() => expect(asked).toEqual(['sealed-1', 'sealed-1']));
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(await screen.findByRole('button', { name: 'Reopen' })).toBeTruthy();
  expect(sent[1]).toEqual({ bills: [{ id: 'sealed-1', version: 4, changed: 10 }], marked: 'done' });
});

test('snoozes the bill again on Undo', async () => {
  const until = addDays(today(), 5);
  const sent = showWithWork({}, { ...openWork, marked: 'parked', until });
  await userEvent.click(await screen.findByRole('button', { name: 'Done' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toMatchObject({ marked: 'parked', until });
});

test.each(['Tomorrow', 'Clear date'])('offers no Undo of %s when the old day has passed', async (name) => {
  const sent = showWithWork({}, { ...openWork, followUpOn: addDays(today(), -1) });
  await userEvent.click(await screen.findByRole('button', { name: 'Follow up' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: new RegExp(`^${name}`) }));
  expect(await screen.findByText(/^Follow-up (set for|date cleared)/)).toBeTruthy();
  expect(sent).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('restores the old day on Undo', async () => {
  const sent = showWithWork({}, { ...openWork, followUpOn: today() });
  await userEvent.click(await screen.findByRole('button', { name: 'Follow up' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Clear date' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toMatchObject({ followUpOn: today() });
});

test('assigns the bill and sets its follow-up', async () => {
  const sent = showWithWork();
  await userEvent.click(await screen.findByRole('button', { name: 'Assign' }));
  const choices = await screen.findAllByRole('menuitem');
  expect(choices.map(({ textContent }) => textContent)).toEqual(['Me', 'Ann Lee']);
  await userEvent.click(screen.getByRole('menuitem', { name: 'Ann Lee' }));
  expect(await screen.findByText('Assigned to Ann Lee', { selector: 'section p' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Follow up' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /^Tomorrow/ }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[0]).toMatchObject({ assignTo: 'ann', bills: [{ version: 3 }] });
  expect(sent[1]).toEqual({
    bills: [{ id: 'sealed-1', version: 4, changed: 9 }],
    followUpOn: addDays(today(), 1),
  });
});

test.each([
  ['ann', 'Ann Lee', { label: 'Undo', run: expect.any(Function) }],
  ['bo', 'Bo Diaz (inactive)', undefined],
])('offers Undo of an assignment if %s can be assigned again', async (userName, name, undo) => {
  const success = vi.spyOn(toast, 'success');
  showWithWork({}, { ...openWork, assignedTo: { userName, name } });
  await userEvent.click(await screen.findByRole('button', { name: 'Assign' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Me' }));
  await waitFor(() => expect(success.mock.calls).toEqual([['Assigned to Me Myself', undo]]));
});

test('offers each follow-up date once, also on Sundays', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-29T17:00:00Z') });
  try {
    showWithWork();
    await userEvent.click(await screen.findByRole('button', { name: 'Follow up' }));
    const choices = await screen.findAllByRole('menuitem');
    expect(choices.map(({ textContent }) => textContent)).toEqual([
      'Tomorrow (11/30/2026)',
      'In 7 days (12/06/2026)',
      'In 30 days (12/29/2026)',
      'Other date...',
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test('follows up on any day from today', async () => {
  const sent = showWithWork();
  await userEvent.click(await screen.findByRole('button', { name: 'Follow up' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Other date...' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Follow up' }));
  const field = dialog.getByLabelText('Follow-up date');
  fireEvent.change(field, { target: { value: addDays(today(), -1) } });
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(dialog.getByText('Error: Enter today or a later date')).toBeTruthy();
  expect(sent).toEqual([]);
  fireEvent.change(field, { target: { value: addDays(today(), 100) } });
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ followUpOn: addDays(today(), 100) });
});

test('reports that another user was faster, and shows their change', async () => {
  showWithWork();
  replies['PUT /work/bills/work'] = {
    status: 409,
    body: [
      {
        id: 'sealed-1',
        outcome: 'stale',
        work: { ...openWork, version: 4, updatedBy: 'ann', assignedTo: people[0] },
      },
    ] as never,
  };
  await userEvent.click(await screen.findByRole('button', { name: 'Done' }));
  expect(
    await screen.findByText('Ann Lee just changed this bill. Check the change, then try again.'),
  ).toBeTruthy();
  expect(screen.getByText('Assigned to Ann Lee', { selector: 'section p' })).toBeTruthy();
});

test('shows the stored work after a refused assignment', async () => {
  showWithWork({}, { ...openWork, version: 4, followUpOn: '2027-01-04', assignedTo: people[0] });
  replies['PUT /work/bills/work'] = {
    status: 409,
    body: [{ id: 'sealed-1', outcome: 'unseen', work: openWork }] as never,
  };
  await userEvent.click(await screen.findByRole('button', { name: 'Assign' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Unassign' }));
  expect(await screen.findByText("This person doesn't have access to the bill's Tax ID.")).toBeTruthy();
  expect(
    screen.getByText('Assigned to Ann Lee · Follow up on 01/04/2027', { selector: 'section p' }),
  ).toBeTruthy();
});

test('shows the deadline, and no work on a settled bill', async () => {
  showWithWork({ open: false, due: '2026-07-01', dueBy: 'payer', daysLeft: -13 });
  const answer = await screen.findByRole('region', { name: 'Status' });
  expect(answer.textContent).toContain('Payer deadline07/01/2026 13 days overdue');
  expect(within(answer).queryByRole('button')).toBeNull();
});

test("shows that the office's own deadline has passed", async () => {
  showWithWork({ due: '2026-07-01', dueBy: 'office', daysLeft: -13 });
  const answer = await screen.findByRole('region', { name: 'Status' });
  expect(answer.textContent).toContain('Your deadline07/01/2026 passed 13 days ago');
});

test('finds the next Monday', () => {
  expect(getNextMonday('2026-11-28')).toBe('2026-11-30');
  expect(getNextMonday('2026-11-29')).toBe('2026-11-30');
  expect(getNextMonday('2026-11-30')).toBe('2026-12-07');
  expect(['2026-11-28', '2026-11-29', '2026-11-30', '2026-12-01'].map(offersMonday)).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

const contact = {
  payer: 'Beacon Road Insurance',
  phone: '6145550101',
  extension: '7',
  web: '',
  address: '',
  hours: '8 to 5 ET',
  ready: 'Tax ID and claim number',
  claimNumber: 'P-77',
  source: 'remittance' as const,
  on: '2026-07-11',
  possibly: false,
};

test('shows how to reach the payer, from where, and copies the number', async () => {
  show(makePage({ contact }));
  const answer = within(await screen.findByRole('region', { name: 'Status' }));
  expect(answer.getByRole('link', { name: '614-555-0101' }).getAttribute('href')).toBe('tel:6145550101');
  for (const text of ['ext. 7', '8 to 5 ET', 'Claim P-77', 'Have ready: Tax ID and claim number'])
    expect(answer.getByText(text)).toBeTruthy();
  expect(answer.getByText("Source: the payer's latest 835, 07/11/2026")).toBeTruthy();
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await userEvent.click(answer.getByRole('button', { name: 'Copy phone number' }));
  await userEvent.click(answer.getByRole('button', { name: 'Copy claim number' }));
  expect(write.mock.calls).toEqual([['614-555-0101'], ['P-77']]);
});

test('shows that a contact is only possible, or that there is none', async () => {
  show(makePage({ contact: { ...contact, source: 'clients', on: null, possibly: true } }));
  expect(await screen.findByText('Possibly Beacon Road Insurance')).toBeTruthy();
  expect(screen.getByText('Source: client list')).toBeTruthy();
  cleanup();
  show(makePage());
  expect(await screen.findByText('No payer contact on file.')).toBeTruthy();
});
