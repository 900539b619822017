import { createMemoryHistory, type RouterHistory } from '@tanstack/react-router';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Call,
  configure,
  fakeServer,
  makeSession,
  makeUser,
  type Replies,
  replyTo,
} from '@/api/testing';
import type { Session } from '@/api/types';
import { renderScreens } from '@/shared/testing';
import type { TableState } from '@/ui/table/state';
import BillSearchPage from './BillSearchPage';
import type { Bill } from './queries';
import { makeBill } from './testing';

const drawn: string[] = vi.hoisted(() => []);
vi.mock(import('@/ui/form/Field'), async (original) => {
  const { Field, ...others } = await original();
  const noted: typeof Field = (props) => {
    drawn.push(props.id);
    return Field(props);
  };
  return { ...others, Field: noted };
});

let replies: Replies;
let requests: Call[];

beforeEach(() => {
  replies = {
    'GET /ftin/userFtins/prad.demo': { body: [{ ftin: '222222222' }, { ftin: '111111111' }] },
    'POST /billSearch/mitchBillSearch': { body: [] },
    'POST /billSearch/searchByAssorted': { body: [] },
  };
  requests = fakeServer(replies);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function open(session: Session = makeSession(), history?: RouterHistory) {
  const screens = { '/billSearch': BillSearchPage, '/elsewhere': () => <p>Elsewhere</p> };
  return renderScreens(screens, session, { history });
}

const tinBox = () => screen.findByRole('combobox', { name: /Select up to 5 TINS/ });
const pill = (tin: string) => screen.queryByText(tin, { selector: '.mantine-MultiSelect-pill *' });
const searchButton = () => screen.getByRole('button', { name: 'Search' });
const searches = () =>
  requests.filter(({ call }) => call.includes('earch/searchBy') || call.includes('mitch'));

async function chooseTins(...tins: string[]) {
  const box = await tinBox();
  for (const tin of tins) await userEvent.type(box, `${tin}{Enter}`);
  await userEvent.keyboard('{Escape}');
}

async function searchByBill(...tins: string[]) {
  await chooseTins(...(tins.length > 0 ? tins : ['111111111']));
  await userEvent.click(screen.getByRole('button', { name: /Search by Bill ID/ }));
  await userEvent.type(await screen.findByLabelText('Bill Control Number'), 'B1');
  await userEvent.click(searchButton());
}

const finds = (...bills: Bill[]) => {
  replies['POST /billSearch/searchByAssorted'] = { body: bills };
};

/** The texts of the only row, column by column. */
async function onlyRow() {
  const cells = await waitFor(() => {
    const rows = screen.getAllByRole('row');
    expect(rows).toHaveLength(3);
    return within(rows[2] as HTMLElement).getAllByRole('cell');
  });
  return cells.map((cell) => cell.textContent);
}

const link = (name: RegExp) => screen.findByRole('button', { name });
const opened = () => ({
  opener: window as unknown,
  document: document.implementation.createHTMLDocument(),
  location: { replace: vi.fn() },
  close: vi.fn(),
});

function letOpen(other: ReturnType<typeof opened> | null = opened()) {
  vi.spyOn(window, 'open').mockReturnValue(other as unknown as Window);
  return other;
}

describe('the form', () => {
  it('rerenders only the field that changes, and the TINs when the office names arrive', async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    replies['GET /provider/officeNames'] = async () => {
      await answered;
      return { body: [{ ftin: '111111111', name: 'Lake Center', names: 1 }] };
    };
    open(makeSession({ permissions: ['directory.lookup'] }));
    const tins = await tinBox();
    await userEvent.click(tins);
    await screen.findByRole('option', { name: '111111111', hidden: true });
    drawn.length = 0;
    answer();
    await screen.findByRole('option', { name: '111111111 Lake Center', hidden: true });
    expect(new Set(drawn)).toEqual(new Set([tins.id]));
    await userEvent.click(screen.getByRole('button', { name: /Search by Bill ID/ }));
    const number = await screen.findByLabelText('Bill Control Number');
    await userEvent.type(number, 'B');
    drawn.length = 0;
    await userEvent.type(number, '1');
    const { id: document } = screen.getByLabelText('Document ID');
    expect(drawn).toContain(number.id);
    expect(new Set([...drawn, document])).toEqual(new Set([number.id, document]));
  });

  it("finds a TIN by its office's name", async () => {
    replies['GET /provider/officeNames'] = {
      body: [
        { ftin: '111111111', name: 'Lake Center', names: 1 },
        { ftin: '222222222', name: 'Shore Clinic', names: 3 },
      ],
    };
    open(makeSession({ permissions: ['directory.lookup'] }));
    await userEvent.click(await tinBox());
    await screen.findByRole('option', { name: '222222222 Shore Clinic and 2 more', hidden: true });
    await userEvent.type(await tinBox(), 'lake{Enter}');
    expect(pill('111111111')).toBeTruthy();
    expect(screen.getByText('Lake Center')).toBeTruthy();
  });

  it("lists missing fields in the page's order", async () => {
    open();
    await tinBox();
    await userEvent.click(searchButton());
    const banner = await screen.findByRole('group', { name: 'Message' });
    expect(banner.textContent).toContain(
      'Please enter required information for search.  Refer to "Search Help" for valid search combinations.',
    );
    expect(
      within(banner)
        .getAllByRole('link')
        .map((each) => each.textContent),
    ).toEqual(['Select up to 5 TINS', 'Enter a claim number', 'Enter an approximate date of service.']);
    expect(searches()).toHaveLength(0);
  });

  it('clears fields and errors of the other modes, but not the TINs', async () => {
    open();
    await chooseTins('111111111');
    await userEvent.type(screen.getByLabelText(/^Claim Number/), 'WC-1');
    await userEvent.click(searchButton());
    await screen.findByRole('group', { name: 'Message' });
    await userEvent.click(screen.getByRole('button', { name: /Search by Bill ID/ }));
    expect(screen.queryByRole('group', { name: 'Message' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: /Search by Claim Number/ }));
    expect(((await screen.findByLabelText(/^Claim Number/)) as HTMLInputElement).value).toBe('');
    expect(pill('111111111')).toBeTruthy();
  });

  it('disables the document ID or the bill control number when the other has a value', async () => {
    open();
    await tinBox();
    await userEvent.click(screen.getByRole('button', { name: /Search by Bill ID/ }));
    const bcn = (await screen.findByLabelText('Bill Control Number')) as HTMLInputElement;
    const doc = screen.getByLabelText('Document ID') as HTMLInputElement;
    await userEvent.type(bcn, 'B1');
    expect(doc.disabled).toBe(true);
    await userEvent.clear(bcn);
    await userEvent.click(searchButton());
    expect((await screen.findAllByText('Enter Document ID or Bill Control Number')).length).toBeGreaterThan(
      0,
    );
    await userEvent.type(doc, 'D1');
    expect(bcn.disabled).toBe(true);
    // Both now have a value.
    expect(screen.queryByText('Enter Document ID or Bill Control Number')).toBeNull();
  });

  it('is cleared by Reset with the results, except for the mode and the TINs', async () => {
    finds(makeBill());
    open();
    await searchByBill();
    await onlyRow();
    await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
    expect(screen.queryByRole('table')).toBeNull();
    expect(pill('111111111')).toBeTruthy();
    expect(screen.getByRole('button', { name: /Search by Bill ID/ }).getAttribute('aria-expanded')).toBe(
      'true',
    );
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Bill Control Number' }).value).toBe('');
  });

  it('explains the valid combinations', async () => {
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Search Help' }));
    const help = await screen.findByRole('dialog', { name: 'Search Help' });
    for (const way of ['By Claim Number', 'By Claimant', 'By Bill ID', 'Bill Reference Number / DCN'])
      expect(help.textContent).toContain(way);
  });
});

describe('a search', () => {
  it('opened from a claim finds all its bills, for any TIN and date', async () => {
    const history = createMemoryHistory({ initialEntries: ['/billSearch'] });
    replies['POST /work/bills/ofClaim'] = { body: [makeBill()], headers: { 'X-Limited-To': '500' } };
    replies['POST /work/bills/ofClaim/second'] = { status: 503 };
    const { router } = open(undefined, history);
    await tinBox();
    await searchByBill();
    await waitFor(() => expect(history.location.state.kept).toBeDefined());
    const { owner = '', table } = history.location.state.kept ?? {};
    await router.navigate({ to: '/elsewhere' });
    await router.navigate({
      to: '/billSearch',
      state: {
        kept: { owner, criteria: { mode: 'wholeClaim', claimNumber: 'WC-1' }, table: table as TableState },
      },
    });
    await onlyRow();
    expect(screen.getByText('All bills of claim WC-1')).toBeTruthy();
    expect(screen.getByText(/^Showing the 500 bills with the latest service dates\./)).toBeTruthy();
    expect(screen.getByText(/No response from: the second bill system\./)).toBeTruthy();
    expect(requests.slice(-2)).toEqual([
      { call: 'POST /work/bills/ofClaim', body: { claimNumber: 'WC-1' } },
      { call: 'POST /work/bills/ofClaim/second', body: { claimNumber: 'WC-1' } },
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'Change' }));
    expect((screen.getByLabelText(/^Claim Number/) as HTMLInputElement).value).toBe('WC-1');
  });

  it("shows a bill's status, and groups a claimant's bills by date", async () => {
    finds(
      makeBill({ beginServiceDate: '2026-03-09', billControlNumber: 'late', state: 'denied' }),
      makeBill({ beginServiceDate: '2026-03-02', billControlNumber: 'early', state: 'replaced' }),
      makeBill({
        beginServiceDate: '2026-01-01',
        patientFirstName: 'Bea',
        billControlNumber: 'other',
        state: 'void',
      }),
    );
    replies['POST /billSearch/mitchBillSearch'] = {
      body: [
        makeBill({
          beginServiceDate: '2026-03-05',
          patientMiddleName: 'K',
          billControlNumber: 'second',
          mitchBill: true,
        }),
      ],
    };
    open();
    await searchByBill();
    await waitFor(() => {
      const references = screen
        .getAllByRole('row')
        .slice(2)
        .map((row) => within(row).getAllByRole('cell')[4]?.textContent);
      expect(references).toEqual([
        'early / D1, bill imageReplaced',
        'second / D1, bill image',
        'late / D1, bill imageDenied',
        'other / D1, bill imageVoid',
      ]);
    });
  });

  it('collapses to a summary when there are results, which take the focus', async () => {
    finds(makeBill());
    open();
    await searchByBill();
    await onlyRow();
    const heading = screen.getByRole('heading', { name: 'Bills' });
    expect(document.activeElement).toBe(heading);
    expect(heading.getAttribute('aria-describedby')).toBe(screen.getByText('1 found').id);
    expect(screen.getByText('Tax ID 111111111').parentElement?.textContent).toBe(
      'Your searchTax ID 111111111Bill Control Number B1',
    );
    expect(screen.queryByRole('button', { name: 'Search' })).toBeNull();

    // Three tab stops from there to the amount that opens the EOR.
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await userEvent.tab();
    expect(document.activeElement?.textContent).toBe('B1 / D1, bill image');

    await userEvent.click(screen.getByRole('button', { name: 'Change' }));
    expect(document.activeElement).toBe(await tinBox());
    expect((screen.getByLabelText('Bill Control Number') as HTMLInputElement).value).toBe('B1');
    finds();
    await userEvent.click(searchButton());
    await screen.findByText(/There are no Bills available/);
    // The form stays when there are no results.
    expect(searchButton()).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Bills' }));
  });

  it("sends one request per TIN and one to the second system, with the mode's fields", async () => {
    open();
    await chooseTins('111111111', '222222222');
    await userEvent.type(screen.getByLabelText(/^Claim Number/), ' WC-1 ');
    await userEvent.type(screen.getByLabelText(/^Approximate Date/), '1-9-2026');
    await userEvent.click(searchButton());
    await screen.findByText(/There are no Bills available for the criteria entered/);
    const params = {
      claimNumber: 'WC-1',
      beginServiceDate: '2026-01-02T08:00:00',
      endServiceDate: '2026-01-16T08:00:00',
    };
    expect(searches().map(({ call, body }) => [call, body])).toEqual([
      ['POST /billSearch/searchByAssorted', { ...params, ftin: '111111111' }],
      ['POST /billSearch/searchByAssorted', { ...params, ftin: '222222222' }],
      ['POST /billSearch/mitchBillSearch', { ...params, tins: ['111111111', '222222222'] }],
    ]);
  });

  it('shows the merged bills by claimant name, with the disclaimer', async () => {
    finds(
      makeBill({ patientFirstName: 'zoe' }),
      makeBill({ patientFirstName: 'Bea', billControlNumber: 'B2' }),
    );
    replies['POST /billSearch/mitchBillSearch'] = {
      body: [makeBill({ patientFirstName: 'Moe', mitchBill: true })],
    };
    open();
    await searchByBill();
    await waitFor(() => {
      const names = screen
        .getAllByRole('row')
        .slice(2)
        .map((row) => within(row).getAllByRole('cell')[1]?.textContent);
      expect(names).toEqual(['Bea Lovelace', 'Moe Lovelace', 'zoe Lovelace']);
    });
    expect(screen.getByText(/EOR and pricing sheet amounts are recommended reimbursements/)).toBeTruthy();
  });

  it('fills the columns', async () => {
    finds(makeBill({ facilityName: 'St Anne', endServiceDate: null }));
    open();
    await searchByBill();
    expect(await onlyRow()).toEqual([
      '111111111',
      'Ada Lovelace',
      '03/02/2026',
      '',
      'B1 / D1, bill image',
      'Grace B Hopper',
      'St Anne',
      '$200.00',
      '$120.50',
      'WC-1',
      'Payment Info of bill B1 / D1',
    ]);
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
      'Tax ID (TIN)',
      'Claimant Name',
      'Begin Service Date',
      'End Service Date',
      'Bill Reference Number / DCN',
      'Provider Name',
      'Facility Name',
      'Billed Charges',
      'Recommended Allowance',
      'Claim Number',
      'Payment Information',
    ]);
    expect(screen.queryByLabelText('Filter by Payment Information')).toBeNull();
    expect(screen.getByLabelText('Filter by Begin Service Date')).toBeTruthy();
  });

  it('shows partial results while others load, and blocks a second search', async () => {
    finds(makeBill());
    let release = () => {};
    replies['POST /billSearch/mitchBillSearch'] = () =>
      new Promise((resolve) => {
        release = () => resolve({ body: [] });
      });
    open();
    await searchByBill();
    await onlyRow();
    expect(
      screen.getByText('Please wait while we retrieve data. 1 of 2 sources have responded.'),
    ).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Change' }));
    expect(searchButton().getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(searchButton());
    expect(searches()).toHaveLength(2);
    release();
    await waitFor(() => expect(searchButton().getAttribute('aria-disabled')).toBeNull());
  });

  it('shows the wait time when a search hits a rate limit', async () => {
    replies['POST /billSearch/searchByAssorted'] = { status: 429, body: { message: 'Wait 12 minutes.' } };
    open();
    await searchByBill('111111111');
    expect((await screen.findByText(/^No response from: /)).textContent).toContain('Wait 12 minutes.');
  });

  it('names the failed sources and shows the other results', async () => {
    replies['POST /billSearch/searchByAssorted'] = (body) =>
      (body as { ftin: string }).ftin === '222222222' ? { status: 500 } : { body: [makeBill()] };
    open();
    await searchByBill('111111111', '222222222');
    await onlyRow();
    const failure = await screen.findByText(/No response from: Tax ID \(TIN\) 222222222\./);
    expect(failure.textContent).toContain('The bills below are from the other sources.');
  });

  it('shows when every source failed, and never claims that there are no bills', async () => {
    replies['POST /billSearch/searchByAssorted'] = { status: 500 };
    replies['POST /billSearch/mitchBillSearch'] = { status: 503 };
    open();
    await searchByBill();
    expect(
      await screen.findByText(
        'Error: There was an error retrieving data. Please try again or contact Customer Service.',
      ),
    ).toBeTruthy();
    expect(screen.queryByText(/There are no Bills/)).toBeNull();
  });

  it('says that the other Tax IDs have no bills when one was lost', async () => {
    replies['POST /billSearch/searchByAssorted'] = (body) =>
      (body as { ftin: string }).ftin === '111111111' ? { status: 404 } : { body: [] };
    open();
    await chooseTins('111111111', '222222222');
    await userEvent.type(screen.getByLabelText(/^Claim Number/), 'WC-1');
    await userEvent.type(screen.getByLabelText(/^Approximate Date/), '1-9-2026');
    await userEvent.click(searchButton());
    expect(
      await screen.findByText(
        'You no longer have access to Tax ID (TIN) 111111111. We searched your other Tax IDs.',
      ),
    ).toBeTruthy();
    expect(screen.getByText(/There are no Bills available for the criteria entered/)).toBeTruthy();
  });

  it('runs again with the same criteria', async () => {
    open();
    await searchByBill();
    await screen.findByText(/There are no Bills/);
    finds(makeBill());
    await userEvent.click(searchButton());
    await onlyRow();
    expect(searches()).toHaveLength(4);
  });
});

describe('the history', () => {
  const getKept = (history: ReturnType<typeof createMemoryHistory>) => history.location.state.kept;

  it('stores search and table, but not the address or results, and Back repeats the search', async () => {
    finds(...Array.from({ length: 12 }, (_, i) => makeBill({ billControlNumber: `B${i}` })));
    const { router, history } = open();
    await searchByBill();
    await screen.findByRole('table');
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    await waitFor(() => expect(getKept(history)?.table.page).toBe(1));
    expect(history.location.href).toBe('/billSearch');
    expect(JSON.stringify(getKept(history))).not.toContain('Lovelace');

    await router.navigate({ to: '/elsewhere' as never });
    await screen.findByText('Elsewhere');
    history.back();
    await screen.findByRole('table');
    expect(screen.getByText('11-12 of 12')).toBeTruthy();
    expect((screen.getByLabelText('Bill Control Number') as HTMLInputElement).value).toBe('B1');
    expect(searches()).toHaveLength(4);
  });

  it.each([
    ['user', makeSession({ mirroredUser: makeUser({ userNm: 'other' }) })],
    ['sign-in', makeSession({ token: 'token-2' })],
  ])('belongs to one %s', async (_, session) => {
    const { history } = open();
    await searchByBill();
    await waitFor(() => expect(getKept(history)).toBeTruthy());
    expect(JSON.stringify(getKept(history))).not.toContain('token-1');
    cleanup();
    replies['GET /ftin/userFtins/other'] = { body: [{ ftin: '111111111' }, { ftin: '222222222' }] };
    open(session, history);
    await tinBox();
    expect(screen.queryByLabelText('Bill Control Number')).toBeNull();
    expect(searches()).toHaveLength(2);
  });

  it('passes a claim to the form, in the session that found it, until Reset', async () => {
    const before = open();
    await searchByBill();
    await waitFor(() => expect(getKept(before.history)).toBeTruthy());
    const owner = getKept(before.history)?.owner ?? '';
    cleanup();
    const claimNumber = () => screen.findByRole<HTMLInputElement>('textbox', { name: /^Claim Number/ });
    const handed = (owner: string) => {
      const history = createMemoryHistory({ initialEntries: ['/elsewhere'] });
      history.push('/billSearch', { claim: { owner, claimNumber: 'WC-7' } });
      return history;
    };

    open(makeSession(), handed('other'));
    expect((await claimNumber()).value).toBe('');
    cleanup();

    const { history } = open(makeSession(), handed(owner));
    expect((await claimNumber()).value).toBe('WC-7');
    expect(searches()).toHaveLength(2);
    await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
    expect((await claimNumber()).value).toBe('');
    await waitFor(() => expect(history.location.state.claim).toBeUndefined());
  });
});

describe('TINs', () => {
  it('are those of the mirrored user', async () => {
    replies['GET /ftin/userFtins/mia'] = { body: [{ ftin: '999999999' }] };
    open(makeSession({ mirroredUser: makeUser({ userNm: 'mia' }) }));
    expect((await screen.findAllByText('999999999')).length).toBeGreaterThan(0);
    expect(requests[0]).toMatchObject({ call: 'GET /ftin/userFtins/mia', query: '?activeFlag=true' });
  });

  it.each([
    ['PRUS', /Ask your group's administrator/, []],
    ['PRAD', /Add one under Manage TINs\.$/, ['/ManageTins']],
    ['ISAD', /Mirror a user from User Search\.$/, ['/UserSearch']],
    ['IRAD', /Mirror a user from User Search\.$/, ['/UserSearch']],
    ['NNUS', /Contact Us/, []],
  ] as const)('that are missing: a %s sees what to do, with a link', async (typeCd, advice, to) => {
    replies['GET /ftin/userFtins/prad.demo'] = { body: [] };
    open(makeSession({ user: makeUser({ typeCd }) }));
    const notice = (await screen.findByText('There are no Tax IDs (TINs) to search')).parentElement;
    expect(notice?.textContent).toMatch(advice);
    expect(screen.queryAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(to);
    expect(screen.queryByRole('button', { name: 'Search' })).toBeNull();
  });

  it("that can't be loaded are requested again", async () => {
    replies['GET /ftin/userFtins/prad.demo'] = { status: 400 };
    open();
    const retry = await screen.findByRole('button', { name: 'Try again' });
    replies['GET /ftin/userFtins/prad.demo'] = { body: [{ ftin: '111111111' }] };
    await userEvent.click(retry);
    await tinBox();
  });
});

describe('a bill image', () => {
  it("opens in the click's window once it's known to exist", async () => {
    finds(makeBill());
    replies['GET /billSearch/imageExist'] = { body: true };
    const other = letOpen();
    open();
    await searchByBill();
    await userEvent.click(await link(/bill image/));
    await waitFor(() =>
      expect(other?.location.replace).toHaveBeenCalledWith('/api/billSearch/billImage/img-1?id=img-1'),
    );
    expect(other?.opener).toBeNull();
    expect(requests.at(-1)?.query).toBe('?id=img-1');
  });

  it("that doesn't exist shows a message with the network's name if it's configured", async () => {
    await configure({ organizationName: 'Harbor $& Co' });
    replies['GET /billSearch/imageExist'] = { body: false };
    requests = fakeServer(replies);
    finds(makeBill());
    letOpen();
    open();
    await searchByBill();
    await userEvent.click(await link(/bill image/));
    expect(
      await screen.findByText(
        "The image cannot be displayed. Contact Harbor $& Co's Provider Service for assistance.",
      ),
    ).toBeTruthy();
    await configure();
  });

  it("that doesn't exist closes the window and shows a message", async () => {
    finds(makeBill());
    replies['GET /billSearch/imageExist'] = { body: false };
    const other = letOpen();
    open();
    await searchByBill();
    await userEvent.click(await link(/bill image/));
    expect(
      await screen.findByText(
        "The image cannot be displayed. Contact the network's Provider Service for assistance.",
      ),
    ).toBeTruthy();
    expect(other?.close).toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'OK' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it("that doesn't load can be tried again", async () => {
    finds(makeBill());
    replies['GET /billSearch/imageExist'] = { status: 500 };
    const other = letOpen();
    open();
    await searchByBill();
    await userEvent.click(await link(/bill image/));
    expect(await screen.findByText('Error: The image selected is not available.')).toBeTruthy();
    expect(screen.getByText('Please add this site to allow popups or click VIEW IMAGE.')).toBeTruthy();
    replies['GET /billSearch/imageExist'] = { body: true };
    await userEvent.click(screen.getByRole('button', { name: 'VIEW IMAGE' }));
    await waitFor(() => expect(other?.location.replace).toHaveBeenCalled());
  });

  it('with a blocked window becomes a link', async () => {
    finds(makeBill());
    replies['GET /billSearch/imageExist'] = { body: true };
    letOpen(null);
    open();
    await searchByBill();
    await userEvent.click(await link(/bill image/));
    await screen.findByText('Please add this site to allow popups or click VIEW IMAGE.');
    const view = screen.getByRole('link', { name: 'VIEW IMAGE' });
    expect(view.getAttribute('href')).toBe('/api/billSearch/billImage/img-1?id=img-1');
    expect(view.getAttribute('target')).toBe('_blank');
    await userEvent.click(screen.getByRole('button', { name: 'CLOSE' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('of the second system opens at its own address', async () => {
    replies['POST /billSearch/mitchBillSearch'] = {
      body: [makeBill({ mitchBill: true, exId: 'ex 1', billControlNumber: '', eor: true })],
    };
    replies['GET /billSearch/billImage/-/false/ex%201'] = { body: 'https://second.example/image' };
    replies['GET /billSearch/billImage/-/true/ex%201'] = { body: 'https://second.example/eor' };
    const other = letOpen();
    open();
    await searchByBill();
    await userEvent.click(await link(/bill image/));
    await waitFor(() =>
      expect(other?.location.replace).toHaveBeenLastCalledWith('https://second.example/image'),
    );
    await userEvent.click(await link(/EOR/));
    await waitFor(() =>
      expect(other?.location.replace).toHaveBeenLastCalledWith('https://second.example/eor'),
    );
  });
});

describe('the allowance', () => {
  const eor = makeBill({
    eor: true,
    eorImageUrl: '/api/billSearch/billImage/eor-1?id=eor-1',
    foreignBillIdURL: 'https://payer.example/B1',
  });

  it('opens the EOR after its check', async () => {
    finds(eor);
    replies['GET /billSearch/precheckEor'] = { body: true };
    const other = letOpen();
    open();
    await searchByBill();
    await userEvent.click(await link(/\$120\.50.*EOR/));
    await waitFor(() => expect(other?.location.replace).toHaveBeenCalledWith(eor.eorImageUrl));
    expect(new URLSearchParams(requests.at(-1)?.query).get('url')).toBe(eor.eorImageUrl);
  });

  it("with a failed EOR shows a message that doesn't mention windows", async () => {
    finds({ ...eor, foreignBillIdURL: '' });
    replies['GET /billSearch/precheckEor'] = { status: 404 };
    const other = letOpen();
    open();
    await searchByBill();
    await userEvent.click(await link(/EOR/));
    expect(await screen.findByText('Error: The image selected is not available.')).toBeTruthy();
    expect(screen.queryByText(/allow popups/)).toBeNull();
    expect(other?.close).toHaveBeenCalled();
    expect(screen.getByRole('button', { name: 'OK' })).toBeTruthy();
  });

  it("opens the payer's page three seconds after a failed check", async () => {
    finds(eor);
    replies['GET /billSearch/precheckEor'] = { status: 404 };
    const other = letOpen();
    open();
    await searchByBill();
    const eorLink = await link(/EOR/);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    eorLink.click();
    // Each attempt advances the clock by the interval.
    await vi.waitFor(() => expect(other?.document.body.textContent).toContain("payer's site"), {
      interval: 1,
    });
    vi.advanceTimersByTime(2_900);
    expect(other?.location.replace).not.toHaveBeenCalled();
    vi.advanceTimersByTime(200);
    expect(other?.location.replace).toHaveBeenCalledWith('https://payer.example/B1');
  });

  it("opens the payer's page after the user left the screen", async () => {
    finds(eor);
    replies['GET /billSearch/precheckEor'] = { status: 404 };
    const other = letOpen();
    open();
    await searchByBill();
    const eorLink = await link(/EOR/);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    eorLink.click();
    // Each attempt advances the clock by the interval.
    await vi.waitFor(() => expect(other?.document.body.textContent).toContain("payer's site"), {
      interval: 1,
    });
    cleanup();
    vi.advanceTimersByTime(3_000);
    expect(other?.location.replace).toHaveBeenCalledWith('https://payer.example/B1');
  });

  it('opens a pricing sheet that is a PDF', async () => {
    finds(makeBill({ mcpsBill: true, eor: true }));
    replies['POST /billSearch/searchBillPriceSheet'] = { body: new Blob(['%PDF-']) };
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:sheet');
    const other = letOpen();
    open();
    await searchByBill();
    await userEvent.click(await link(/Pricing Sheet/));
    await waitFor(() => expect(other?.location.replace).toHaveBeenCalledWith('blob:sheet'));
    expect(requests.at(-1)?.body).toEqual({ billRefNumber: 'B1' });
  });

  it('downloads a pricing sheet made of lines, half a second later', async () => {
    finds(makeBill({ mcpsBill: true, billingId: '77' }));
    replies['POST /billSearch/searchBillReference'] = { body: [{ line: 'SHEET PAGE 1' }, { line: 'x' }] };
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:sheet');
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
    const windows = vi.spyOn(window, 'open');
    open();
    await searchByBill();
    await userEvent.click(await link(/Pricing Sheet/));
    const download = await screen.findByRole('link', { name: 'Download' });
    expect(clicked).not.toHaveBeenCalled();
    expect(download.getAttribute('download')).toBe('Pricing_Sheet_B1_D1.pdf');
    await waitFor(() => expect(clicked.mock.contexts[0]).toBe(download));
    expect(windows).not.toHaveBeenCalled();
  });

  it("downloads the network's paper of a sheet that has no lines", async () => {
    finds(makeBill({ mcpsBill: true, billingId: '77' }));
    replies['POST /billSearch/searchBillReference'] = { body: [] };
    const paper = new Blob(['%PDF-']);
    replies['POST /billSearch/searchBillPriceSheet'] = { body: paper };
    const shown = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:sheet');
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
    open();
    await searchByBill();
    await userEvent.click(await link(/Pricing Sheet/));
    expect(await screen.findByRole('link', { name: 'Download' })).toBeTruthy();
    expect(requests.at(-1)?.body).toEqual({ billRefNumber: 'B1' });
    expect(shown.mock.calls[0]?.[0]).toHaveProperty('size', paper.size);
  });

  it.each([
    ['bill image', { status: 429, body: { message: 'Wait 12 minutes.' } }],
    ['EOR', { status: 429, body: { message: 'Wait 12 minutes.' } }],
  ])('shows the wait time when the %s hits a rate limit', async (document, reply) => {
    finds(makeBill({ eor: true, foreignBillIdURL: 'https://payer.example/' }));
    replies['GET /billSearch/imageExist'] = reply;
    replies['GET /billSearch/precheckEor'] = reply;
    letOpen();
    open();
    await searchByBill();
    await userEvent.click(await link(document === 'EOR' ? /EOR/ : /bill image/));
    expect(await screen.findByText('Error: Wait 12 minutes.')).toBeTruthy();
  });

  it.each([
    ['77', 'POST /billSearch/searchBillReference'],
    ['', 'POST /billSearch/searchBillPriceSheet'],
  ])('shows when the pricing sheet (billing id %j) fails', async (billingId, call) => {
    finds(makeBill({ mcpsBill: true, billingId }));
    Object.assign(replies, replyTo(call, { status: 500 }));
    letOpen();
    open();
    await searchByBill();
    await userEvent.click(await link(/Pricing Sheet/));
    expect(await screen.findByText(/^Error: There was an error retrieving data/)).toBeTruthy();
  });

  it('is a plain amount if there is nothing to open', async () => {
    finds(makeBill());
    open();
    await searchByBill();
    await onlyRow();
    expect(screen.queryByRole('button', { name: /\$120\.50/ })).toBeNull();
  });
});

describe('payment information', () => {
  const ask = async () => userEvent.click(await link(/^Payment Info/));

  it('is shown in a dialog', async () => {
    finds(makeBill());
    replies['POST /billSearch/findPaymentInfo'] = {
      body: { paidAmount: 99.5, paidDate: '2026-04-01', checkNumber: 'C7' },
    };
    open();
    await searchByBill();
    await ask();
    const dialog = await screen.findByRole('dialog', { name: 'Payment Information' });
    await within(dialog).findByText('$99.50');
    expect(dialog.textContent).toContain('Paid Date04/01/2026');
    expect(dialog.textContent).toContain('Check NumberC7');
    expect(requests.at(-1)?.body).toEqual({ ftin: '111111111', billControlNumber: 'B1' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'OK' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it.each<[Replies['POST /billSearch/findPaymentInfo'], string]>([
    [
      { body: { paidAmount: null, paidDate: null, checkNumber: null } },
      'Payment Information is not available. Please contact Customer Service.',
    ],
    [
      { status: 429, body: { message: 'Wait 12 minutes.' } },
      'Error: There was an error retrieving data. Please try again or contact Customer Service. Wait 12 minutes.',
    ],
    [{ status: 404 }, 'Payment Information is not available. Please contact Customer Service.'],
    [
      { status: 500 },
      'Error: There was an error retrieving data. Please try again or contact Customer Service.',
    ],
  ])('with the response %j: %s', async (reply, text) => {
    finds(makeBill());
    replies['POST /billSearch/findPaymentInfo'] = reply;
    open();
    await searchByBill();
    await ask();
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it('of the second system comes with its bill', async () => {
    replies['POST /billSearch/mitchBillSearch'] = {
      body: [makeBill({ mitchBill: true, paidAmount: 12, billStatus: '3' })],
    };
    open();
    await searchByBill();
    await ask();
    expect(await screen.findByText('$12.00')).toBeTruthy();
    expect(requests.some(({ call }) => call.includes('findPaymentInfo'))).toBe(false);
  });
});
