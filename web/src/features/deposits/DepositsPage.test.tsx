import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Problem } from '@/api/client';
import {
  type Call,
  configure,
  fakeServer,
  listCalls,
  makeSession,
  makeUser,
  makeValue,
  type Replies,
} from '@/api/testing';
import type { Session } from '@/api/types';
import { upload } from '@/api/upload';
import { renderScreens } from '@/shared/testing';
import { download } from '@/ui/window';
import type { Deposit, Matched, Remittance } from './answers';
import DepositsPage from './DepositsPage';

vi.mock(import('@/api/upload'));
vi.mock(import('@/ui/window'), async (original) => ({ ...(await original()), download: vi.fn() }));

const makeRemittance = (part: Partial<Remittance> = {}) =>
  makeValue('RemittanceRow', {
    id: 'sealed-1',
    paidOn: '2026-08-18',
    payer: 'Beacon Mutual',
    number: '40081',
    method: 'CHK',
    amount: 80,
    kind: 'whole',
    bills: 25,
    balanced: true,
    duplicate: '',
    ftin: '111111111',
    content: '8000 8000 0 25 0',
    ...part,
  });

const makeDeposit = (part: Partial<Deposit> = {}) =>
  makeValue('MatchedDeposit', {
    line: 2,
    on: '2026-08-20',
    amount: 80,
    trace: '40081',
    answer: 'matched',
    remittances: [makeRemittance()],
    ...part,
  });

const makeMatched = (part: Partial<Matched> = {}): Matched => ({
  deposits: [
    makeDeposit(),
    makeDeposit({
      line: 3,
      trace: '40028',
      amount: 12.5,
      answer: 'proposed',
      candidates: 2,
      remittances: [makeRemittance({ id: 'sealed-2', number: '40082', amount: 12.5 })],
    }),
    makeDeposit({ line: 4, trace: '7', amount: 0.1, answer: 'none', remittances: [] }),
    makeDeposit({ line: 5, amount: 80, answer: 'repeated', otherLine: 2, remittances: [] }),
  ],
  remittances: [{ answer: 'missing', remittance: makeRemittance({ id: 'sealed-3', number: '40083' }) }],
  unmatched: [{ answer: 'missing', count: 1, amount: 80 }],
  from: '2026-08-06',
  to: '2026-08-25',
  asOf: '2026-08-20T13:02:00Z',
  ...part,
});

const list = {
  columns: [
    { index: 0, name: 'Date', kind: 'date' },
    { index: 1, name: 'Amount', kind: 'amount' },
    { index: 2, name: 'Check', kind: 'trace' },
  ],
  headerRows: 1,
  rows: [
    ['Date', 'Amount', 'Check'],
    ['08/20/2026', '80.00', '40081'],
  ],
  warnings: [],
};

let replies: Replies;
let sent: Call[];

beforeEach(async () => {
  vi.mocked(upload).mockReset().mockResolvedValue(list);
  vi.mocked(download).mockReset();
  await configure();
  replies = {
    'GET /ftin/userFtins/prus.demo': { body: [{ ftin: '111111111' }] },
    'POST /work/deposits': { body: makeMatched() },
    'PUT /remittancePosts': { body: [{ posted: { by: 'You', at: '', state: 'posted', amount: 80 } }] },
  };
  sent = fakeServer(replies);
});

function open(part: Partial<Session> = {}) {
  return renderScreens(
    { '/work/deposits': DepositsPage, '/work/remittance/$id': () => <h1>Remittance</h1> },
    makeSession({
      user: makeUser({ userNm: 'prus.demo' }),
      permissions: ['remittances.read', 'remittances.post'],
      ...part,
    }),
  ).history;
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const getBodies = (name: string) => sent.filter(({ call }) => call === name).map(({ body }) => body);

async function match() {
  await userEvent.type(await screen.findByRole('textbox', { name: /^Paste dates/ }), 'a');
  await press('Match');
  return within(await screen.findByRole('table', { name: 'Deposits' }));
}

describe('matching', () => {
  test('a pasted list is read and matched in one step, with the problems first', async () => {
    open();
    const table = await match();
    const [path, form = new FormData()] = vi.mocked(upload).mock.calls[0] ?? [];
    expect([path, (form.get('file') as File).name]).toEqual(['/work/deposits/read', 'Pasted list.txt']);
    expect(getBodies('POST /work/deposits')).toEqual([
      {
        columns: list.columns.map(({ index, kind }) => ({ index, kind })),
        headerRows: 1,
        rows: list.rows,
      },
    ]);
    const rows = table.getAllByRole('row').slice(2);
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringContaining('No remittance'),
      expect.stringContaining('Same as line 2'),
      expect.stringContaining('1 of 2 with this amount'),
      expect.stringContaining('Matched'),
    ]);
    expect([...(rows[2]?.querySelectorAll('mark') ?? [])].map((mark) => mark.textContent)).toEqual([
      '2',
      '2',
    ]);
    // A repeated line isn't another deposit.
    expect(screen.getByText('$80.00 of $92.60')).toBeTruthy();
    expect(
      within(screen.getByRole('table', { name: 'Remittances without a deposit' })).getByRole('link', {
        name: '40083',
      }),
    ).toBeTruthy();
  });

  test('sheets that are not read are named', async () => {
    vi.mocked(upload).mockResolvedValue({ ...list, warnings: ['We read only the first sheet.'] });
    open();
    await match();
    expect(screen.getByText('We read only the first sheet.')).toBeTruthy();
  });

  test('unclear columns are asked for first', async () => {
    vi.mocked(upload).mockResolvedValue({
      ...list,
      columns: list.columns.map((column) => ({ ...column, kind: '' })),
    });
    open();
    await userEvent.type(await screen.findByRole('textbox', { name: /^Paste dates/ }), 'a');
    await press('Match');
    expect(await screen.findByText('Select the date and the amount, or the trace number.')).toBeTruthy();
    expect(listCalls(sent)).not.toContain('POST /work/deposits');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Use Check as' }), 'trace');
    await press('Match 1 line');
    expect(await screen.findByRole('table', { name: 'Deposits' })).toBeTruthy();
    expect(getBodies('POST /work/deposits')[0]).toMatchObject({
      columns: [{ kind: '' }, { kind: '' }, { kind: 'trace' }],
    });
  });

  test('nothing pasted, and a file that cannot be read', async () => {
    open();
    await press('Match');
    expect(await screen.findByText('Error: Paste at least 1 line')).toBeTruthy();
    vi.mocked(upload).mockRejectedValue(new Problem(400, 'INVALID', 'Upload a CSV, XLSX or ACH file.'));
    await userEvent.type(screen.getByRole('textbox', { name: /^Paste dates/ }), 'a');
    await press('Match');
    expect(await screen.findByText('Upload a CSV, XLSX or ACH file.')).toBeTruthy();
  });

  test('a failed match can be repeated', async () => {
    replies['POST /work/deposits'] = [{ status: 500 }, { body: makeMatched() }];
    open();
    await userEvent.type(await screen.findByRole('textbox', { name: /^Paste dates/ }), 'a');
    await press('Match');
    await press('Try again');
    expect(await screen.findByRole('table', { name: 'Deposits' })).toBeTruthy();
  });

  test('a tile filters its deposits', async () => {
    open();
    const table = await match();
    await press(/^Proposed/);
    await waitFor(() => expect(table.getAllByRole('row')).toHaveLength(3));
    expect(table.getByRole('link', { name: '40082' })).toBeTruthy();
  });

  test('the matches are downloaded', async () => {
    replies['POST /work/deposits/export'] = { body: new Blob(['x']) };
    open();
    await match();
    await press('Download CSV');
    await waitFor(() => expect(download).toHaveBeenCalledWith(expect.anything(), 'Matched deposits.csv'));
    expect(getBodies('POST /work/deposits/export')[0]).toMatchObject({ format: 'csv', rows: list.rows });
  });
});

describe('marking as posted', () => {
  test('what matched is marked as it was seen, and can be undone', async () => {
    open();
    const table = await match();
    await press('Mark matched as posted (1)');
    expect(await screen.findByText('1 remittance marked as posted')).toBeTruthy();
    expect(getBodies('PUT /remittancePosts')).toEqual([
      { ids: ['sealed-1'], seen: ['8000 8000 0 25 0'], posted: true },
    ]);
    expect(table.getByRole('row', { name: /40081.*Posted$/ })).toBeTruthy();
    replies['PUT /remittancePosts'] = { body: [{}] };
    await press('Undo');
    expect(await screen.findByText('Change undone')).toBeTruthy();
    expect(getBodies('PUT /remittancePosts')[1]).toEqual({ ids: ['sealed-1'], posted: false });
    expect(await screen.findByRole('button', { name: 'Mark matched as posted (1)' })).toBeTruthy();
  });

  test('a selected proposal is marked', async () => {
    open();
    await match();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select line 3' }));
    await press('Mark selected as posted (1)');
    await screen.findByText('1 remittance marked as posted');
    expect(getBodies('PUT /remittancePosts')[0]).toMatchObject({ ids: ['sealed-2'] });
  });

  test('remittances that changed, or failed, are listed', async () => {
    replies['PUT /remittancePosts'] = {
      body: [{ posted: { by: 'You', at: '', state: 'partly', amount: 80 } }],
    };
    open();
    await match();
    await press('Mark matched as posted (1)');
    expect(await screen.findByText(/^1 remittance changed since you matched: 40081/)).toBeTruthy();
    replies['PUT /remittancePosts'] = { status: 404, body: { message: 'This link is no longer valid.' } };
    await press('Mark matched as posted (1)');
    expect(await screen.findByText(/^1 remittance not marked: 40081.*no longer valid/)).toBeTruthy();
  });

  test('users who mirror match, but mark nothing', async () => {
    open({ mirroredUser: makeUser({ userNm: 'prus.demo' }) });
    const table = await match();
    expect(table.queryByRole('checkbox')).toBeNull();
    expect(screen.queryByRole('button', { name: /as posted/ })).toBeNull();
    expect(screen.getByRole('button', { name: 'Download XLSX' })).toBeTruthy();
  });
});

test('users without the permission see so', async () => {
  open({ permissions: [] });
  expect(await screen.findByText("You don't have access")).toBeTruthy();
});
