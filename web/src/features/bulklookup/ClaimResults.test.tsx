import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { Problem } from '@/api/client';
import {
  type Call,
  configure,
  fakeServer,
  makeSession,
  makeUser,
  neverReplies,
  type Replies,
} from '@/api/testing';
import type { Session } from '@/api/types';
import { upload } from '@/api/upload';
import { renderScreens } from '@/shared/testing';
import { summarize } from './ClaimResults';
import { isX12 } from './criteria';
import FindManyPage from './FindManyPage';
import type { Claim, ClaimPage } from './queries';
import { makeFound, makeJob } from './testing';

vi.mock(import('@/api/upload'));

const makeClaim = (part: Partial<Claim> = {}): Claim => ({
  line: 1,
  outcome: 'found',
  problem: '',
  patientControlNumber: 'A1',
  ftin: '111111111',
  patientFirstName: 'Ada',
  patientLastName: 'Brook',
  beginServiceDate: '2026-06-03',
  endServiceDate: '2026-06-04',
  charge: 300,
  matches: 1,
  bills: [makeFound()],
  differences: [],
  ...part,
});

const makePage = (rows: Claim[]): ClaimPage => ({
  rows,
  count: rows.length,
  asOf: '2026-08-20T13:02:00Z',
  warnings: ['We skipped 1 transaction set without bills we can read.'],
  counts: (['found', 'different', 'several', 'none', 'unreadable'] as const).map((outcome) => ({
    outcome,
    bills: rows.filter((row) => row.outcome === outcome).length,
    charges: rows.reduce((sum, row) => (row.outcome === outcome ? sum + row.charge : sum), 0),
  })),
});

const rows = [
  makeClaim({ line: 1, outcome: 'none', matches: 0, bills: [], patientControlNumber: 'A0', charge: 1250.4 }),
  makeClaim({ line: 2 }),
  makeClaim({
    line: 3,
    outcome: 'different',
    patientControlNumber: 'A2',
    differences: [
      { field: 'charge', sent: '300.00', onFile: '280.00' },
      { field: 'lastName', sent: '', onFile: 'Brook' },
    ],
  }),
  makeClaim({
    line: 4,
    outcome: 'several',
    matches: 2,
    bills: [makeFound(), makeFound({ id: 'page-2', billControlNumber: '7002' })],
  }),
  makeClaim({
    line: 5,
    outcome: 'unreadable',
    matches: 0,
    bills: [],
    problem: 'Segment 9, CLM02: no charge.',
  }),
];

let replies: Replies;
let sent: Call[];
const claims = 'GET /work/findMany/jobs/JOB1/claims';

beforeEach(async () => {
  vi.mocked(upload).mockReset();
  vi.mocked(upload).mockResolvedValue({ id: 'JOB1', claims: true, columns: [], sample: [], warnings: [] });
  await configure();
  replies = {
    'GET /codes': { body: [] },
    'GET /work/findMany/jobs': { body: [makeJob({ claims: true, fileName: 'sent.837' })] },
    'GET /work/findMany/jobs/JOB1': { body: makeJob({ claims: true }) },
    'POST /work/findMany/files/JOB1/run': { body: makeJob({ claims: true, status: 'waiting' }) },
    [claims]: { body: makePage(rows) },
  };
  sent = fakeServer(replies);
});

function open(part: Partial<Session> = {}) {
  const screens = { '/work/find-many': FindManyPage, '/work/bill/$id': () => <h1>Bill</h1> };
  renderScreens(screens, makeSession({ permissions: ['work.find'], ...part }));
}

const field = () => screen.findByRole('textbox', { name: 'Paste a column or a table' });
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const isa = 'ISA*00*          *00*          *ZZ*OFFICE~GS*HC~';

async function pasteAndContinue(text = isa) {
  await userEvent.click(await field());
  await userEvent.paste(text);
  await press('Continue');
}

const results = () => screen.findByRole('heading', { name: /^You sent 5 bills/ });

test('a pasted 837 is looked up, and each bill has its result', async () => {
  open();
  await pasteAndContinue();
  const heading = await results();
  expect(heading.textContent).toBe(
    'You sent 5 bills. 2 are on file, 1 is not. 1 with multiple matches, 1 unreadable.',
  );
  expect(document.activeElement).toBe(heading);
  const [address, form] = vi.mocked(upload).mock.calls[0] as Parameters<typeof upload>;
  const file = form.get('file') as File;
  expect([address, file.name, await file.text()]).toEqual(['/work/findMany/files', 'Pasted 837.edi', isa]);
  expect(sent.find(({ call }) => call === 'POST /work/findMany/files/JOB1/run')?.body).toEqual({
    columns: [],
    headerRows: 0,
  });
  const table = within(screen.getByRole('table', { name: 'All bills sent' }));
  const cells = table
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));
  expect(cells[0]).toEqual([
    'A0',
    'Brook, Ada',
    '06/03/2026 – 06/04/2026',
    '111111111',
    '$1,250.40',
    'Not on file',
    '',
  ]);
  expect(cells[1]?.[5]).toBe('7001');
  expect(cells[3]).toEqual(['ChargeSent $300.00On file $280.00Last nameSent NoneOn file Brook']);
  expect(cells[4]?.[5]).toBe('2 matches');
  expect(table.getByRole('link', { name: 'Bill 7002' })).toBeTruthy();
  expect(cells.at(-1)).toEqual(['Segment 9, CLM02: no charge.']);
  expect(screen.getByText(/^We skipped 1 transaction set/)).toBeTruthy();
});

test('a count filters its bills, and a second click shows all', async () => {
  open();
  await pasteAndContinue();
  await results();
  await press(/^Not on file \$1,250 1 bill$/);
  expect(await screen.findByRole('table', { name: 'Not on file' })).toBeTruthy();
  await waitFor(() => expect(sent.at(-1)?.query).toContain('outcome=none'));
  await press(/^Not on file/);
  expect(await screen.findByRole('table', { name: 'All bills sent' })).toBeTruthy();
});

test('earlier results open from the list of files, and lead back to a new list', async () => {
  open();
  await field();
  await userEvent.click(await screen.findByRole('button', { name: 'View results for sent.837' }));
  await results();
  expect(screen.getByRole('link', { name: 'Download XLSX' }).getAttribute('href')).toContain(
    '/work/findMany/jobs/JOB1/result.xlsx',
  );
  await press('New list');
  expect(document.activeElement).toBe(await field());
});

test('a running and a failed lookup', async () => {
  replies['GET /work/findMany/jobs/JOB1'] = { body: makeJob({ status: 'waiting', done: 500, rows: 1200 }) };
  open();
  await pasteAndContinue();
  expect(await screen.findByText(/^Looking up the bills of Pasted 837.edi/)).toBeTruthy();
  replies['GET /work/findMany/jobs/JOB1'] = { body: makeJob({ status: 'failed' }) };
  expect(
    await screen.findByText(/Couldn't look up Pasted 837.edi. Send the file again./, {}, { timeout: 3000 }),
  ).toBeTruthy();
});

test('a deleted lookup', async () => {
  const message = 'This lookup is no longer available. Upload the file again.';
  replies['GET /work/findMany/jobs/JOB1'] = { status: 404, body: { message } };
  open();
  await pasteAndContinue();
  expect(await screen.findByText(message)).toBeTruthy();
  await press('New list');
  expect(await field()).toBeTruthy();
});

test('a double click sends a pasted 837 once', async () => {
  vi.mocked(upload).mockReturnValue(neverReplies());
  open();
  await userEvent.click(await field());
  await userEvent.paste(isa);
  await userEvent.dblClick(screen.getByRole('button', { name: 'Continue' }));
  expect(upload).toHaveBeenCalledTimes(1);
});

test('a damaged 837 is refused at the field it came from', async () => {
  const message = 'Segment 5, CLM: the file ends before SE closes segment 3.';
  vi.mocked(upload).mockRejectedValue(new Problem(400, 'INVALID', message));
  open();
  await pasteAndContinue();
  expect((await screen.findByText(message)).closest('[class*="file"]')).toBeNull();
  expect((await field()).getAttribute('aria-invalid')).toBe('true');
});

test('nobody looks up an 837 while mirroring', async () => {
  open({ mirroredUser: makeUser({ userNm: 'ada' }) });
  await pasteAndContinue();
  expect(screen.getByText("Error: You can't look up an 837 while mirroring. Revert first.")).toBeTruthy();
  expect(upload).not.toHaveBeenCalled();
});

test('an 837 is recognized by its ISA segment', () => {
  expect([isa, ' \nisa|00|', 'ISA,Bill', 'ISABEL', 'Bill ISA*', ''].map(isX12)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('the summary has only what occurs', () => {
  expect(summarize(makePage([makeClaim()]).counts)).toBe('You sent 1 bill. 1 is on file, 0 are not.');
});
