import { createMemoryHistory, type RouterHistory } from '@tanstack/react-router';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Call,
  configure,
  fakeServer,
  listCalls,
  makeSession,
  makeUser,
  type Replies,
  replyTo,
} from '@/api/testing';
import type { Session } from '@/api/types';
import { renderScreens, replyWithProviders } from '@/shared/testing';
import { saveXlsx } from '@/ui/table/export';
import ClientListPage from './ClientListPage';
import type { Client } from './queries';

vi.mock('@/ui/table/export', () => ({ saveXlsx: vi.fn(async () => {}) }));

const makeClient = (part: Partial<Client> = {}): Client => ({
  aeName: 'Birch Mutual',
  affltdPayorName: 'Harbor Mutual',
  ecsName: 'Direct',
  billClmAttntn: 'Bill Review',
  billClmAddr: 'PO Box 1, Akron, OH 44301',
  ecsPhoneNum: '2165550100',
  billClmPhoneNum: '2165550101',
  ecsPayorId: '60054',
  ...part,
});

const providers = 'POST /provider/page';
const states = 'GET /clients/states/P/500';
const products = 'GET /clients/getProductsByProv/WC/500/OH/111111111';
const clients = 'GET /clients/getClientsByLOB/WC/500/OH/PPO/111111111';
const agreement = 'POST /clients/agreement';
const general = 'Error: An error has occurred. Please contact Customer Service.';

let replies: Replies;
let calls: Call[];
let cookies: string[];

beforeEach(() => {
  cookies = ['other=1; clientListAgreement=Y'];
  replies = {
    'GET /ftin/userFtins/prad.demo': { body: [{ ftin: '222222222' }, { ftin: '111111111' }] },
    [providers]: replyWithProviders({
      '111111111': [{ prvId: '500', prvName: 'Hopper, Grace', prvProviderType: 'P' }],
    }),
    [states]: { body: [{ addState: 'OH' }, { addState: 'PA' }] },
    [products]: { body: [{ productCd: 'PPO', productName: 'Primary PPO' }] },
    'GET /clients/getProductsByProv/WC/500/PA/111111111': { body: [] },
    'GET /clients/getProductsByProv/AUTO/500/OH/111111111': {
      body: [{ productCd: 'APPO', productName: 'Auto PPO' }],
    },
    [clients]: { body: [makeClient(), makeClient({ aeName: 'ash Casualty' })] },
    'GET /clients/getClientsByLOB/AUTO/500/OH/APPO/111111111': { body: [makeClient()] },
    [agreement]: { status: 204 },
  };
  vi.spyOn(document, 'cookie', 'get').mockImplementation(() => cookies.join('; '));
  vi.spyOn(document, 'cookie', 'set').mockImplementation((set) => {
    cookies.push(set);
  });
  calls = fakeServer(replies);
});

function open(session: Session = makeSession(), history?: RouterHistory) {
  const screens = {
    '/ClientList': ClientListPage,
    '/home': () => <h1>Home</h1>,
    '/before': () => <h1>Before</h1>,
  };
  return renderScreens(screens, session, { history }).history;
}

const picker = (name: string) =>
  screen.findByRole<HTMLInputElement | HTMLSelectElement>('combobox', { name: new RegExp(`^${name}`) });
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const search = () => userEvent.click(button('Search'));

async function pickTyped(label: string, typed: string) {
  await userEvent.type(await picker(label), typed);
  // The test browser considers the list's layer hidden.
  await screen.findByRole('option', { name: new RegExp(typed), hidden: true });
  await userEvent.keyboard('{Enter}');
}
async function pickListed(label: string, option: string) {
  await userEvent.selectOptions(await picker(label), await screen.findByRole('option', { name: option }));
}

/** Selects the given values, starting with the first picker. */
async function pick(provider?: string, state?: string, product?: string) {
  await pickTyped('Tax ID', '111111111');
  if (provider) await pickTyped('Provider', provider);
  if (state) await pickListed('State', state);
  if (product) await pickListed('Product', product);
}
async function find() {
  await pick('Hopper', 'OH', 'Primary PPO');
  await search();
}

const rows = () =>
  screen
    .getAllByRole('row')
    .slice(2)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
const listed = async () =>
  within(await screen.findByRole('group', { name: 'Message' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);
const messageText = async () => (await screen.findByRole('alert')).textContent;

describe('the agreement', () => {
  beforeEach(() => {
    cookies = ['other=clientListAgreement=Y'];
  });
  const dialog = () => screen.findByRole('dialog', { name: 'Client List' });

  it("covers the screen until it's accepted, and is recorded", async () => {
    open();
    expect((await dialog()).textContent).toContain(
      "This tool tells you which clients consider you to be part of their network. Clients may exclude providers. Workers' compensation and auto payers do not issue ID cards.",
    );
    expect(calls).toEqual([]);
    await userEvent.click(button('ACCEPT AND CONTINUE'));
    await picker('Tax ID');
    expect(calls[0]?.call).toBe(agreement);
    expect(cookies.slice(1)).toEqual([
      'clientListAgreement=Y; path=/; secure; samesite=lax',
      'clientListAgreementBy=1; path=/; secure; samesite=lax',
    ]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: 'Client List' }));
  });

  it.each([
    ['its person', 1, false],
    ['the next person at this browser', 2, true],
  ])('asks %s (account %i): %s', async (_, id, asks) => {
    cookies = ['clientListAgreement=Y; clientListAgreementBy=1'];
    open(makeSession({ user: makeUser({ id }) }));
    await (asks ? dialog() : picker('Tax ID'));
    expect(Boolean(screen.queryByRole('dialog'))).toBe(asks);
  });

  it("counts only once it's recorded", async () => {
    replies[agreement] = { status: 500 };
    open();
    await dialog();
    await userEvent.click(button('ACCEPT AND CONTINUE'));
    expect(await messageText()).toBe(general);
    expect(cookies).toHaveLength(1);
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  it("isn't recorded for a mirrored user", async () => {
    open(makeSession({ user: makeUser({ typeCd: 'ISAD' }), mirroredUser: makeUser() }));
    await dialog();
    await userEvent.click(button('ACCEPT AND CONTINUE'));
    await picker('Tax ID');
    expect(listCalls(calls)).not.toContain(agreement);
  });

  it.each([
    [['/before', '/ClientList'], 'Before'],
    [['/ClientList'], 'Home'],
  ])('declined after %j goes to %s', async (entries, heading) => {
    const history = createMemoryHistory({ initialEntries: [entries[0] ?? ''] });
    for (const entry of entries.slice(1)) history.push(entry);
    open(makeSession(), history);
    await dialog();
    await userEvent.click(button('DECLINE'));
    await screen.findByRole('heading', { name: heading });
    expect(listCalls(calls)).not.toContain(agreement);
    expect(cookies).toHaveLength(1);
  });

  it("can't be dismissed", async () => {
    open();
    await dialog();
    await userEvent.keyboard('{Escape}');
    await dialog();
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
  });
});

describe('the pickers', () => {
  it('are enabled one after another, with the remaining choices', async () => {
    open();
    const enabled = async () =>
      Promise.all(
        ['Tax ID', 'Provider', 'State', 'Product'].map(async (name) => !(await picker(name)).disabled),
      );
    expect(await enabled()).toEqual([true, false, false, false]);
    await pickTyped('Tax ID', '111111111');
    expect(await enabled()).toEqual([true, true, false, false]);
    await pickTyped('Provider', 'Hopper');
    expect(await enabled()).toEqual([true, true, true, false]);
    await pickListed('State', 'OH');
    expect(await enabled()).toEqual([true, true, true, true]);
    await pickListed('Product', 'Primary PPO');

    // Changing a picker resets the following ones.
    await pickListed('State', 'PA');
    expect((await picker('Product')).value).toBe('');
    await userEvent.clear(await picker('Tax ID'));
    expect(await enabled()).toEqual([true, false, false, false]);
    for (const name of ['Provider', 'State', 'Product']) expect((await picker(name)).value).toBe('');
  });

  it("start with Workers' Comp; the line of business filters the products", async () => {
    open();
    await pick('Hopper', 'OH', 'Primary PPO');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: "Workers' Comp" }).checked).toBe(true);
    await userEvent.click(screen.getByRole('radio', { name: 'Auto' }));
    expect((await picker('State')).value).toBe('OH');
    expect((await picker('Product')).value).toBe('');
    await pickListed('Product', 'Auto PPO');
  });

  it("preselect a user's only Tax ID", async () => {
    replies['GET /ftin/userFtins/prad.demo'] = { body: [{ ftin: '111111111' }] };
    open();
    expect((await picker('Tax ID')).value).toBe('111111111');
    await pickTyped('Provider', 'Hopper');
    await userEvent.click(button('Reset'));
    expect((await picker('Tax ID')).value).toBe('111111111');
    expect((await picker('Provider')).value).toBe('');
  });

  it('are all required', async () => {
    open();
    await picker('Tax ID');
    await search();
    expect(await listed()).toEqual([
      'Error: Select Tax ID',
      'Error: Select Provider',
      'Error: Select State',
      'Error: Select Product',
    ]);
    expect(screen.getByRole('group', { name: 'Message' }).textContent).toContain(
      'An error has occurred. Please address all fields marked with "Error".',
    );
    expect(calls.some(({ call }) => call.includes('getClientsByLOB'))).toBe(false);
  });

  it.each([
    [providers, 'Error: There are no active providers that are participating in the network.', general],
    [states, 'Error: States not found', 'Error: States not found'],
    [products, 'Error: Product not found', 'Error: Product not found'],
  ])('show when %s found nothing, or failed', async (call, none, failed) => {
    const found = { ...replies };
    const way = [states, products].includes(call) ? ['Hopper', 'OH'].slice(0, call === states ? 1 : 2) : [];
    Object.assign(replies, replyTo(call, { body: call === providers ? { rows: [], count: 0 } : [] }));
    open();
    await pick(...way);
    expect(await messageText()).toBe(none);
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    cleanup();

    Object.assign(replies, replyTo(call, { status: 400 }));
    open();
    await pick(...way);
    expect(await messageText()).toContain(failed);
    Object.assign(replies, found);
    await userEvent.click(button('Try again'));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  it("include the network's name if it's configured", async () => {
    replies[providers] = replyWithProviders({});
    await configure({ organizationName: 'Harbor $& Co' });
    fakeServer(replies);
    open();
    await pick();
    expect(await messageText()).toBe(
      'Error: There are no active providers that are participating in Harbor $& Co.',
    );
    await configure();
  });
});

describe('the clients', () => {
  it('are shown by name, ignoring case, with phones as phones', async () => {
    open();
    await find();
    await screen.findByRole('table', { name: 'Clients' });
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Client',
      'Affiliated Payor',
      'Electronic Claims',
      'Billing Attention',
      'Billing Address',
      'Electronic Claims Phone',
      'Billing Phone',
      'Payor ID',
    ]);
    expect(rows().map(([name]) => name)).toEqual(['ash Casualty', 'Birch Mutual']);
    expect(rows()[1]?.slice(1)).toEqual([
      'Harbor Mutual',
      'Direct',
      'Bill Review',
      'PO Box 1, Akron, OH 44301',
      '216-555-0100',
      '216-555-0101',
      '60054',
    ]);
    expect(screen.queryByText(/may steer/)).toBeNull();
  });

  it('block a second click on Search while they load', async () => {
    let answer = (_: { body: Client[] }) => {};
    replies[clients] = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    open();
    await find();
    await waitFor(() => expect(button('Search').getAttribute('aria-disabled')).toBe('true'));
    expect(button('DOWNLOAD').disabled).toBe(true);
    await search();
    answer({ body: [makeClient()] });
    await screen.findByRole('table', { name: 'Clients' });
    expect(calls.filter(({ call }) => call === clients)).toHaveLength(1);
  });

  it('of Auto come with a notice of steerage', async () => {
    open();
    await pick('Hopper', 'OH');
    await userEvent.click(screen.getByRole('radio', { name: 'Auto' }));
    await pickListed('Product', 'Auto PPO');
    await search();
    await screen.findByText(
      'Clients listed for Auto may steer their members to network providers where the law allows it.',
    );
  });

  it('show that there are more', async () => {
    replies[clients] = { body: [makeClient()], headers: { 'X-Limited-To': '5000' } };
    open();
    await find();
    await screen.findByText('Showing only the first 5,000 clients.');
  });

  it('can be none', async () => {
    replies[clients] = { body: [] };
    open();
    await find();
    await screen.findByText(
      'There are no Clients for the selected criteria, please revise your search criteria and try again',
    );
    expect(button('DOWNLOAD').disabled).toBe(true);
  });

  it("show that they couldn't load, and retry", async () => {
    const found = replies[clients];
    replies[clients] = { status: 500 };
    open();
    await find();
    expect(await messageText()).toBe(general);
    replies[clients] = found;
    await userEvent.click(button('Try again'));
    await screen.findByRole('table', { name: 'Clients' });
  });

  it('disappear when the selection changes', async () => {
    open();
    await find();
    await screen.findByRole('table', { name: 'Clients' });
    await userEvent.click(button('Change'));
    await userEvent.click(screen.getByRole('radio', { name: 'Auto' }));
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('are stored in the history, and Reset deletes them', async () => {
    const history = open();
    await find();
    await waitFor(() => expect(history.location.state.kept).toBeDefined());
    expect(history.location.href).toBe('/ClientList');
    cleanup();

    open(undefined, history);
    await screen.findByRole('table', { name: 'Clients' });
    await screen.findByText('Hopper, Grace');
    await userEvent.click(button('Reset'));
    expect(screen.queryByRole('table')).toBeNull();
    expect((await picker('Tax ID')).value).toBe('');
    await waitFor(() => expect(history.location.state.kept).toBeUndefined());
  });
});

describe('the download', () => {
  it('contains the filtered clients', async () => {
    open();
    await find();
    await userEvent.type(await screen.findByRole('textbox', { name: 'Filter by Client' }), 'ash');
    await userEvent.click(button('DOWNLOAD'));
    const [, cells] = vi.mocked(saveXlsx).mock.lastCall ?? [];
    expect(cells?.slice(6, 9)).toEqual([['Filter: Client', 'ash'], ['Filtered', '1 of 2 clients'], []]);
    expect(cells?.slice(10).map(([client]) => client)).toEqual(['ash Casualty']);
    await waitFor(() => expect(button('DOWNLOAD').getAttribute('aria-disabled')).toBeNull());
    await userEvent.type(screen.getByRole('textbox', { name: 'Filter by Client' }), 'x');
    expect(button('DOWNLOAD').disabled).toBe(true);
  });

  it('shows that the list has more clients', async () => {
    replies[clients] = { body: [makeClient()], headers: { 'X-Limited-To': '5000' } };
    open();
    await find();
    await screen.findByRole('table', { name: 'Clients' });
    await userEvent.click(button('DOWNLOAD'));
    const [, cells] = vi.mocked(saveXlsx).mock.lastCall ?? [];
    expect(cells?.slice(6, 8)).toEqual([['Limited to', '5,000 clients'], []]);
  });

  it('contains the criteria and the clients as in the table, and pauses half a second', async () => {
    open();
    await find();
    await screen.findByRole('table', { name: 'Clients' });
    vi.useFakeTimers({ now: new Date(2026, 2, 5, 12), toFake: ['Date'] });
    const later = vi.spyOn(window, 'setTimeout');
    await userEvent.click(button('DOWNLOAD'));
    vi.useRealTimers();
    const [name, cells, look] = vi.mocked(saveXlsx).mock.lastCall ?? [];
    expect(name).toBe('Client_List.xlsx');
    expect(cells).toEqual([
      ['Line of Business', "Workers' Comp"],
      ['Tax ID', '111111111'],
      ['Provider ID', '500'],
      ['State', 'OH'],
      ['Product', 'Primary PPO'],
      ['Date', '03/05/2026'],
      [],
      [
        'Client',
        'Affiliated Payor',
        'Electronic Claims',
        'Billing Attention',
        'Billing Address',
        'Electronic Claims Phone',
        'Billing Phone',
        'Payor ID',
      ],
      expect.arrayContaining(['ash Casualty']),
      [
        'Birch Mutual',
        'Harbor Mutual',
        'Direct',
        'Bill Review',
        'PO Box 1, Akron, OH 44301',
        '216-555-0100',
        '216-555-0101',
        '60054',
      ],
    ]);
    expect(look).toMatchObject({ boldRows: [7] });
    expect(look?.columnWidths).toHaveLength(8);

    expect(later).toHaveBeenCalledWith(expect.any(Function), 500);
    expect(button('DOWNLOAD').getAttribute('aria-disabled')).toBe('true');
    await waitFor(() => expect(button('DOWNLOAD').getAttribute('aria-disabled')).toBeNull());
  });

  it('shows when it failed', async () => {
    vi.mocked(saveXlsx).mockRejectedValueOnce(new Error('no room'));
    open();
    await find();
    await screen.findByRole('table', { name: 'Clients' });
    await userEvent.click(button('DOWNLOAD'));
    await screen.findByText("Couldn't create the download. Try again.");
    expect(button('DOWNLOAD').getAttribute('aria-disabled')).toBeNull();
  });
});

describe('without Tax IDs', () => {
  it.each<[Session['user']['typeCd'], string]>([
    ['IRAD', "The Client List is based on a user's Tax IDs. Mirror a user from User Search."],
    ['ISAD', "The Client List is based on a user's Tax IDs. Mirror a user from User Search."],
    ['PRAD', 'Your group has no Tax IDs (TINs) yet. Add one under Manage TINs.'],
    [
      'PRUS',
      "No Tax IDs (TINs) are assigned to your account. Ask your group's administrator to assign them.",
    ],
  ])('%s sees what to do', async (typeCd, text) => {
    replies['GET /ftin/userFtins/prad.demo'] = { body: [] };
    open(makeSession({ user: makeUser({ typeCd }) }));
    await waitFor(() => expect(screen.getByRole('main').textContent).toContain(text));
  });

  it('after a failed request, it can be tried again', async () => {
    const found = replies['GET /ftin/userFtins/prad.demo'];
    replies['GET /ftin/userFtins/prad.demo'] = { status: 400 };
    open();
    expect(await messageText()).toBe(general);
    replies['GET /ftin/userFtins/prad.demo'] = found;
    await userEvent.click(button('Try again'));
    await picker('Tax ID');
  });
});
