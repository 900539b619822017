import type { RouterHistory } from '@tanstack/react-router';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { type Call, fakeServer, makeSession, makeValue, type Replies } from '@/api/testing';
import { makeReason, renderScreens } from '@/shared/testing';
import DeskReasonsPage from './DeskReasonsPage';
import type { DeskCode } from './queries';
import ReasonsPage from './ReasonsPage';

const reasons = [
  makeReason({ list: 'CAGC', code: 'QO', title: 'Nobody bears this part.' }),
  makeReason({ code: '7', title: 'The fee schedule allows less.', plain: 'It is as in 16.' }),
  makeReason({ code: '16', title: 'A paper is missing.', advice: 'Send the <b>paper</b>.' }),
  makeReason({
    code: '16',
    jurisdiction: 'CA',
    title: 'A form is missing.',
    status: 'ENDED',
    ended: '2025-12-31',
  }),
  makeReason({ list: 'RARC', code: 'QN1', official: 'As its owner says.' }),
];

const makeDeskCode = (part: Partial<DeskCode>) =>
  makeValue('DeskCode', { list: 'CARC', code: 'Q1', ...part });

const listed = [
  makeDeskCode({ list: 'RARC', code: 'QX9', bills: 12, lastSeen: '2026-02-28' }),
  makeDeskCode({
    code: 'Q1',
    title: 'Ours.',
    plain: 'More.',
    version: 3,
    bills: 1200,
    lastSeen: '2026-03-01',
    updatedAt: '2026-03-02T15:00:00Z',
    updatedBy: 'isad',
  }),
];

let replies: Replies;
let calls: Call[];
beforeEach(() => {
  replies = {
    'GET /codes': { body: reasons },
    'GET /codes/desk': { body: { countedAt: '2026-03-02T06:00:00Z', since: '2025-12-02', codes: listed } },
    'GET /codes/CARC/Q1/earlier': {
      body: [{ ...makeReason({ title: 'What it was.' }), until: '2026-03-02T15:00:00Z', by: 'isad' }],
    },
  };
  calls = fakeServer(replies);
});

function open(path: '/work/reasons' | '/desk/reasons', permissions: string[], history?: RouterHistory) {
  const screens = { '/work/reasons': ReasonsPage, '/desk/reasons': DeskReasonsPage };
  return renderScreens(screens, makeSession({ permissions }), { at: path, history });
}

const codes = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent?.split(' ')[0]);
const manages = ['codes.read', 'desk.open', 'codes.manage'];

test('reason codes are grouped by list, and found by code or word', async () => {
  open('/work/reasons', ['codes.read']);
  await screen.findByRole('heading', { name: 'Claim adjustment reason codes (CARC)' });
  expect(screen.getByText('5 codes')).toBeTruthy();
  const typed = screen.getByRole('searchbox', { name: 'Code or keyword' });
  const seek = async (text: string) => {
    await userEvent.clear(typed);
    await userEvent.type(typed, text);
  };
  await seek('16');
  await waitFor(() => expect(codes()).toEqual(['16', '16', '7'])); // the code itself first
  await seek('qo-16');
  await waitFor(() => expect(codes()).toEqual(['QO', '16', '16']));
  await seek('MISSING paper');
  await waitFor(() => expect(codes()).toEqual(['16']));
  await seek('owner');
  await waitFor(() => expect(codes()).toEqual(['QN1']));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'List' }), 'CARC');
  expect(await screen.findByText('No matching codes')).toBeTruthy();
  expect(screen.getByText('0 codes')).toBeTruthy();
  await seek('MA130');
  expect(await screen.findByText("We don't have an explanation for this code yet.")).toBeTruthy();
});

test('a button shows the next steps as text, and an inactive code says so', async () => {
  open('/work/reasons', ['codes.read']);
  await userEvent.click(await screen.findByRole('button', { name: 'What can I do? About 16' }));
  expect(screen.getByText('Send the <b>paper</b>.')).toBeTruthy();
  expect(screen.getByText('Inactive')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'What can I do? About 16 in CA' }));
  expect(screen.getByText('This code has been inactive since 12/31/2025.')).toBeTruthy();
});

test('a search is restored from the history', async () => {
  const { history, unmount } = open('/work/reasons', ['codes.read']);
  await userEvent.type(await screen.findByRole('searchbox'), 'paper');
  await waitFor(() => expect(history.location.state.kept?.criteria).toEqual({ text: 'paper', list: '' }));
  expect(history.location.href).toBe('/work/reasons');
  unmount();
  open('/work/reasons', ['codes.read'], history);
  await waitFor(() => expect(codes()).toEqual(['16']));
  expect((screen.getByRole('searchbox') as HTMLInputElement).value).toBe('paper');
});

test("reason codes that couldn't load can be requested again", async () => {
  replies['GET /codes'] = [{ status: 503 }, { body: reasons }];
  open('/work/reasons', ['codes.read']);
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('5 codes')).toBeTruthy();
});

test('the desk lists codes with the number of bills, and when that was counted', async () => {
  open('/desk/reasons', ['codes.read', 'desk.open']);
  const table = await screen.findByRole('table', { name: 'Codes' });
  const [first, second] = within(table).getAllByRole('row').slice(2);
  expect(first?.textContent).toContain('RARCQX9No explanation yet1202/28/2026');
  expect(second?.textContent).toContain('1,20003/01/2026Active03/02/2026 by isad');
  expect(screen.getByText(/^Bills paid since 12\/02\/2025, as of /)).toBeTruthy();
  // Read-only users can't change anything.
  expect(screen.queryByRole('button', { name: /Edit|Add explanation|Import/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'View CARC Q1' }));
  const dialog = await screen.findByRole('dialog', { name: 'CARC Q1' });
  expect(within(dialog).getByLabelText('Summary').closest('fieldset')?.disabled).toBe(true);
  expect(await within(dialog).findByText('What it was.')).toBeTruthy();
});

test('an explanation replaces the version that was loaded', async () => {
  replies['PUT /codes/CARC/Q1'] = { body: makeDeskCode({ version: 4 }) };
  open('/desk/reasons', manages);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit CARC Q1' }));
  const title = screen.getByLabelText('Summary');
  await userEvent.clear(title);
  await userEvent.type(title, 'It does not add up.');
  await userEvent.type(screen.getByLabelText('End date'), '12/31/2025');
  await userEvent.selectOptions(screen.getByLabelText('Status'), 'ENDED');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('CARC Q1 saved')).toBeTruthy();
  expect(calls.find(({ call }) => call.startsWith('PUT'))?.body).toMatchObject({
    jurisdiction: '',
    version: 3,
    title: 'It does not add up.',
    plain: 'More.',
    status: 'ENDED',
    ended: '2025-12-31',
  });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test("an error appears at its field, and another user's change isn't overwritten", async () => {
  replies['PUT /codes/CARC/Q1'] = [
    {
      status: 400,
      body: { message: 'No.', fields: [{ path: 'ended', code: 'INVALID', message: 'Enter another day' }] },
    },
    {
      status: 409,
      body: {
        code: 'STALE',
        version: '7',
        fields: [
          { path: 'title', code: 'CHANGED', message: '', value: 'What they say.' },
          { path: 'advice', code: 'CHANGED', message: '', value: 'Call.' },
        ],
      },
    },
    { body: makeDeskCode({ version: 8 }) },
  ];
  open('/desk/reasons', manages);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit CARC Q1' }));
  await userEvent.type(screen.getByLabelText('What can I do?'), 'Ask.');
  const save = screen.getByRole('button', { name: 'Save' });
  await userEvent.click(save);
  expect(await screen.findByRole('link', { name: 'Error: Enter another day' })).toBeTruthy();
  await userEvent.type(screen.getByLabelText('End date'), '12/31/2026');
  await userEvent.click(save);
  const row = await screen.findByRole('row', { name: /^What can I do\?/ });
  expect(
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['Call.', 'Ask.']);
  expect((screen.getByLabelText('What can I do?') as HTMLTextAreaElement).value).toBe('Ask.');
  await userEvent.click(screen.getByRole('button', { name: 'Apply mine' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.filter(({ call }) => call === 'PUT /codes/CARC/Q1').at(-1)?.body).toMatchObject({
    title: 'What they say.',
    advice: 'Ask.',
    version: 7,
  });
});

test('a new explanation needs its code', async () => {
  replies['PUT /codes/RARC/QN7'] = { body: makeDeskCode({ version: 1 }) };
  open('/desk/reasons', manages);
  await userEvent.click(await screen.findByRole('button', { name: 'Add explanation' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('link', { name: 'Error: Select a list' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Error: Enter a code' })).toBeTruthy();
  await userEvent.selectOptions(
    screen.getByLabelText(/^List/, { selector: 'dialog select, [role=dialog] select' }),
    'RARC',
  );
  await userEvent.type(screen.getByRole('textbox', { name: /^Code/ }), 'qn7');
  await userEvent.type(screen.getByLabelText('State'), 'ca');
  await userEvent.type(screen.getByLabelText('Summary'), 'A paper is missing.');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('RARC QN7 CA saved')).toBeTruthy();
  expect(calls.find(({ call }) => call.startsWith('PUT'))?.body).toMatchObject({
    jurisdiction: 'CA',
    version: 0,
  });
});

test('a table is imported, and its rejected rows are listed', async () => {
  replies['POST /codes/import'] = [
    {
      status: 400,
      body: {
        message: 'Nothing was taken: the file cannot be read.',
        fields: [{ path: 'csv', code: 'INVALID', message: 'line 1, kind: this column is not known' }],
      },
    },
    {
      body: {
        ...{ rows: 3, taken: 1, updated: 0, unchanged: 0, rejected: 2, more: 1 },
        problems: [{ line: 3, column: 'list', message: 'is none of CAGC' }],
      },
    },
  ];
  open('/desk/reasons', manages);
  await userEvent.click(await screen.findByRole('button', { name: 'Import CSV' }));
  const dialog = await screen.findByRole('dialog', { name: 'Import CSV' });
  const choose = (file: File) =>
    userEvent.upload(dialog.querySelector('input[type=file]') as HTMLInputElement, file);
  const go = within(dialog).getByRole('button', { name: 'Import' });
  await choose(new File(['list,kind\n'], 'a.csv', { type: 'text/csv' }));
  await userEvent.click(go);
  expect(
    await screen.findByText(/the file cannot be read\. line 1, kind: this column is not known/),
  ).toBeTruthy();
  // As older spreadsheet programs save it: not UTF-8.
  await choose(new File([new Uint8Array([0x6c, 0xe9, 0x0a])], 'b.csv', { type: 'text/csv' }));
  await userEvent.click(go);
  expect(await screen.findByText('3 rows: 1 added, 0 updated, 0 unchanged, 2 rejected.')).toBeTruthy();
  expect(
    within(screen.getByRole('list', { name: 'Rejected rows' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Line 3, list: is none of CAGC', 'and 1 more']);
  expect(calls.filter(({ call }) => call === 'POST /codes/import').map(({ body }) => body)).toEqual([
    { csv: 'list,kind\n' },
    { csv: 'lé\n' },
  ]);
});

test('users without access see so', async () => {
  open('/work/reasons', []);
  expect(await screen.findByText("You don't have access")).toBeTruthy();
  expect(calls).toEqual([]);
});
