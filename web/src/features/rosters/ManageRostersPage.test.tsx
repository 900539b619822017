import type { HistoryState, RouterHistory } from '@tanstack/react-router';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { signIn } from '@/api/session';
import {
  configure,
  fakeServer,
  listCalls,
  makeSession,
  makeStream,
  makeUser,
  type Replies,
} from '@/api/testing';
import type { Session } from '@/api/types';
import { advanceTime, fakeTime, makeUserRow, renderScreens, replyWithPages } from '@/shared/testing';
import ManageRostersPage from './ManageRostersPage';
import type { SentRoster } from './queries';
import type { FileCheck, ProviderGroup, RosterCheck } from './roster';

const road = makeUser({ userNm: 'road.demo', typeCd: 'ROAD', grpInfoId: 1010 });
const account = makeUserRow({ userNm: 'road.demo', typeCd: 'ROAD', grpInfoId: 1010 });
const may = makeSession({ user: road, permissions: ['rosters.upload'] });

const user = 'GET /users/userByName/road.demo';
const history = 'POST /roster/uploadLogs/page';
const sources = 'GET /roster/source/group/1010';
const groups = 'GET /roster/sourceGroup/1010';
const check = 'POST /roster/check';

const group = (part: Partial<ProviderGroup> = {}): ProviderGroup => ({
  sourceGroupId: 20101,
  sourceId: 201,
  grpId: 'G1',
  grpName: 'Edgewater',
  adminGroupFlag: 'N',
  ...part,
});

const file = (part: Partial<SentRoster['files'][number]> = {}) => ({
  number: 1,
  fileName: 'July.csv',
  size: 9,
  checked: true,
  rows: 1200,
  badRows: 0,
  ...part,
});

const log = (part: Partial<SentRoster> = {}): SentRoster => ({
  logId: 1,
  grpName: 'Edgewater',
  uploadDt: '2026-07-01T15:00:00Z',
  updateType: 'full',
  uploadedByUserName: 'road.demo',
  fileName: 'July.csv',
  sourceId: 201,
  files: [file()],
  ...part,
});

const found = (part: Partial<FileCheck> = {}): FileCheck => ({
  fileName: 'July.csv',
  format: 'csv',
  checkId: '',
  unreadable: '',
  missing: [],
  ignored: [],
  sheets: [],
  headerRow: 1,
  rows: 3,
  badRows: 0,
  found: 0,
  problems: [],
  providers: 3,
  adds: 0,
  changes: 0,
  terms: 0,
  ...part,
});

const checked = (report: Partial<RosterCheck>) => () => ({
  body: makeStream(
    `data: {"file":0,"rows":1000}

event: report
data: ${JSON.stringify({ files: [], comparison: null, ...report })}

`,
  ),
});

let sent: FormData[] = [];
/** The responses to uploads, in order. An upload without a response stays in progress. */
let answers: { status: number; body: string }[] = [];

class FakeRequest {
  static open?: FakeRequest;
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onabort?: () => void;
  status = 0;
  statusText = '';
  responseText = '';
  open() {}
  setRequestHeader() {}
  send(form: FormData) {
    sent.push(form);
    FakeRequest.open = this;
    const next = answers.shift();
    if (next) setTimeout(() => this.answer(next.status, next.body));
  }
  answer(status: number, responseText: string) {
    Object.assign(this, { status, responseText });
    this.onload?.();
  }
  abort() {
    this.onabort?.();
  }
}

let router: { history: RouterHistory };

/**
 * Shows the screen with these replies, else with those for a roster administrator without
 * uploads.
 */
function show(replies: Replies = {}, session: Session = may, state: HistoryState = {}) {
  const calls = fakeServer({
    [user]: { body: account },
    [history]: replyWithPages([]),
    [sources]: { body: [201] },
    [groups]: { body: [group(), group({ sourceGroupId: 20102, grpId: 'G2', grpName: '' })] },
    [check]: checked({ files: [found()] }),
    ...replies,
  });
  ({ router } = renderScreens({ '/': ManageRostersPage }, session, { state, wrapper: StrictMode }));
  return calls;
}

beforeEach(() => {
  sent = [];
  answers = [];
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
});

const press = async (name: RegExp | string) => userEvent.click(await screen.findByRole('button', { name }));
const csv = (name = 'July.csv', content = 'NPI') => new File([content], name, { type: 'text/csv' });
const input = () => document.querySelector('input[type=file]') as HTMLInputElement;
const choose = (...files: File[]) => userEvent.upload(input(), files);
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

async function openForm() {
  await press('UPLOAD...');
  await screen.findByRole('option', { name: 'Edgewater (G1)' });
}

async function fill(...files: File[]) {
  await openForm();
  await userEvent.selectOptions(screen.getByLabelText(/^Provider Group/), 'Edgewater (G1)');
  await choose(...files);
}

describe('the history', () => {
  it('keeps its filters for Back and Reload', async () => {
    show({ [history]: replyWithPages([log()]) });
    await userEvent.type(await screen.findByLabelText('Filter by Provider Group'), 'edge');
    await waitFor(() => expect(router.history.location.state.list?.table.filters).toEqual({ group: 'edge' }));
  });

  it('shows sent rosters, N/A for empty values, and links to each file', async () => {
    show({
      [history]: replyWithPages([
        log({
          logId: 2,
          grpName: '',
          updateType: 'delta',
          uploadedByUserName: '',
          uploadDt: '2026-07-02T15:00:00Z',
          files: [file({ badRows: 3 }), file({ number: 2, fileName: 'scan.pdf', checked: false })],
        }),
        log(),
        log({ logId: 3, uploadDt: '', updateType: '' as 'full', fileName: '', files: [] }),
        log({
          logId: 4,
          files: [file({ checked: false, rows: 0, unread: 'Missing columns: NPI; TIN.' })],
        }),
      ]),
    });
    const rows = (await screen.findAllByRole('row')).slice(2);
    expect(
      rows.map((row) =>
        [...row.querySelectorAll('td')].map((cell) => cell.textContent?.replace('\u202f', ' ')),
      ),
    ).toEqual([
      [
        'N/A',
        '07/02/2026 11:00 AM ET',
        'Partial (A/C/T)',
        'N/A',
        'July.csv1,200 rows, 3 with problems Copy with errors of July.csvscan.pdf',
      ],
      ['Edgewater', '07/01/2026 11:00 AM ET', 'Full', 'road.demo', 'July.csv1,200 rows'],
      ['Edgewater', 'N/A', 'N/A', 'road.demo', 'N/A'],
      [
        'Edgewater',
        '07/01/2026 11:00 AM ET',
        'Full',
        'road.demo',
        'July.csvNot checked. Missing columns: NPI; TIN.',
      ],
    ]);
    const link = screen.getByRole('link', { name: 'scan.pdf' });
    expect(link.getAttribute('href')).toBe('/api/roster/file/2/2');
    expect(link.hasAttribute('download')).toBe(true);
    expect(screen.getByRole('link', { name: /^Copy with errors/ }).getAttribute('href')).toBe(
      '/api/roster/file/2/1/corrected',
    );
  });

  it("shows that it's empty", async () => {
    show();
    expect(await screen.findByText('No records found')).toBeTruthy();
  });

  it.each([
    [user, 'Error: There was a problem retrieving user information. Please try again later.'],
    [history, 'Error: Unable to retrieve roster upload history. Please try again later.'],
  ])('that fails (%s) can be requested again', async (call, text) => {
    let failing = true;
    show({
      [call]: () =>
        failing ? { status: 400 } : { body: call === user ? account : { rows: [log()], count: 1 } },
    } as Replies);
    await screen.findByText(text);
    failing = false;
    await press('Try again');
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
  });

  it('is for roster users in a group', async () => {
    show({ [user]: { body: { ...account, grpInfoId: null } } });
    expect(await screen.findByText("Your account isn't in a roster group")).toBeTruthy();
  });

  it("isn't for others", async () => {
    const calls = show({}, makeSession());
    expect(await screen.findByText("You don't have access")).toBeTruthy();
    expect(calls).toEqual([]);
  });
});

describe('the form', () => {
  it('requires a provider group and a file', async () => {
    show();
    await openForm();
    expect(screen.getByText('No files selected')).toBeTruthy();
    expect(screen.getByRole('option', { name: 'Group ID: G2' })).toBeTruthy();
    await press('SUBMIT');
    const message = within(await screen.findByRole('group', { name: 'Message' }));
    expect(
      message.getByText('An error has occurred. Please address all fields marked with "Error".'),
    ).toBeTruthy();
    expect(message.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Error: Select Provider Group',
      'Error: Please select at least one file to upload',
    ]);
    expect(sent).toEqual([]);
  });

  it('collects files, each once, and locks the type while there are some', async () => {
    show();
    await openForm();
    const same = csv();
    await choose(same);
    await choose(same, csv('August.csv'));
    expect(screen.getAllByRole('button', { name: /^Remove / })).toHaveLength(2);
    const partial = screen.getByRole<HTMLInputElement>('radio', { name: 'Partial (Add/Change/Term)' });
    expect(partial.disabled).toBe(true);
    await press('Remove July.csv');
    await press('RESET');
    expect(screen.getByText('No files selected')).toBeTruthy();
    expect(partial.disabled).toBe(false);
    await press('CANCEL');
    expect(await screen.findByRole('button', { name: 'UPLOAD...' })).toBe(document.activeElement);
  });

  it('changes the type of selected files in the Workspace, and checks them again', async () => {
    const calls = show(
      { [check]: checked({ files: [found()] }) },
      makeSession({ user: road, permissions: ['rosters.upload', 'rosters.correct'] }),
    );
    await fill(csv());
    await screen.findByText('No problems in 3 rows.');
    const checks = () => calls.filter(({ call }) => call === check);
    const before = checks().length;
    await press('Change the type for these files');
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Full' }));
    const partial = screen.getByRole<HTMLInputElement>('radio', { name: 'Partial (Add/Change/Term)' });
    await userEvent.click(partial);
    await waitFor(() => expect(checks().length).toBeGreaterThan(before));
    await choose(csv('August.csv'));
    expect(partial.disabled).toBe(true);
    expect(partial.checked).toBe(true);
  });

  it("reports files that are too large, too many or empty before they're sent or checked", async () => {
    await configure({ rosterFileMb: 1, rosterFiles: 2 });
    const calls = show();
    await fill(csv('big.csv', 'x'.repeat(1024 ** 2 + 1)));
    const large =
      "Error: big.csv is larger than 1 MB. Split it, or remove data that isn't part of the roster.";
    expect(screen.getByText(large)).toBeTruthy();
    await press('SUBMIT');
    expect(await screen.findAllByText(large)).toHaveLength(2);
    await press('Remove big.csv');
    await choose(csv('empty.csv', ''));
    expect(await screen.findAllByText('Error: empty.csv is empty.')).toHaveLength(2);
    await choose(csv('a.csv'), csv('b.csv'));
    expect(await screen.findAllByText('Error: Send 2 files or fewer at once')).toHaveLength(2);
    expect(listCalls(calls)).not.toContain(check);
    expect(sent).toEqual([]);
    await configure();
  });

  it.each([
    [sources, 'Error: Unable to retrieve provider source information. Please try again later.'],
    [groups, 'Error: Unable to retrieve provider group information. Please try again later.'],
  ])('shows failed options (%s), and requests them again', async (call, text) => {
    let failing = true;
    show({
      [call]: () => (failing ? { status: 400 } : { body: call === groups ? [group()] : [201] }),
    } as Replies);
    await press('UPLOAD...');
    await screen.findByText(text);
    failing = false;
    await press('Try again');
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
  });

  it('shows that the selected provider group was removed, and offers the others', async () => {
    let left = [group(), group({ sourceGroupId: 20102, grpId: 'G2', grpName: '' })];
    const says = 'Your roster group does not have this provider group any more. Choose another one.';
    answers = [{ status: 400, body: JSON.stringify({ code: says, message: says }) }];
    show({ [groups]: () => ({ body: left }), [check]: checked({}) });
    await fill(csv());
    left = left.slice(1);
    await press('SUBMIT');
    expect(await screen.findByText(`Error uploading roster files: ${says}`)).toBeTruthy();
    expect(await screen.findByText(/^Your roster group no longer has/)).toBeTruthy();
    expect(screen.queryByRole('option', { name: 'Edgewater (G1)' })).toBeNull();
    await press('SUBMIT');
    expect(await screen.findAllByText('Error: Select Provider Group')).toBeTruthy();
    expect(sent).toHaveLength(1);
  });

  it('sends and checks nothing while mirroring', async () => {
    fakeTime();
    const calls = show({}, { ...may, user: makeUser({ userNm: 'isad.demo' }), mirroredUser: road });
    await fill(csv());
    expect(button('SUBMIT').disabled).toBe(true);
    expect(screen.getByText(/^You can't check or send rosters/)).toBeTruthy();
    await advanceTime(400);
    expect(listCalls(calls)).not.toContain(check);
  });
});

it("is restored with its input, except files, until it's left", async () => {
  const replies: Replies = {
    'POST /authenticate': { body: { username: 'x', token: 'token-1' } },
    'GET /session': { body: may },
    'PUT /session/form-key': { body: { key: btoa('r'.repeat(32)) } },
  };
  fakeServer(replies);
  await signIn({ username: 'x', password: 'x' });
  show(replies);
  await fill(csv());
  const typed = () => router.history.location.state.typed?.roster;
  await waitFor(() => expect(typed()).toBeTruthy());
  const kept = { ...router.history.location.state };

  cleanup();
  show(replies, may, kept);
  await screen.findByRole('heading', { name: 'Upload Roster' });
  await waitFor(() =>
    expect(screen.getByLabelText<HTMLSelectElement>(/^Provider Group/).value).toBe('20101'),
  );
  expect(screen.queryByText('July.csv')).toBeNull();
  await press('CANCEL');
  await waitFor(() => expect(typed()).toBeUndefined());
});

describe('the check', () => {
  it('lists the problems and links to the corrected copy', async () => {
    show({
      [check]: checked({
        files: [
          found({
            checkId: 'c 1',
            badRows: 1,
            found: 600,
            ignored: ['Colour'],
            problems: [
              {
                row: 2,
                provider: 'Lee Hand (1234567893)',
                column: 'State',
                value: 'ZZ',
                code: 'STATE',
                message: 'Enter the two letters of a state.',
              },
            ],
          }),
        ],
      }),
    });
    await fill(csv());
    const report = within(await screen.findByRole('region', { name: 'July.csv' }));
    expect(report.getByText('1 row with problems')).toBeTruthy();
    expect(report.getByText('3 rows, 1 with problems. The others list 3 providers.')).toBeTruthy();
    expect(report.getByText(/we don't check them: Colour\.$/)).toBeTruthy();
    expect(report.getByText(/^The first 1 of 600 problems/)).toBeTruthy();
    for (const name of ['Lee Hand (1234567893)', 'ZZ', 'Enter the two letters of a state.'])
      expect(report.getByRole('cell', { name })).toBeTruthy();
    expect(report.getByRole('link').getAttribute('href')).toBe('/api/roster/check/c 1/corrected');
    expect(screen.getByText(/Rows with problems are sent as they are\.$/)).toBeTruthy();
  });

  it('a corrected file of the same name replaces the old one, and Undo restores it', async () => {
    show({ [check]: checked({ files: [found({ badRows: 1, found: 1 })] }) });
    await fill(csv());
    const correct = await screen.findByRole('button', { name: 'Choose corrected file' });
    const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
    const opened = vi.spyOn(input, 'click');
    await userEvent.click(correct);
    expect(opened).toHaveBeenCalledOnce();
    await userEvent.upload(input, new File(['NPI,State\n1,PA\n'], 'July.csv', { lastModified: 2 }));
    expect(screen.getAllByRole('button', { name: 'Remove July.csv' })).toHaveLength(1);
    screen.getByText('15 bytes');
    const notice = within(screen.getByRole('region', { name: 'Notifications' }));
    notice.getByText('July.csv replaced');
    await userEvent.click(notice.getByRole('button', { name: 'Undo' }));
    expect(screen.getAllByRole('button', { name: 'Remove July.csv' })).toHaveLength(1);
    expect(screen.queryByText('15 bytes')).toBeNull();
  });

  it('names ignored data, and never calls it free of problems', async () => {
    show({
      [check]: checked({
        files: [
          found({ fileName: 'a.xlsx', format: 'xlsx', sheets: ['West', 'East'], headerRow: 3 }),
          found({ fileName: 'b.csv', ignored: ['Colour'] }),
          found({ fileName: 'c.csv', rows: 0, providers: 0 }),
          found({ fileName: 'e.csv', headerRow: 2 }),
          found({
            fileName: 'd.csv',
            sentBefore: { at: '2026-07-01T16:30:00Z', by: 'road.demo', fileName: 'June.csv' },
          }),
        ],
      }),
    });
    await fill(csv());
    const report = (name: string) => within(screen.getByRole('region', { name }));
    await screen.findByText("No problems in the 12 rows that we read. Some data wasn't read. See below.");
    expect(report('a.xlsx').getByText('Partly read')).toBeTruthy();
    expect(report('a.xlsx').getByText(/^We read only the first sheet.*: West, East\.$/)).toBeTruthy();
    expect(report('a.xlsx').getByText(/^Row 3 contains the column names\./)).toBeTruthy();
    expect(report('b.csv').getByText('Partly read')).toBeTruthy();
    expect(report('c.csv').getByText('No rows')).toBeTruthy();
    expect(report('e.csv').getByText('Partly read')).toBeTruthy();
    expect(report('d.csv').getByText('No problems')).toBeTruthy();
    expect(
      report('d.csv').getByText(/^road\.demo sent the same content as June\.csv on 07\/01\/2026/),
    ).toBeTruthy();
  });

  describe('of a file with other headings', () => {
    const template = ['NPI', 'TIN', 'State'];
    const before = found({
      rows: 0,
      missing: ['NPI', 'TIN'],
      headerRows: [1, 2, 4],
      columns: [
        { index: 0, name: 'Prov ID', kind: '', sample: ['1234567893', '1245319599'] },
        { index: 1, name: 'Fed No', kind: '' },
        { index: 2, name: 'ST', kind: 'State' },
        { index: 5, kind: '' },
      ],
    });
    const after = found({
      chosen: true,
      headerRows: [1, 2, 4],
      columns: [
        { index: 0, name: 'Prov ID', kind: 'NPI' },
        { index: 1, name: 'Fed No', kind: 'TIN' },
        { index: 2, name: 'ST', kind: 'State' },
        { index: 5, kind: '' },
      ],
    });
    const choices = (columns: unknown[]) => columns.map((each) => JSON.parse(String(each)));
    /** The form data of later uploads. */
    const watch = () => {
      const append = vi.spyOn(FormData.prototype, 'append');
      return () =>
        choices(append.mock.calls.filter(([name]) => name === 'columns').map(([, value]) => value));
    };
    const pick = async (column: string, kind: string) =>
      userEvent.selectOptions(screen.getByLabelText(`Use ${column} as`), kind);

    it('lets its sender select the columns, and checks it again with them', async () => {
      answers = [{ status: 200, body: '{"logId":1}' }];
      const calls = show({
        [check]: [checked({ files: [before], template })(), checked({ files: [after], template })()],
      });
      const chosen = watch();
      await fill(csv('scan.pdf'), csv());
      const report = () => within(screen.getByRole('region', { name: 'July.csv' }));
      await screen.findByText('Columns missing');
      expect(report().getByText(/we don't check them: Prov ID, Fed No, Column 6\.$/)).toBeTruthy();
      expect(report().getByText('1234567893 · 1245319599')).toBeTruthy();
      expect(screen.getByLabelText<HTMLSelectElement>('Use ST as').value).toBe('State');
      await pick('Prov ID', 'NPI');
      await pick('Fed No', 'NPI'); // the template's column is one of the file's
      expect(screen.getByLabelText<HTMLSelectElement>('Use Prov ID as').value).toBe('');
      await pick('Prov ID', 'NPI');
      await pick('Fed No', 'TIN');
      expect(calls.filter(({ call }) => call === check)).toHaveLength(1);
      await press(/^Check again/);
      expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Roster check' }));
      await screen.findByText('You selected the columns: Prov ID as NPI, Fed No as TIN, ST as State.');
      const columns = [
        { index: 0, kind: 'NPI' },
        { index: 1, kind: 'TIN' },
        { index: 2, kind: 'State' },
        { index: 5, kind: '' },
      ];
      expect(chosen()).toEqual([{ file: 0, headerRow: 1, columns }]);
      expect(report().getByText('Partly read')).toBeTruthy();
      expect(report().getByText(/we don't check them: Column 6\.$/)).toBeTruthy();
      // The image is sent too, so the file is the second one.
      await press('SUBMIT');
      await waitFor(() => expect(sent).toHaveLength(1));
      expect(choices(sent[0]?.getAll('columns') ?? [])).toEqual([{ file: 1, headerRow: 1, columns }]);
    });

    it('lets its sender select the header row', async () => {
      show({ [check]: () => checked({ files: [before], template })() });
      const chosen = watch();
      await fill(csv());
      await userEvent.selectOptions(await screen.findByLabelText('Headings'), 'Row 4');
      await waitFor(() => expect(chosen()).toEqual([{ file: 0, headerRow: 4 }]));
    });

    it("shows a checked file's columns on request", async () => {
      show({ [check]: checked({ files: [found({ ...after, chosen: false })], template }) });
      await fill(csv());
      await press(/^Change columns/);
      await pick('Fed No', 'Not read');
      expect(screen.getByLabelText<HTMLSelectElement>('Use Fed No as').value).toBe('');
    });
  });

  it('uses the singular for one row', async () => {
    show({
      [check]: checked({
        files: [
          found({ fileName: 'a.csv', rows: 1, providers: 1 }),
          found({ fileName: 'b.csv', rows: 2, badRows: 1, providers: 1 }),
        ],
      }),
    });
    await fill(csv());
    await screen.findByText('1 row. It lists 1 provider.');
    screen.getByText('2 rows, 1 with problems. The other lists 1 provider.');
  });

  it('reports unreadable files, missing columns, and files accepted unread', async () => {
    show({
      [check]: checked({
        files: [
          found({ fileName: 'a.xlsx', format: 'xlsx', unreadable: 'This is not a spreadsheet.' }),
          found({ fileName: 'b.csv', missing: ['NPI', 'TIN'] }),
          found({ fileName: 'c.xlsx', format: '' }),
        ],
      }),
    });
    await fill(csv('a.xlsx'), csv('b.csv'), csv('c.xlsx'), csv('d.pdf'));
    expect(await screen.findByText('This is not a spreadsheet.')).toBeTruthy();
    expect(screen.getByText('Rows not checked. Missing columns: NPI; TIN.')).toBeTruthy();
    expect(screen.getByText(/^Accepted without a check\. This isn't/)).toBeTruthy();
    expect(screen.getByText(/^Accepted without a check\. Only CSV/)).toBeTruthy();
    expect(screen.getByText(/^Some files couldn't be checked/)).toBeTruthy();
    expect(screen.getByText(/^Not compared with the last roster/)).toBeTruthy();
  });

  it("counts a partial roster's changes", async () => {
    show({ [check]: checked({ files: [found({ adds: 4, changes: 5, terms: 6 })] }) });
    await openForm();
    await userEvent.click(screen.getByRole('radio', { name: 'Partial (Add/Change/Term)' }));
    await userEvent.selectOptions(screen.getByLabelText(/^Provider Group/), 'Edgewater (G1)');
    await choose(csv());
    expect(await screen.findByText('3 rows. They add 4, change 5 and term 6.')).toBeTruthy();
  });

  it('waits for the provider group', async () => {
    fakeTime();
    const calls = show();
    await openForm();
    await choose(csv());
    expect(screen.getByText('Select the provider group to check the files.')).toBeTruthy();
    await advanceTime(400);
    expect(listCalls(calls)).not.toContain(check);
  });

  it.each([
    [
      'is refused',
      () => ({ status: 503, body: { message: 'The portal is busy.' } }),
      /The portal is busy\.$/,
    ],
    ['fails', () => ({ body: makeStream('event: failed\ndata: It broke.\n\n') }), /It broke\.$/],
    [
      'breaks off',
      () => ({ body: makeStream('data: {"file":0,"rows":1000}\n\n') }),
      /The check was interrupted\.$/,
    ],
  ])('that %s can be repeated', async (_, reply, text) => {
    let failing = true;
    show({ [check]: () => (failing ? reply() : checked({ files: [found()] })()) });
    await fill(csv());
    expect(await screen.findByText(text)).toBeTruthy();
    failing = false;
    await press('Try again');
    expect(await screen.findByText('No problems in 3 rows.')).toBeTruthy();
  });
});

describe('sending', () => {
  const fields = () => Object.fromEntries([...(sent.at(-1) ?? [])].filter(([name]) => name !== 'files'));

  it("sends the form, shows that it's done, and returns a second later", async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    answers = [{ status: 200, body: '{"logId":1}' }];
    const calls = show();
    await fill(csv(), csv('scan.pdf'));
    await screen.findByText('No problems in 3 rows.');
    await press('SUBMIT');
    expect(await screen.findByText('Roster file has been uploaded successfully.')).toBeTruthy();
    expect(timers).toHaveBeenCalledWith(expect.any(Function), 1_000);
    expect(button('SUBMIT').disabled).toBe(true);
    expect(fields()).toEqual({
      sourceId: '201',
      groupName: 'Edgewater (G1)',
      groupId: 'G1',
      rosterType: 'full',
      username: 'road.demo',
    });
    expect(sent[0]?.getAll('files').map((each) => (each as File).name)).toEqual(['July.csv', 'scan.pdf']);
    const before = calls.filter(({ call }) => call === history).length;
    expect(await screen.findByRole('button', { name: 'UPLOAD...' })).toBe(document.activeElement);
    await waitFor(() => expect(calls.filter(({ call }) => call === history).length).toBeGreaterThan(before));
  });

  it('shows the sent roster first, without the filters and page of before', async () => {
    answers = [{ status: 200, body: '{"logId":1}' }];
    show({ [history]: replyWithPages([log()]) });
    await userEvent.type(await screen.findByLabelText('Filter by Provider Group'), 'edge');
    await fill(csv());
    await screen.findByText('No problems in 3 rows.');
    await press('SUBMIT');
    const filter = await screen.findByLabelText<HTMLInputElement>('Filter by Provider Group');
    expect(filter.value).toBe('');
    await waitFor(() => expect(router.history.location.state.list?.table.filters).toEqual({}));
  });

  it('asks before many providers are terminated', async () => {
    answers = [{ status: 200, body: '{"logId":1}' }];
    show({
      [check]: checked({
        files: [found()],
        comparison: { before: 5, add: 1, change: 2, end: 3, mustConfirm: true },
      }),
    });
    await fill(csv());
    await screen.findByText(/We'll ask you to confirm when you submit\.$/);
    await press('SUBMIT');
    const dialog = within(await screen.findByRole('dialog'));
    expect(
      dialog.getByText('This roster would terminate 3 of 5 providers. Confirm to continue.'),
    ).toBeTruthy();
    expect(sent).toEqual([]);
    await userEvent.click(dialog.getByRole('button', { name: 'Send roster' }));
    await waitFor(() => expect(fields().confirmed).toBe('3'));
  });

  it("confirms the server's number if it differs", async () => {
    const ends = (end: number) =>
      JSON.stringify({
        code: 'ROSTER_ENDS_MANY',
        message: `This roster would end ${end} of 9 providers.`,
        fields: [{ path: 'confirmed', code: 'ROSTER_ENDS_MANY', message: '', value: String(end) }],
      });
    answers = [
      { status: 409, body: ends(7) },
      { status: 200, body: '{"logId":1}' },
    ];
    show({
      [check]: checked({
        files: [found()],
        comparison: { before: 5, add: 1, change: 2, end: 3, mustConfirm: true },
      }),
    });
    await fill(csv());
    await screen.findByText(/We'll ask you to confirm when you submit\.$/);
    await press('SUBMIT');
    await screen.findByText('This roster would terminate 3 of 5 providers. Confirm to continue.');
    await press('Send roster');
    await screen.findByText('This roster would end 7 of 9 providers.');
    await press('Send roster');
    await waitFor(() => expect(sent.map((form) => form.get('confirmed'))).toEqual(['3', '7']));
  });

  it("leaves columns that weren't checked to the server", async () => {
    answers = [{ status: 200, body: '{"logId":1}' }];
    show({
      [check]: checked({
        files: [found({ headerRows: [1], columns: [{ index: 0, name: 'NPI', kind: 'NPI' }] })],
        comparison: { before: 5, add: 1, change: 2, end: 3, mustConfirm: true },
        template: ['NPI', 'TIN'],
      }),
    });
    await fill(csv());
    await press(/^Change columns/);
    await userEvent.selectOptions(screen.getByLabelText('Use NPI as'), 'Not read');
    await press('SUBMIT');
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(fields().confirmed).toBeUndefined();
  });

  it("doesn't ask if a file can't be compared", async () => {
    answers = [{ status: 200, body: '{"logId":1}' }];
    show({
      [check]: checked({
        files: [found()],
        comparison: { before: 5, add: 1, change: 2, end: 3, mustConfirm: true },
      }),
    });
    await fill(csv(), csv('scan.pdf'));
    await screen.findByText(/^Not compared with the last roster/);
    await press('SUBMIT');
    expect(await screen.findByText('Roster file has been uploaded successfully.')).toBeTruthy();
  });

  it('asks when the server does, and preserves everything on going back', async () => {
    const ends = '{"code":"ROSTER_ENDS_MANY","message":"This roster would end 3 of 5 providers."}';
    answers = [{ status: 409, body: ends }];
    show();
    await fill(csv());
    await press('SUBMIT');
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('This roster would end 3 of 5 providers.')).toBeTruthy();
    await userEvent.click(dialog.getByRole('button', { name: 'Go back' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(button('SUBMIT').disabled).toBe(false);
    expect(button('Remove July.csv')).toBeTruthy();
    expect(sent).toHaveLength(1);
  });

  it.each([
    [
      'with a message',
      { status: 413, body: '{"code":"too-large","message":"It is too large."}' },
      'Error uploading roster files: It is too large.',
    ],
    [
      'without one',
      { status: 502, body: '<h1>Bad Gateway</h1>' },
      'Error: There was a problem uploading the roster files. Please try again later.',
    ],
  ])('that fails %s preserves everything', async (_, answer, text) => {
    answers = [answer];
    show();
    await fill(csv());
    await press('SUBMIT');
    expect(await screen.findByText(text)).toBeTruthy();
    expect(button('SUBMIT').disabled).toBe(false);
    expect(button('Remove July.csv')).toBeTruthy();
  });

  it('shows its progress, asks before the page is left, and stops', async () => {
    show();
    await fill(csv());
    await press('SUBMIT');
    const bar = await screen.findByRole<HTMLProgressElement>('progressbar', { name: 'Upload' });
    const leave = () => {
      const event = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(leave()).toBe(true);
    for (const name of ['SUBMIT', 'RESET', 'CANCEL']) expect(button(name).disabled).toBe(true);
    FakeRequest.open?.upload.onprogress?.({ loaded: 1024 ** 2, total: 4 * 1024 ** 2 });
    expect(await screen.findByText('1.0 of 4.0 MB')).toBeTruthy();
    expect(bar.getAttribute('value')).toBe(String(1024 ** 2));
    await press('Stop');
    expect(await screen.findByText('Upload stopped.')).toBeTruthy();
    expect(screen.getByText('No files were stored. Your files are still selected below.')).toBeTruthy();
    expect(button('Remove July.csv')).toBeTruthy();
    // The selection still isn't sent.
    expect(leave()).toBe(true);
    await press('RESET');
    expect(leave()).toBe(false);
  });

  it('that is stopped after everything was sent may have been stored', async () => {
    show();
    await fill(csv());
    await press('SUBMIT');
    await screen.findByRole('button', { name: 'Stop' });
    FakeRequest.open?.upload.onprogress?.({ loaded: 9, total: 9 });
    await screen.findByText('Upload complete. Checking and storing the files.');
    await press('Stop');
    expect(await screen.findByText(/^It may have been stored/)).toBeTruthy();
  });
});
