import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { bearer } from '@/api/client';
import { configure, fakeServer, makeSession, type Replies } from '@/api/testing';
import type { Session } from '@/api/types';
import { renderScreens, sampleReasons } from '@/shared/testing';
import { criteriaSchema, getDefaultCriteria, parseAmount, toQuery } from './criteria';
import type { Page, Row } from './queries';
import RemittancePage from './RemittancePage';
import RemittancesPage from './RemittancesPage';
import { ZipDialog } from './ZipDialog';

let replies: Replies;

beforeEach(async () => {
  bearer.token = 'token-1';
  await configure({});
  replies = {};
  fakeServer(replies);
});

const makeRow = (part: Partial<Row> = {}): Row => ({
  id: 'sealed-1',
  paidOn: '2026-07-11',
  payer: 'Beacon Road Insurance',
  number: '40000068',
  method: 'CHK',
  amount: 200,
  kind: 'whole',
  bills: 1,
  reversals: 0,
  adjusted: 60,
  balanced: true,
  duplicate: '',
  ftin: '111111111',
  content: '20000 26000 6000 1 0',
  ...part,
});

const postedBy = (state: 'posted' | 'partly' | 'changed') => ({
  by: 'Jane Hendricks',
  at: '2026-07-12T12:00:00Z',
  state,
  amount: 120,
});

const makePage = (part: Partial<Page> = {}): Page => ({
  remittance: makeRow(),
  comesBy: 'Check 40000068 of 07/11/2026.',
  effectiveOn: '2026-07-11',
  producedOn: '2026-07-10',
  payerId: 'P9',
  payerTaxId: '512345678',
  contacts: [{ for: 'CX', telephone: '6145550101', extension: '', web: '' }],
  equation: [
    { kind: 'paid', reason: '', amount: 300 },
    { kind: 'reversed', reason: '', amount: -40 },
    { kind: 'adjusted', reason: 'WO', amount: -60 },
  ],
  comesTo: 200,
  notes: [],
  bills: [
    {
      number: '7002',
      page: 'sealed-bill',
      patientControlNumber: 'B1',
      payerClaimNumber: 'I1',
      claimant: 'Ada Brook',
      beginServiceDate: '2026-06-03',
      endServiceDate: '2026-06-03',
      nature: 'Take-back',
      duplicate: '',
      part: 'reversal',
      charge: -300,
      allowance: 260,
      paid: -40,
      patientsPart: 0,
      interest: 0,
      adjustments: [{ group: 'CO', reason: '45', amount: -260 }],
      remarks: [],
      jurisdiction: '',
    },
  ],
  payments: 1,
  adjustments: [
    { reason: 'WO', reference: 'I1', amount: -60, period: '2026-12-31', number: '7002', page: 'sealed-bill' },
  ],
  asSent: 'offered',
  file: '835.edi',
  firstSeen: '2026-07-11T12:00:00Z',
  ...part,
});

function show(page: Page, permissions = ['remittances.read', 'remittances.post']) {
  replies['GET /remittances/sealed-1'] = () => ({ body: page });
  return renderScreens(
    { '/work/remittance/$id': RemittancePage, '/work/bill/$id': () => <h1>Bill</h1> },
    makeSession({ permissions }),
    { at: '/work/remittance/sealed-1' },
  ).history;
}

test('shows the payment summary first, as a sum', async () => {
  show(makePage());
  const terms = within(await screen.findByRole('list', { name: 'Payment summary' })).getAllByRole('listitem');
  expect(terms.map(({ textContent }) => textContent)).toEqual([
    '+$300.00Bills paid',
    '−$40.00Reversals',
    '−$60.00Provider-level adjustments (WO)',
    '=$200.00Check amount',
  ]);
  expect(screen.getByText('Reversal')).toBeTruthy();
  expect(screen.getByText('614-555-0101')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Original 835' }).getAttribute('href')).toBe(
    '/api/remittances/sealed-1/835',
  );
});

test("a code has the explanation of the bill's state", async () => {
  replies['GET /codes'] = () => ({ body: sampleReasons });
  const { bills } = makePage();
  show(makePage({ bills: bills.map((one) => ({ ...one, jurisdiction: 'CA' })) }), [
    'remittances.read',
    'codes.read',
  ]);
  await userEvent.click(await screen.findByRole('button', { name: 'CO-45' }));
  await screen.findByText('In California it is other.');
});

test('shows a mismatch, and why there is no Original 835', async () => {
  show(
    makePage({
      remittance: makeRow({ amount: 212, balanced: false }),
      notes: [{ kind: 'off', text: "The payer's file does not add up by $12.00; the figures are as sent." }],
      asSent: 'gone',
    }),
  );
  expect(await screen.findByText(/does not add up by \$12\.00/)).toBeTruthy();
  expect(screen.getByText('Payment amount per payer (BPR02)')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Original 835' })).toBeNull();
  expect(
    screen.getByText('Original 835 no longer stored. You can still download the remittance advice.'),
  ).toBeTruthy();
});

test('links from a reference to its bill', async () => {
  const history = show(makePage());
  await userEvent.click(await screen.findByRole('link', { name: 'I1' }));
  expect(await screen.findByRole('heading', { name: 'Bill' })).toBeTruthy();
  expect(history.location.pathname).toBe('/work/bill/sealed-bill');
});

test('marks it as posted, for users with permission', async () => {
  show(makePage());
  const sent: unknown[] = [];
  replies['PUT /remittancePosts'] = (body) => {
    sent.push(body);
    return { body: [{ posted: postedBy('posted') }] };
  };
  // A double click posts it and doesn't undo that.
  await userEvent.dblClick(await screen.findByRole('button', { name: /^Mark as posted/ }));
  expect(
    await screen.findByRole('button', { name: /Posted.*by Jane Hendricks on 07\/12\/2026/ }),
  ).toBeTruthy();
  expect(sent).toEqual([{ ids: ['sealed-1'], seen: ['20000 26000 6000 1 0'], posted: true }]);
});

test('shows users without permission only the status', async () => {
  show(makePage({ remittance: makeRow({ posted: postedBy('posted') }) }), ['remittances.read']);
  expect(await screen.findByText('Posted by Jane Hendricks on 07/12/2026')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /posted/i })).toBeNull();
});

test('shows that a remittance changed since it was posted, and posts it again', async () => {
  show(makePage({ remittance: makeRow({ posted: postedBy('partly') }) }));
  const sent: unknown[] = [];
  replies['PUT /remittancePosts'] = (body) => {
    sent.push(body);
    return { body: [{ posted: postedBy('posted') }] };
  };
  await userEvent.click(
    await screen.findByRole('button', { name: /^Partially posted.*\$120\.00 posted by Jane Hendricks/ }),
  );
  expect(await screen.findByRole('button', { name: /^✓ Posted/ })).toBeTruthy();
  expect(sent).toEqual([{ ids: ['sealed-1'], seen: ['20000 26000 6000 1 0'], posted: true }]);
});

test('shows that to users without permission', async () => {
  show(makePage({ remittance: makeRow({ posted: postedBy('changed') }) }), ['remittances.read']);
  expect(
    await screen.findByText('Changed since posted: $120.00 posted by Jane Hendricks on 07/12/2026'),
  ).toBeTruthy();
});

function list(count: number, session: Partial<Session> = {}) {
  const rows = Array.from({ length: count }, (_, n) => makeRow({ id: `sealed-${n}`, number: `400${n}` }));
  replies['POST /remittances/search'] = { body: { rows, count, asOf: '' } as never };
  replies['GET /ftin/userFtins/prad.demo'] = { body: [{ ftin: '111111111' }] as never };
  renderScreens(
    { '/': RemittancesPage },
    makeSession({ permissions: ['remittances.read', 'remittances.post'], ...session }),
  );
}

test('a remittance selected on another page is posted as it was shown there', async () => {
  list(30);
  await userEvent.click((await screen.findAllByRole('checkbox', { name: /4000 from/ }))[0] as HTMLElement);
  replies['POST /remittances/search'] = {
    body: {
      rows: [makeRow({ id: 'sealed-29', number: '4029', content: 'later' })],
      count: 30,
      asOf: '',
    } as never,
  };
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: /4029 from/ }));
  const sent: unknown[] = [];
  replies['PUT /remittancePosts'] = (body) => {
    sent.push(body);
    return { body: [{ posted: postedBy('partly') }, { posted: postedBy('posted') }] };
  };
  await userEvent.click(screen.getByRole('button', { name: 'Mark selected as posted' }));
  expect(await screen.findByText('1 remittance marked as posted')).toBeTruthy();
  expect(await screen.findByText(/^1 remittance changed since you selected them/)).toBeTruthy();
  expect(sent).toEqual([
    { ids: ['sealed-0', 'sealed-29'], seen: ['20000 26000 6000 1 0', 'later'], posted: true },
  ]);
});

test('a remittance that changed since the list was loaded is posted on the second try', async () => {
  list(1);
  const sent: unknown[] = [];
  replies['PUT /remittancePosts'] = (body) => {
    sent.push((body as { seen: unknown }).seen);
    return { body: [{ posted: sent.length > 1 ? postedBy('posted') : undefined }] as never };
  };
  const button = await screen.findByRole('button', { name: /^Mark as posted 4000/ });
  replies['POST /remittances/search'] = {
    body: {
      rows: [makeRow({ id: 'sealed-0', number: '4000', content: 'later' })],
      count: 1,
      asOf: '',
    } as never,
  };
  await userEvent.click(button);
  expect(
    await screen.findByText('Remittance 4000 changed in the meantime. Check it, then post it again.'),
  ).toBeTruthy();
  await waitFor(async () => {
    await userEvent.click(screen.getByRole('button', { name: /^Mark as posted 4000/ }));
    expect(sent).toContainEqual(['later']);
  });
  expect(await screen.findByRole('button', { name: /^✓ Posted/ })).toBeTruthy();
});

test('several are marked as posted together', async () => {
  list(2);
  const sent: unknown[] = [];
  replies['PUT /remittancePosts'] = (body) => {
    sent.push(body);
    return { body: [0, 1].map(() => ({ posted: postedBy('posted') })) };
  };
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all rows' }));
  await userEvent.click(screen.getByRole('button', { name: 'Mark selected as posted' }));
  expect(await screen.findByText('2 remittances marked as posted')).toBeTruthy();
  expect(sent).toEqual([
    { ids: ['sealed-0', 'sealed-1'], seen: Array(2).fill('20000 26000 6000 1 0'), posted: true },
  ]);
  expect(await screen.findAllByRole('button', { name: /Posted.*by Jane Hendricks/ })).toHaveLength(2);
  expect(
    (screen.getByRole('button', { name: 'Mark selected as posted' }) as HTMLButtonElement).disabled,
  ).toBe(true);
});

test("users who mirror can't post or download", async () => {
  list(1, { mirroredUser: makeSession().user });
  await screen.findByRole('link', { name: '4000' });
  expect(screen.queryByRole('checkbox', { name: /^Select/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /posted|ZIP/i })).toBeNull();
});

test('a file with a Tax ID lost after its creation shows so', async () => {
  const reading = 'GET /remittanceExports/3';
  replies[reading] = { body: { id: 3, status: 'DONE', ready: 1, count: 1 } };
  renderScreens({ '/': () => <ZipDialog id={3} count={1} onClose={() => {}} /> }, makeSession());
  await screen.findByText('Your file with 1 remittance is ready. Download it before you close this window.');
  replies[reading] = {
    status: 404,
    body: { message: 'Your Tax IDs have changed since. Choose the remittances again.', code: 'NOT_FOUND' },
  };
  const link = screen.getByRole('link', { name: 'Download' });
  link.addEventListener('click', (event) => event.preventDefault()); // there is no window to load it
  await userEvent.click(link);
  await screen.findByText('Error: Your Tax IDs have changed since. Choose the remittances again.');
  expect(screen.queryByRole('link', { name: 'Download' })).toBeNull();
});

test('searches by number for all dates, else for at most 366 days', () => {
  expect(toQuery({ ...getDefaultCriteria(), number: '4-1' })).toMatchObject({ number: '4-1' });
  expect(toQuery({ ...getDefaultCriteria(), number: '4-1' })).not.toHaveProperty('from');
  const findProblems = (change: object) =>
    criteriaSchema
      .safeParse({ ...getDefaultCriteria(), ...change })
      .error?.issues.map(({ message }) => message) ?? [];
  expect(findProblems({})).toEqual([]);
  expect(findProblems({ from: '01/01/2025', to: '01/01/2026' })).toEqual([]);
  expect(findProblems({ from: '01/01/2025', to: '01/02/2026' })).toEqual([
    'Error: Use a range of 366 days or fewer',
  ]);
  expect(findProblems({ from: '01/02/2025', to: '01/01/2025' })).toEqual([
    'Error: End date must be on or after the start date',
  ]);
  expect(findProblems({ from: '', to: '' })).toEqual([
    'Error: Enter a start date or a check number',
    'Error: Enter an end date or a check number',
  ]);
  expect(findProblems({ number: '7', from: '', to: '' })).toEqual([]);
  expect(findProblems({ amount: 'much' })).toEqual(['Error: Enter an amount, such as 1,847.50']);
});

test.each([
  ['11,847.50', 11847.5],
  ['$12', 12],
  ['0.5', 0.5],
  ['1.234', null],
  ['-5', null],
  ['', null],
])('parses the amount %s', (typed, amount) => expect(parseAmount(typed)).toBe(amount));

test("a check that doesn't count shows so and links to the one that does", async () => {
  const text = 'Possible duplicate, not counted. Our staff will decide whether it is the same check.';
  const { bills } = makePage();
  show(
    makePage({
      remittance: makeRow({ duplicate: 'POSSIBLE' }),
      notes: [{ kind: 'possible', text, remittance: 'sealed-2', number: '40000068' }],
      bills: bills.map((one) => ({ ...one, duplicate: 'POSSIBLE' as const })),
    }),
  );
  await screen.findByText(text);
  screen.getByText('Possible duplicate, not counted');
  expect(screen.getByRole('link', { name: 'View check 40000068' }).getAttribute('href')).toBe(
    '/work/remittance/sealed-2',
  );
});

test('the list marks possible duplicates', async () => {
  list(2);
  const rows = [makeRow(), makeRow({ id: 'sealed-2', duplicate: 'POSSIBLE' })];
  replies['POST /remittances/search'] = { body: { rows, count: 2, asOf: '' } as never };
  expect(await screen.findAllByText('Possible duplicate, not counted')).toHaveLength(1);
});
