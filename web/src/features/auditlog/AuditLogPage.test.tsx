import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { type Call, fakeServer, makeSession, makeUser, type Replies } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import { download } from '@/ui/window';
import AuditLogPage from './AuditLogPage';
import type { Entry } from './queries';

vi.mock(import('@/ui/window'), async (original) => ({ ...(await original()), download: vi.fn() }));

const asking = 'POST /audit/entries';
const makeEntry = (part: Partial<Entry> = {}): Entry => ({
  id: 7,
  at: '2026-03-02T15:00:00Z',
  who: 'prus.demo',
  actingFor: '',
  operation: 'searchByAssorted',
  subject: '111111111',
  answered: ['B-1', 'B-2', 'B-3', 'B-4'],
  result: 'ok',
  detail: '',
  from: '203.0.113.9',
  searched: true,
  ...part,
});

let replies: Replies;
let calls: Call[];
const sent = (call = asking) => calls.filter((made) => made.call === call).map(({ body }) => body);

beforeEach(() => {
  replies = { [asking]: { body: { rows: [makeEntry()], following: 1 } } };
  calls = fakeServer(replies);
});

const show = (permissions = ['audit.read'], grpInfoId: number | null = null) =>
  renderScreens({ '/': AuditLogPage }, makeSession({ user: makeUser({ grpInfoId }), permissions }));

const nothing = { person: '', subject: '', operation: '', from: '', to: '' };
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

it('shows who did what, for whom, to what, when and from where', async () => {
  replies[asking] = {
    body: {
      rows: [
        makeEntry(),
        makeEntry({
          id: 6,
          who: 'isad.demo',
          actingFor: 'prad.demo',
          result: 'refused',
          answered: [],
          searched: false,
        }),
        makeEntry({
          id: 4,
          operation: 'addBillNote',
          call: 'Write a note on a bill',
          result: 'refused',
          answered: [],
          searched: false,
        }),
        makeEntry({
          id: 5,
          who: '',
          operation: 'newCall',
          result: 'CODE',
          answered: ['B-9'],
          searched: false,
        }),
      ],
      following: 4,
    },
  };
  show();
  await screen.findByRole('cell', { name: 'isad.demo' });
  const rows = screen.getAllByRole('row').slice(1);
  expect(
    rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ),
  ).toEqual([
    [
      '03/02/2026 10:00:00 AM',
      'prus.demo',
      '',
      'Searched bills',
      '111111111',
      'B-1, B-2, B-3 and 1 more',
      '203.0.113.9',
      'Search criteria by prus.demo, 10:00:00 AM',
    ],
    [
      '03/02/2026 10:00:00 AM',
      'isad.demo',
      'prad.demo',
      'Searched bills (denied)',
      '111111111',
      '',
      '203.0.113.9',
      '',
    ],
    [
      '03/02/2026 10:00:00 AM',
      'prus.demo',
      '',
      'Write a note on a bill (denied)',
      '111111111',
      '',
      '203.0.113.9',
      '',
    ],
    ['03/02/2026 10:00:00 AM', 'Not signed in', '', 'newCall (CODE)', '111111111', 'B-9', '203.0.113.9', ''],
  ]);
  expect(sent()).toEqual([{ search: nothing, skip: 0, pageSize: 25 }]);
});

it("requests the form's criteria, with dates in the server's format", async () => {
  show();
  await userEvent.type(await screen.findByLabelText('User'), ' prus.demo ');
  await userEvent.type(screen.getByLabelText('Subject'), '111111111 B-1');
  await userEvent.selectOptions(screen.getByLabelText('Action'), 'Opened an EOR');
  await userEvent.type(screen.getByLabelText('From'), '3/2/2026');
  await userEvent.type(screen.getByLabelText('To'), '3/1/2026');
  await press('Search');
  await screen.findByText('Error: End date must be on or after the start date');
  await userEvent.clear(screen.getByLabelText('To'));
  await userEvent.type(screen.getByLabelText('To'), '3/4/2026');
  await press('Search');
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[1]).toMatchObject({
    search: {
      person: 'prus.demo',
      subject: '111111111 B-1',
      operation: 'open-eor',
      from: '2026-03-02',
      to: '2026-03-04',
    },
  });
});

it('finds accounts created on a screen', async () => {
  show();
  const option = await screen.findByRole<HTMLOptionElement>('option', { name: 'Created an account' });
  expect(option.value).toBe('user-create');
});

it.each([
  [null, true],
  [7, false],
])("offers the network's own operations to group %s: %s", async (group, offered) => {
  show(['audit.read'], group);
  expect((await screen.findAllByRole('option', { name: 'Opened a remittance' })).length).toBe(1);
  expect(screen.queryByRole('option', { name: 'Added an import source' }) !== null).toBe(offered);
});

it("requests a page by the previous page's end, and continues counting", async () => {
  const page = (from: number) =>
    Array.from({ length: 25 }, (_, n) => makeEntry({ id: from - n, who: `w${from - n}` }));
  replies[asking] = (body) => {
    const { after } = body as { after?: { id: number } };
    return { body: { rows: page(after ? after.id - 1 : 9000), following: 1001 } };
  };
  show();
  await screen.findByRole('cell', { name: 'w9000' });
  expect(screen.getByText('1-25 of 1,000')).toBeTruthy();
  expect(screen.getByText(/^More than 1,000 entries follow/)).toBeTruthy();
  await press('Next');
  await screen.findByRole('cell', { name: 'w8975' });
  expect(screen.getByText('26-50 of 1,025')).toBeTruthy();
  expect(sent()[1]).toEqual({
    search: nothing,
    after: { at: '2026-03-02T15:00:00Z', id: 8976 },
    skip: 0,
    pageSize: 25,
  });
  await press('Last');
  await waitFor(() => expect(sent()).toHaveLength(3));
  expect(sent()[2]).toMatchObject({ after: { id: 8951 }, skip: 950 });
});

it('requests the search criteria only after a click', async () => {
  replies['GET /audit/entries/7/search'] = {
    body: [
      { name: 'beginServiceDate', value: '2026-01-01' },
      { name: 'claimNumber', value: 'WC-77' },
    ],
  };
  show();
  await screen.findByRole('cell', { name: 'prus.demo' });
  expect(calls).toHaveLength(1);
  await press(/^Search criteria/);
  const dialog = await screen.findByRole('dialog', { name: 'Search criteria' });
  await within(dialog).findByText('WC-77');
  expect(dialog.textContent).toContain('Claim NumberWC-77Service from01/01/2026AnsweredB-1, B-2, B-3, B-4');
});

it('saves the results as CSV', async () => {
  vi.mocked(download).mockReset();
  replies['POST /audit/export'] = { body: 'When (UTC),Who' };
  show();
  await screen.findByRole('cell', { name: 'prus.demo' });
  await press('Export CSV');
  await waitFor(() =>
    expect(vi.mocked(download).mock.calls.map(([, name]) => name)).toEqual(['AuditLog.csv']),
  );
  expect(sent('POST /audit/export')).toEqual([nothing]);
  replies['POST /audit/export'] = { status: 500 };
  await press('Export CSV');
  expect(await screen.findByText("Couldn't export the table. Try again.")).toBeTruthy();
});

it('requests nothing for users without access', async () => {
  show([]);
  await screen.findByRole('heading', { name: 'Audit log' });
  expect(calls).toEqual([]);
});
