import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Call,
  fakeServer,
  makeSession,
  makeUser,
  neverReplies,
  type Replies,
  unreachable,
} from '@/api/testing';
import type { Session } from '@/api/types';
import { getOwner } from '@/shared/owner';
import { renderScreens } from '@/shared/testing';
import Palette from './Palette';
import type { FoundBill } from './queries';

const own = 'POST /work/find';
const second = 'POST /work/find/second';
const none = { body: { bills: [], claims: [], more: false } };

const makeBill = (part: Partial<FoundBill> = {}): FoundBill => ({
  id: 'page-1',
  ftin: '341234567',
  billControlNumber: '7000001052',
  documentId: 'D-1',
  patientFirstName: 'Ada',
  patientMiddleName: '',
  patientLastName: 'Moore',
  beginServiceDate: '2026-02-17',
  billCharges: 1240.5,
  payerName: 'Beacon Road',
  billStatus: '0',
  second: false,
  by: 'billControlNumber',
  ...part,
});
const found = (...bills: FoundBill[]) => ({ body: { bills, claims: [], more: false } });

const workspace: Session['workspace'] = [
  { group: 'Work', label: 'Open bills', to: 'work/open' },
  { group: 'Know', label: 'Reason codes', to: 'work/reasons' },
  { group: 'Desk', label: 'Reason codes', to: 'desk/reasons' },
];

let replies: Replies;
let calls: Call[];
let closed: number;
let path: () => string;

beforeEach(() => {
  closed = 0;
  replies = { [own]: none, [second]: none };
  calls = fakeServer(replies);
});

async function show(part: Partial<Session> = {}) {
  const { router } = renderScreens(
    { '/': () => <Palette onClose={() => closed++} />, $: () => <h1>Screen</h1> },
    makeSession({ workspace, ...part }),
  );
  path = () => router.history.location.href;
  await screen.findByRole('dialog', { name: 'Workspace' });
  return router;
}

const field = () =>
  screen.getByRole('combobox', { name: 'Bill, claim, check or document number, or claimant' });
const type = (keys: string) => userEvent.type(field(), keys);
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
/** The option that Enter would select. */
const current = () => {
  const option = screen.queryByRole('option', { selected: true });
  expect(field().getAttribute('aria-activedescendant')).toBe(option?.id ?? null);
  return option?.textContent;
};
const status = () => screen.getByRole('status').textContent;

describe('the screens', () => {
  it('are grouped, and found by name', async () => {
    await show();
    expect(screen.getAllByRole('group').map((group) => group.getAttribute('aria-labelledby'))).toHaveLength(
      3,
    );
    expect(within(screen.getByRole('group', { name: 'Work' })).getByRole('option').textContent).toBe(
      'Open bills',
    );
    expect(options()).toEqual(['Open bills', 'Reason codes', 'Reason codes']);
    await type('reas');
    expect(options()).toEqual(['Reason codes', 'Reason codes', 'reas']);
    await userEvent.clear(field());
    await type('OPEN');
    expect(options()).toEqual(['Open bills', 'OPEN']);
    await type('{Enter}');
    expect(path()).toBe('/work/open');
    expect(closed).toBe(1);
    expect(calls).toEqual([]);
  });

  it('include a question with the number', async () => {
    await show({ permissions: ['cases.own'] });
    await type('d9z5 bsq7{Enter}');
    expect(path()).toBe('/work/cases/C-D9Z5-BSQ7');
  });

  it('of staff search a number that can be of a bill, and offer the question', async () => {
    await show({ permissions: ['cases.desk', 'desk.open'] });
    const field = screen.getByRole('combobox', { name: 'Any number, username or email address' });
    await userEvent.type(field, 'd9z5 bsq7');
    expect(options()).toEqual(['d9z5 bsq7 at the service desk', 'C-D9Z5-BSQ7']);
    await userEvent.clear(field);
    await userEvent.type(field, 'c d9z5 bsq7{Enter}');
    expect(path()).toBe('/desk/cases/C-D9Z5-BSQ7');
  });

  it('are selected with the arrow keys, wrapping around', async () => {
    await show();
    expect(current()).toBe('Open bills');
    await type('{ArrowUp}{ArrowUp}');
    expect(screen.getByRole('option', { selected: true }).closest('[role="group"]')).toBe(
      screen.getByRole('group', { name: 'Reference' }),
    );
    await type('{ArrowDown}{ArrowDown}');
    expect(current()).toBe('Open bills');
    await type('{ArrowDown}r');
    expect(current()).toBe('Reason codes');
    await userEvent.click(screen.getAllByRole('option')[1] as HTMLElement);
    expect(path()).toBe('/desk/reasons');
  });

  it('close on Escape', async () => {
    await show();
    await type('7{Escape}');
    expect(closed).toBe(1);
    expect(path()).toBe('/');
  });
});

describe('a number', () => {
  it('opens the only bill, found in either system', async () => {
    for (const [at, page] of [
      [own, 'page-1'],
      [second, 'page-2'],
    ] as const) {
      replies[own] = none;
      replies[second] = none;
      replies[at] = found(makeBill({ id: page }));
      await show();
      await type('  70000\u2003 01052 {Enter}');
      await waitFor(() => expect(path()).toBe(`/work/bill/${page}`));
      expect(closed).toBe(1);
      closed = 0;
      document.body.replaceChildren();
    }
    expect(calls.map(({ call, body }) => [call, body])).toEqual(
      [own, second, own, second].map((call) => [call, { q: '70000 01052' }]),
    );
  });

  it('lists several, with status and source', async () => {
    replies[own] = found(makeBill({ state: 'denied' }));
    replies[second] = {
      body: {
        bills: [makeBill({ id: 'page-2', second: true, billControlNumber: '', by: '' })],
        claims: [],
        more: true,
      },
    };
    await show();
    await type('7000001052{Enter}');
    await screen.findByText('Showing only the first 2 bills.');
    expect(options()).toEqual([
      '7000001052 Denied $1,240.50 Ada Moore · 02/17/2026 · Beacon Road TIN 341234567 · Document ID D-1',
      'D-1 Paid $1,240.50 Ada Moore · 02/17/2026 · Beacon Road TIN 341234567 · second bill system',
    ]);
    await type('{ArrowDown}{Enter}');
    expect(path()).toBe('/work/bill/page-2');
  });

  it("that is one of the user's Tax IDs links to its open bills", async () => {
    replies['GET /ftin/userFtins/prad.demo'] = { body: [{ ftin: '840004349' }] as never };
    const router = await show();
    await type('84-0004349{Enter}');
    await screen.findByText('No bill has this number, but it matches one of your Tax IDs.');
    expect(current()).toBe('Open bills for 840004349');
    await type('{Enter}');
    expect(path()).toBe('/work/bills');
    expect(router.state.location.state.kept?.criteria).toEqual({ bills: [], tin: '840004349' });
  });

  it('without a bill is reported, and typing starts over', async () => {
    await show();
    await type('7{Enter}');
    await screen.findByText('No results for your Tax IDs.');
    expect(options()).toEqual([]);
    expect(field().getAttribute('aria-expanded')).toBe('false');
    await type('{ArrowDown}{Enter}');
    expect(calls).toHaveLength(2);
    await type('8');
    expect(status()).toBe('');
    expect(options()).toEqual(['78']);
  });

  it('goes to the service desk for network staff, who have no Tax IDs', async () => {
    const session = { user: makeUser({ typeCd: 'ISAD' }), permissions: ['desk.open'] };
    const { history } = await show(session);
    await userEvent.type(
      screen.getByRole('combobox', { name: 'Any number, username or email address' }),
      ' 70 0 ',
    );
    expect(options()).toEqual(['70 0 at the service desk']);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(path()).toBe('/desk'));
    expect(history.location.state.searchInfo).toMatchObject({
      owner: getOwner(makeSession(session)),
      criteria: { q: '70 0' },
    });
    expect(calls).toEqual([]);
    expect(closed).toBe(1);
  });

  it('waits for the second system, but its first results can be opened', async () => {
    replies[own] = found(makeBill());
    replies[second] = neverReplies;
    await show();
    await type('7{Enter}');
    await screen.findByText('Searching the second bill system…');
    expect(path()).toBe('/');
    await type('{Enter}');
    expect(path()).toBe('/work/bill/page-1');
  });

  it("shows the results if the second system doesn't respond, and retries", async () => {
    replies[own] = found(makeBill());
    replies[second] = [{ status: 503 }, none];
    await show();
    await type('7{Enter}');
    await screen.findByText("1 bill found. The second bill system didn't respond.");
    expect(options()).toHaveLength(2);
    expect(path()).toBe('/');
    await type('{ArrowUp}{Enter}');
    await waitFor(() => expect(path()).toBe('/work/bill/page-1'));
  });

  it("reports both if nothing was found and the second system doesn't respond", async () => {
    replies[second] = unreachable;
    await show();
    await type('7{Enter}');
    await screen.findByText("No results for your Tax IDs. The second bill system didn't respond.");
  });

  it("that couldn't be searched is reported, and searched again", async () => {
    replies[own] = [
      { status: 429, body: { message: 'Too many attempts. Wait a minute and try again.' } },
      found(makeBill()),
    ];
    await show();
    await type('7{Enter}');
    await screen.findByText(/^Error: There was an error .* Too many attempts. Wait a minute and try again.$/);
    await type('{Enter}');
    await waitFor(() => expect(path()).toBe('/work/bill/page-1'));
  });

  it("isn't searched if it's too long", async () => {
    await show();
    await userEvent.click(field());
    await userEvent.paste('7'.repeat(101));
    screen.getByText('Error: Use 100 characters or fewer');
    await type('{Enter}');
    expect(calls).toEqual([]);
  });
});

describe('other criteria for a bill', () => {
  it('names the groups, and links to the claim', async () => {
    replies[own] = {
      body: {
        bills: [makeBill({ by: 'patientControlNumber' })],
        claims: [{ claimNumber: 'WC-77', bills: 3 }],
        more: false,
      },
    };
    await show();
    await type('wc 77{Enter}');
    await screen.findByText('1 bill, 1 claim found.');
    expect(screen.getAllByRole('group').map((group) => group.firstElementChild?.textContent)).toEqual([
      'Bills by patient account number',
      'Claims',
    ]);
    expect(options().at(1)).toBe('WC-77 View all 3 bills');
    expect(path()).toBe('/');
    await type('{ArrowDown}{Enter}');
    expect(path()).toBe('/billSearch');
    expect(closed).toBe(1);
  });

  it('opens the only bill of a claim', async () => {
    replies[own] = {
      body: {
        bills: [makeBill({ by: 'claimNumber' })],
        claims: [{ claimNumber: 'WC-77', bills: 1 }],
        more: false,
      },
    };
    await show();
    await type('wc 77{Enter}');
    await waitFor(() => expect(path()).toBe('/work/bill/page-1'));
  });

  it("asks for a claimant's birth date", async () => {
    const message = 'Add the birth date, as 04/17/1980, to look for a claimant';
    const refused = { status: 400, body: { message, fields: [{ path: 'q', code: 'INVALID', message }] } };
    replies[own] = refused;
    replies[second] = refused;
    await show();
    await type('Moore, Ada{Enter}');
    await screen.findByText(`Error: ${message}`);
  });
});

describe('other things to find', () => {
  it('are all screens of the user, by any word of their names', async () => {
    await show({
      menu: [{ label: 'Bill Search', to: 'billSearch' }],
      permissions: ['feeSchedules.request', 'account.factors'],
    });
    await type('fee');
    expect(options()).toEqual(['PPO Fee Schedule', 'fee']);
    await userEvent.clear(field());
    await type('pass');
    expect(options()).toEqual(['Change Password', 'pass']);
    await userEvent.clear(field());
    await type('search');
    expect(options()).toEqual(['Bill Search', 'search']);
    await type('{Enter}');
    expect(path()).toBe('/billSearch');
  });

  it('are saved views and actions', async () => {
    replies['GET /work/views'] = { body: [{ id: 'V1', name: 'Denied in Ohio' }] as never };
    await show({ permissions: ['work.notes'] });
    await type('sign out');
    expect(options()).toEqual(['Sign Out', 'sign out']);
    await userEvent.clear(field());
    await type('shortcuts');
    for (const action of ['Turn off single-key shortcuts', 'Turn on single-key shortcuts'])
      await userEvent.click(screen.getByRole('option', { name: action }));
    expect(closed).toBe(2);
    await userEvent.clear(field());
    await type('ohio');
    expect(await screen.findByRole('option', { name: 'Denied in Ohio' })).toBeTruthy();
    await type('{Enter}');
    expect(path()).toBe('/work/bills/V1');
  });

  const remittance = {
    id: 'R1',
    number: '88100',
    payer: 'Beacon Road',
    paidOn: '2026-05-02',
    amount: 310,
    ftin: '341234567',
  };
  const checks = 'POST /remittances/search';

  it('are remittances by check number, which open', async () => {
    replies[own] = found(makeBill({ by: 'checkNumber' }));
    replies[checks] = { body: { rows: [remittance], count: 1 } } as never;
    await show({ permissions: ['remittances.read'] });
    await type('8810{Enter}');
    await waitFor(() => expect(path()).toBe('/work/remittance/R1'));
    expect(calls.find(({ call }) => call === checks)?.body).toMatchObject({ number: '8810' });
  });

  it('include a count of remittances and claims', async () => {
    replies[own] = {
      body: {
        bills: [makeBill({ by: 'checkNumber' })],
        claims: [{ claimNumber: '8810', bills: 2 }],
        more: false,
      },
    };
    replies[checks] = { body: { rows: [remittance], count: 1 } } as never;
    await show({ permissions: ['remittances.read'] });
    await type('8810{Enter}');
    await screen.findByText('1 remittance, 1 bill, 1 claim found.');
    expect(path()).toBe('/');
  });

  it('are reported if only remittances were found', async () => {
    replies[checks] = {
      body: { rows: [remittance, { ...remittance, id: 'R2' }], count: 2 },
    } as never;
    await show({ permissions: ['remittances.read'] });
    await type('8810{Enter}');
    await screen.findByText('2 remittances found.');
  });

  it("are searched again if remittances couldn't be searched", async () => {
    replies[checks] = [{ status: 503 }, { body: { rows: [remittance], count: 1 } } as never];
    await show({ permissions: ['remittances.read'] });
    await type('8810{Enter}');
    await screen.findByText(/^Error: There was an error/);
    await type('{Enter}');
    await waitFor(() => expect(path()).toBe('/work/remittance/R1'));
  });

  it('appear while a number is typed, without the second bill system', async () => {
    replies[own] = found(makeBill());
    await show();
    await type('7000001052');
    expect(await screen.findByRole('option', { name: /Ada Moore/ })).toBeTruthy();
    expect(path()).toBe('/');
    expect(calls.map(({ call }) => call)).toEqual([own]);
    await type('{Enter}');
    expect(path()).toBe('/work/bill/page-1');
  });
});
