import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Call, fakeServer, makeSession, makeUser, type Replies } from '@/api/testing';
import { makeSum, makeSummary, renderScreens } from '@/shared/testing';
import { saveCsv } from '@/ui/table/export';
import EmailSettingsPage from './EmailSettingsPage';
import { read } from './figures';
import type { AlertBill, Alerts, Mailbox } from './queries';
import TodayPage from './TodayPage';
import { TodayStrip } from './TodayStrip';

vi.mock('@/ui/table/export', () => ({ saveCsv: vi.fn(), saveXlsx: vi.fn() }));

const alerts = (part: Partial<Alerts> = {}): Alerts => ({
  first: false,
  since: '2026-05-01T20:10:00Z',
  asOf: '2026-05-04T10:02:00Z',
  counts: [
    { kind: 'paid', bills: 14, amount: 5210.5 },
    { kind: 'denied', bills: 2, amount: 900 },
  ],
  answers: 0,
  replies: 0,
  window: 'window-1',
  asked: true,
  stopped: [],
  ...part,
});

const bill = (id: string, part: Partial<AlertBill> = {}): AlertBill => ({
  id,
  ftin: '111111111',
  billControlNumber: id,
  patientFirstName: 'Ada',
  patientMiddleName: '',
  patientLastName: 'Ortiz',
  claimNumber: 'WC-1',
  beginServiceDate: '2026-04-02',
  payerName: 'Beacon Road',
  charge: 100,
  allowance: 80,
  paid: 80,
  change: 'PAID',
  at: '2026-05-02T12:00:00Z',
  on: '2026-05-01',
  ...part,
});

const settings = {
  digest: 'never',
  hour: 7,
  days: [1, 2, 3, 4, 5],
  kinds: [],
  tins: [],
  quietWeeks: false,
  watches: false,
  questions: true,
  asked: false,
  email: 'paula@example.com',
  allTins: ['111111111'],
};

let calls: Call[];
let replies: Replies;
beforeEach(() => {
  replies = {
    'GET /work/alerts': { body: alerts() },
    'POST /work/bills/summary': { body: makeSummary() },
    'GET /work/watches': { body: { watches: [] } },
    'GET /ftin/userFtins/prad.demo': { body: [{ ftin: '111111111' }] as never },
    'POST /work/alerts/list': { body: { bills: [bill('A'), bill('B', { change: 'PAID_SHORT' })], next: '' } },
    'GET /work/alerts/settings': { body: settings },
  };
});

function show(session = makeSession({ permissions: ['work.bills', 'digest.own'] }), path = '/work') {
  calls = fakeServer(replies);
  const screens = {
    '/work': TodayPage,
    '/work/mails': EmailSettingsPage,
    '/home': TodayStrip,
    '/work/bill/$id': () => <p>A bill</p>,
    '/work/bills': () => <p>Open bills</p>,
    '/work/cases': () => <p>Questions</p>,
  };
  return renderScreens(screens, session, { at: path }).router;
}

const sent = (name: string) => calls.filter(({ call }) => call === name).map(({ body }) => body);
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

describe('Today', () => {
  test('each figure opens and closes its bills', async () => {
    show();
    await userEvent.click(await screen.findByRole('button', { name: /^Paid ?14 bills/ }));
    const table = await screen.findByRole('table', { name: 'Bills: paid' });
    expect(within(table).getByRole('link', { name: 'A' })).toBeTruthy();
    expect(within(table).getByText('Paid below allowance')).toBeTruthy();
    expect(sent('POST /work/alerts/list')).toEqual([
      { kind: 'paid', window: 'window-1', skip: 0, limit: 25 },
    ]);
    await press(/^Paid ?14 bills/);
    expect(screen.queryByRole('table', { name: 'Bills: paid' })).toBeNull();
  });

  test("a figure's bills are exported, with their offices if there are several", async () => {
    replies['GET /ftin/userFtins/prad.demo'] = {
      body: [{ ftin: '111111111' }, { ftin: '222222222' }] as never,
    };
    show();
    await userEvent.click(await screen.findByRole('button', { name: /^Paid ?14 bills/ }));
    const table = await screen.findByRole('table', { name: 'Bills: paid' });
    expect(await within(table).findByRole('columnheader', { name: /^TIN/ })).toBeTruthy();
    await press('Export');
    await userEvent.click(await screen.findByRole('menuitem', { name: /CSV/ }));
    await waitFor(() => expect(saveCsv).toHaveBeenCalled());
    const [name, [head, row] = []] = vi.mocked(saveCsv).mock.calls[0] ?? [];
    expect([name, head?.slice(0, 3), row?.slice(0, 3)]).toEqual([
      'Today',
      ['Bill', 'TIN', 'Change'],
      ['A', '111111111', 'Paid'],
    ]);
  });

  test('open bills that fail to load can be tried again', async () => {
    replies['POST /work/bills/summary'] = [{ status: 503 }, { body: makeSummary() }];
    show();
    const needs = within(await screen.findByRole('region', { name: 'Needs you' }));
    await userEvent.click(await needs.findByRole('button', { name: 'Try again' }));
    expect(await needs.findByText("You're all caught up.")).toBeTruthy();
  });

  test('Back restores the figure', async () => {
    const router = show();
    await userEvent.click(await screen.findByRole('button', { name: /^Denied ?2 bills/ }));
    await screen.findByRole('table', { name: 'Bills: denied' });
    await waitFor(() =>
      expect(router.history.location.state.kept?.criteria).toEqual({ kind: 'denied', history: false }),
    );
    expect(router.history.location.href).toBe('/work');
    await userEvent.click(screen.getByRole('link', { name: 'A' }));
    await screen.findByText('A bill');
    router.history.back();
    expect(await screen.findByRole('table', { name: 'Bills: denied' })).toBeTruthy();
  });

  test('the questions that need the user open in a list', async () => {
    replies['GET /work/alerts'] = { body: alerts({ answers: 2, replies: 1 }) };
    const router = show();
    await userEvent.click(
      await screen.findByRole('link', { name: /^Questions ?2 answers to read, 1 reply to write$/ }),
    );
    expect(await screen.findByText('Questions')).toBeTruthy();
    expect(router.history.location.state.searchInfo?.criteria).toEqual({ tab: 'reply', mine: false });
  });

  test('marks the counted changes as seen', async () => {
    replies['POST /work/alerts/seen'] = () => {
      replies['GET /work/alerts'] = { body: alerts({ counts: [] }) };
      return { body: { undo: 'undo-1' } };
    };
    replies['POST /work/alerts/unseen'] = () => {
      replies['GET /work/alerts'] = { body: alerts() };
      return { status: 204, body: undefined as never };
    };
    show();
    await screen.findByRole('button', { name: /^Paid ?14 bills ?\$5,210.50$/ });
    await press('Mark all as seen');
    expect(await screen.findByText('No changes to your bills.')).toBeTruthy();
    expect(sent('POST /work/alerts/seen')).toEqual([{ upTo: 'window-1' }]);
    await press('Undo');
    expect(await screen.findByRole('button', { name: /^Paid ?14 bills/ })).toBeTruthy();
    expect(sent('POST /work/alerts/unseen')).toEqual([{ undo: 'undo-1' }]);
  });

  test('the history counts the last 30 days', async () => {
    show();
    await screen.findByRole('button', { name: /^Paid ?14 bills/ });
    replies['GET /work/alerts'] = {
      body: alerts({ window: 'window-30', counts: [{ kind: 'paid', bills: 90, amount: 100 }] }),
    };
    await press('Last 30 days');
    await userEvent.click(await screen.findByRole('button', { name: /^Paid ?90 bills/ }));
    await screen.findByRole('table', { name: 'Bills: paid' });
    expect(sent('POST /work/alerts/list')).toEqual([
      { kind: 'paid', window: 'window-30', skip: 0, limit: 25 },
    ]);
    expect(screen.queryByRole('button', { name: 'Mark all as seen' })).toBeNull();
    expect(calls.filter(({ query }) => query === '?history=true')).toHaveLength(1);
  });

  test('what needs the office opens its list, and charts have their values as tables', async () => {
    const sum = makeSum({ bills: 3, charge: 250 });
    replies['POST /work/bills/summary'] = {
      body: makeSummary({
        all: sum,
        payerLate: sum,
        aging: [{ state: 'received', ages: [makeSum(), sum, makeSum(), makeSum()] }],
      }),
    };
    replies['GET /remittances/trends'] = {
      body: {
        weeks: [
          { begins: '2026-04-20', paid: 100 },
          { begins: '2026-04-27', paid: 40 },
        ],
        payers: [{ name: 'Beacon Road', bills: 7, median: 31 }],
      },
    };
    const router = show(makeSession({ permissions: ['work.bills', 'remittances.read'] }));
    expect(await screen.findByRole('link', { name: /^Payer overdue ?3 bills ?\$250.00$/ })).toBeTruthy();
    const weeks = await screen.findByRole('slider', { name: 'Paid per week' });
    expect(weeks.getAttribute('aria-valuetext')).toBe('Week of 04/27/2026: $40.00');
    weeks.focus();
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(weeks.getAttribute('aria-valuetext')).toBe('Week of 04/20/2026: $100.00');
    const payers = screen.getByRole('table', { name: 'Days to pay by payer', hidden: true });
    expect(within(payers).getByText('31')).toBeTruthy();
    await userEvent.click(screen.getByRole('link', { name: '31–60' }));
    await waitFor(() => expect(router.history.location.pathname).toBe('/work/bills'));
    expect(router.history.location.state.kept?.criteria).toEqual({ bills: [], ageFrom: '31', ageTo: '60' });
  });

  test('the first visit starts counting, explains itself and asks about emails', async () => {
    replies['GET /work/alerts'] = { body: alerts({ first: true, since: null, counts: [], asked: false }) };
    replies['POST /work/alerts/seen'] = { status: 204, body: undefined as never };
    replies['PUT /work/alerts/settings'] = { status: 204, body: undefined as never };
    show();
    expect(await screen.findByText(/^Work on all your bills here/)).toBeTruthy();
    await waitFor(() => expect(sent('POST /work/alerts/seen')).toEqual([{ upTo: 'window-1' }]));
    await press('Mondays');
    expect(sent('PUT /work/alerts/settings')).toEqual([
      { digest: 'mondays', hour: 7, watches: true, questions: true },
    ]);
    await screen.findByText("We'll email you on Mondays at 7:30 AM Eastern Time when something changes.");
  });

  test('users who mirror have read-only access', async () => {
    replies['GET /work/alerts'] = { body: alerts({ first: true, since: null, counts: [], asked: false }) };
    replies['GET /ftin/userFtins/paula'] = { body: [{ ftin: '111111111' }] as never };
    show(
      makeSession({
        permissions: ['work.bills', 'digest.own'],
        user: makeUser({ typeCd: 'ISAD' }),
        mirroredUser: makeUser({ userNm: 'paula' }),
      }),
    );
    await screen.findByText(/^Work on all your bills here/);
    expect(screen.queryByRole('button', { name: 'Daily' })).toBeNull();
    expect(sent('POST /work/alerts/seen')).toEqual([]);
  });

  test('shows mailboxes that were unsubscribed', async () => {
    replies['GET /work/alerts'] = {
      body: alerts({
        stopped: [{ id: 3, email: 'a@b.example', why: 'refused', at: '2026-05-02T12:00:00Z' }],
      }),
    };
    show();
    expect(await screen.findByText(/We stopped sending email to a@b.example/)).toBeTruthy();
  });

  test('lists followed items, and unfollows one', async () => {
    const watch = {
      id: 'w1',
      of: 'claim' as const,
      ftin: '111111111',
      number: 'WC-1',
      page: '',
      patientFirstName: '',
      patientLastName: '',
      payerName: '',
      at: '2026-05-02T12:00:00Z',
    };
    const bill = { ...watch, id: 'w2', of: 'bill' as const, number: '77' };
    replies['GET /work/watches'] = { body: { watches: [watch, bill] } };
    replies['DELETE /work/watches/w1'] = () => {
      replies['GET /work/watches'] = { body: { watches: [] } };
      return { status: 204, body: undefined as never };
    };
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Unfollow bill 77' }), { detail: 2 });
    await userEvent.click(screen.getByRole('button', { name: 'Unfollow claim WC-1' }));
    await waitFor(() => expect(screen.queryByRole('table', { name: 'Following' })).toBeNull());
  });
});

describe('the strip above Home', () => {
  test('shows the changes, and links to their bills', async () => {
    show(undefined, '/home');
    await userEvent.click(await screen.findByRole('link', { name: '14 paid' }));
    expect(await screen.findByRole('table', { name: 'Bills: paid' })).toBeTruthy();
  });

  test('shows the bills that need the office, with dollars', async () => {
    replies['POST /work/bills/summary'] = {
      body: makeSummary({
        payerLate: { bills: 74, charge: 67937.75, allowance: 0, paid: 0, short: 0 },
        followUps: 2,
        followed: 310,
      }),
    };
    show(undefined, '/home');
    const link = await screen.findByRole('link', { name: '74 with the payer overdue ($67,937.75)' });
    expect(link.getAttribute('href')).toBe('/work/bills');
    expect(screen.getByRole('link', { name: '2 with a follow-up due ($310.00)' })).toBeTruthy();
    expect(screen.queryByText(/paid below allowance/)).toBeNull();
  });

  test.each([{ counts: [] }, { first: true, since: null, counts: [] }])('is hidden: %o', async (part) => {
    replies['GET /work/alerts'] = { body: alerts(part) };
    show(undefined, '/home');
    await waitFor(() => expect(sent('GET /work/alerts')).toHaveLength(1));
    expect(screen.queryByRole('region', { name: 'Today' })).toBeNull();
  });
});

describe('Email settings', () => {
  test('saves the selection', async () => {
    replies['PUT /work/alerts/settings'] = { status: 204, body: undefined as never };
    show(undefined, '/work/mails');
    await userEvent.selectOptions(await screen.findByLabelText('Bill updates'), 'Daily');
    await userEvent.selectOptions(screen.getByLabelText('Time'), '3:30 PM');
    expect(screen.getByText('Eastern Time')).toBeTruthy();
    await userEvent.click(screen.getByLabelText('When a bill or claim I follow changes'));
    await press('Save');
    expect(await screen.findByText('Email settings saved')).toBeTruthy();
    expect(sent('PUT /work/alerts/settings')).toEqual([
      {
        digest: 'daily',
        days: [1, 2, 3, 4, 5],
        hour: 15,
        kinds: [],
        tins: [],
        quietWeeks: false,
        watches: true,
        questions: true,
      },
    ]);
  });

  test('turns emails about questions off', async () => {
    replies['PUT /work/alerts/settings'] = { status: 204, body: undefined as never };
    show(makeSession({ permissions: ['work.bills', 'digest.own', 'cases.own'] }), '/work/mails');
    await userEvent.click(
      await screen.findByLabelText('When the network answers my question or needs a reply'),
    );
    await press('Save');
    expect(await screen.findByText('Email settings saved')).toBeTruthy();
    expect(sent('PUT /work/alerts/settings')).toMatchObject([{ digest: 'never', questions: false }]);
  });

  test('shows a server error at its field', async () => {
    replies['PUT /work/alerts/settings'] = {
      status: 400,
      body: {
        message: 'Nothing was changed.',
        fields: [{ path: 'days', message: 'Choose at least one day.' }],
      },
    } as never;
    show(undefined, '/work/mails');
    await userEvent.selectOptions(await screen.findByLabelText('Bill updates'), 'Daily');
    await press('Save');
    expect((await screen.findAllByText(/Choose at least one day/)).length).toBeGreaterThan(0);
  });

  const box = (part: Partial<Mailbox>): Mailbox => ({
    id: 1,
    email: 'billing@b.example',
    state: 'on',
    at: '2026-05-02T12:00:00Z',
    digest: 'daily',
    hour: 7,
    ...part,
  });

  test('the administrator adds and removes shared mailboxes', async () => {
    let boxes = [box({})];
    replies['GET /work/mailboxes'] = () => ({ body: boxes });
    replies['POST /work/mailboxes'] = () => {
      boxes = [...boxes, box({ id: 2, email: 'desk@b.example', state: 'waiting' })];
      return { status: 204, body: undefined as never };
    };
    replies['DELETE /work/mailboxes/1'] = () => {
      boxes = boxes.slice(1);
      return { status: 204, body: undefined as never };
    };
    show(makeSession({ permissions: ['work.bills', 'digest.own', 'digest.group'] }), '/work/mails');
    await userEvent.click(await screen.findByRole('button', { name: 'Add mailbox' }));
    await userEvent.type(screen.getByLabelText('Email address'), 'desk@b.example');
    await press('Add');
    expect(await screen.findByText('Waiting for confirmation')).toBeTruthy();
    expect(sent('POST /work/mailboxes')).toEqual([
      {
        email: 'desk@b.example',
        digest: 'daily',
        days: [1, 2, 3, 4, 5],
        hour: 7,
        kinds: [],
        tins: [],
        quietWeeks: false,
      },
    ]);
    fireEvent.click(screen.getByRole('button', { name: 'Remove desk@b.example' }), { detail: 2 });
    await press('Remove billing@b.example');
    await waitFor(() => expect(screen.queryByText('billing@b.example')).toBeNull());
  });
});

test.each([
  [{ kind: 'paid' }, { kind: 'paid', history: false }],
  [
    { kind: 'paid', history: true },
    { kind: 'paid', history: true },
  ],
  [{ kind: 'x' }, null],
  [null, null],
  [{}, null],
])('parses history state: %o', (kept, criteria) => {
  expect(read(kept)).toEqual(criteria);
});

test('the administrator sees that the access review is overdue', async () => {
  replies['GET /work/access'] = {
    body: {
      reviews: [{ id: 5, dueOn: '2026-03-31', openedAt: '2026-01-01T12:00:00Z' }],
      people: 2,
      unanswered: 1,
      overdue: true,
      countedTo: '',
    },
  };
  show(makeSession({ permissions: ['work.bills', 'digest.own', 'access.review'] }));
  expect(
    await screen.findByText(/Your access review was due 03\/31\/2026\. 1 user left to review\./),
  ).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open access review' })).toBeTruthy();
});
