import type { RouterHistory } from '@tanstack/react-router';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
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
  type Replies,
} from '@/api/testing';
import type { Session } from '@/api/types';
import { upload } from '@/api/upload';
import { advanceTime, fakeTime, renderScreens, sampleReasons } from '@/shared/testing';
import { download } from '@/ui/window';
import FindManyPage from './FindManyPage';
import { makeAnswered, makeFound, makeJob, makeLine } from './testing';

vi.mock(import('@/api/upload'));
vi.mock(import('@/ui/window'), async (original) => ({ ...(await original()), download: vi.fn() }));

let replies: Replies;
let sent: Call[];

const pasted = 'Acct #\tDOS\tNotes\nA1\t06/03/2026\tcalled\nB1\t06/03/2026\t\n';

beforeEach(async () => {
  vi.mocked(upload).mockReset();
  vi.mocked(download).mockReset();
  await configure();
  replies = {
    'GET /codes': { body: [] },
    'GET /work/findMany/jobs': { body: [] },
    'POST /work/findMany/columns': {
      body: {
        columns: [
          { index: 0, name: 'Acct #', kind: 'patientControlNumber' },
          { index: 1, name: 'DOS', kind: 'serviceDate' },
          { index: 2, name: 'Notes', kind: '' },
        ],
        headerRows: 1,
      },
    },
    'POST /work/findMany': {
      body: makeAnswered([makeLine(), makeLine({ line: 3, answer: 'none', matches: 0, by: '', bills: [] })], {
        paid: 1,
        notFound: 1,
      }),
    },
  };
  sent = fakeServer(replies);
});

function open(part: Partial<Session> = {}, history?: RouterHistory) {
  const screens = { '/work/find-many': FindManyPage, '/work/bill/$id': () => <h1>Bill</h1> };
  return renderScreens(screens, makeSession({ permissions: ['work.find'], ...part }), { history }).history;
}

const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Paste a column or a table' });
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

/** Continues up to the columns step. */
async function paste(text = pasted) {
  await userEvent.click(await field());
  await userEvent.paste(text);
  await press('Continue');
  await screen.findByRole('heading', { name: 'Columns' });
}

async function find(text = pasted) {
  await paste(text);
  await press(/^Look up \d+ lines?$/);
  await screen.findByRole('heading', { name: 'Results' });
}

const getBodies = (name: string) => sent.filter(({ call }) => call === name).map(({ body }) => body);

/** The result rows' cells, without headers and filters. */
const rows = () =>
  within(screen.getByRole('table', { name: 'Results' }))
    .getAllByRole('row')
    .slice(2)
    .map((row) => [...row.children].map(({ textContent }) => textContent));

test('says whose each bill is if several offices have one', async () => {
  const found = ['111111111', '222222222'].map((ftin, at) =>
    makeLine({ line: at + 2, bills: [makeFound({ ftin })] }),
  );
  replies['POST /work/findMany'] = { body: makeAnswered(found, { paid: 2 }) };
  replies['GET /provider/officeNames'] = { body: [{ ftin: '222222222', name: 'Lakeside', names: 1 }] };
  open({ permissions: ['work.find', 'directory.lookup'] });
  await find();
  expect(await screen.findByText('Lakeside')).toBeTruthy();
  expect(screen.getByText(/^222222222/)).toBeTruthy();
  expect(screen.getByRole('columnheader', { name: /^Tax ID/ })).toBeTruthy();
});

test('shows the column types, and looks the lines up by them', async () => {
  open();
  await paste();
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Columns' }));
  expect(
    screen.getByText(
      (_, element) => element?.tagName === 'P' && Boolean(element.textContent?.startsWith('We matched')),
    ).textContent,
  ).toBe(
    "We matched column Acct # as patient account number and DOS as service date. Other columns are kept in the results. If anything's wrong, change it below.",
  );
  expect(screen.getByRole('row', { name: /DOS 06\/03\/2026 · 06\/03\/2026/ })).toBeTruthy();
  await press('Look up 2 lines');
  expect(await screen.findByRole('heading', { name: 'Results' })).toBeTruthy();
  expect(getBodies('POST /work/findMany')).toEqual([
    {
      columns: [
        { index: 0, kind: 'patientControlNumber' },
        { index: 1, kind: 'serviceDate' },
        { index: 2, kind: '' },
      ],
      headerRows: 1,
      rows: [
        ['Acct #', 'DOS', 'Notes'],
        ['A1', '06/03/2026', 'called'],
        ['B1', '06/03/2026', ''],
      ],
    },
  ]);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Results' })));
});

test("shows each line's result next to the office's own data", async () => {
  open();
  await find();
  const head = within(screen.getByRole('table', { name: 'Results' }))
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent);
  expect(head.join(', ')).toBe(
    'Acct #, DOS, Notes, Found, Status, Received, Network allowance, Paid, Paid on, Check or EFT, Reason codes, Next step',
  );
  expect(rows()).toEqual([
    [
      'A1',
      '06/03/2026',
      'called',
      '7001',
      "PaidPaid $80.00 less than the network's allowance",
      '06/09/2026',
      '$240.00',
      '$160.00',
      '07/11/2026',
      '40000069',
      'CO-45N130',
      'Compare the reasons with the allowance',
    ],
    ['B1', '06/03/2026', '', 'None', '', '', '', '', '', '', '', ''],
  ]);
  expect(screen.getAllByText('2 lines')).toHaveLength(2);
  expect(screen.getByText(/^As of/).textContent).toContain('08/20/2026');
  expect(screen.getByRole('link', { name: '40000069' }).getAttribute('href')).toBe(
    '/work/remittance/remittance-1',
  );
});

test("a code has the explanation of the bill's state", async () => {
  replies['GET /codes'] = { body: sampleReasons };
  replies['POST /work/findMany'] = {
    body: makeAnswered([makeLine({ bills: [makeFound({ jurisdiction: 'CA' })] })], { paid: 1 }),
  };
  open({ permissions: ['work.find', 'codes.read'] });
  await find();
  await press('CO-45');
  await screen.findByText('In California it is other.');
});

test('a corrected column counts, and a type belongs to one column', async () => {
  open();
  await paste();
  const notes = screen.getByRole('combobox', { name: 'Use Notes as' });
  await userEvent.selectOptions(notes, 'Service date');
  expect((screen.getByRole('combobox', { name: 'Use DOS as' }) as HTMLSelectElement).value).toBe('');
  expect(document.activeElement).toBe(notes);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Headers' }), 'None');
  expect(screen.getByRole('combobox', { name: 'Use Column 1 as' })).toBeTruthy();
  await press('Look up 3 lines');
  await screen.findByRole('heading', { name: 'Results' });
  expect(getBodies('POST /work/findMany')).toMatchObject([
    {
      columns: [
        { index: 0, kind: 'patientControlNumber' },
        { index: 1, kind: '' },
        { index: 2, kind: 'serviceDate' },
      ],
      headerRows: 0,
    },
  ]);
});

test('the separator can be changed, and the columns are detected again', async () => {
  open();
  await paste('A1, 06/03/2026\nB1, 06/04/2026');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Column separator' }), 'Commas');
  await waitFor(() =>
    expect(getBodies('POST /work/findMany/columns')).toEqual([
      { rows: [['A1, 06/03/2026'], ['B1, 06/04/2026']] },
      {
        rows: [
          ['A1', '06/03/2026'],
          ['B1', '06/04/2026'],
        ],
      },
    ]),
  );
});

test('only the first lines are used to detect columns', async () => {
  open();
  await paste(Array.from({ length: 60 }, (_, n) => `A${n}`).join('\n'));
  expect((getBodies('POST /work/findMany/columns')[0] as { rows: string[][] }).rows).toHaveLength(20);
  expect(screen.getByRole('button', { name: 'Look up 59 lines' })).toBeTruthy();
});

test('an empty field is reported, and sends nothing', async () => {
  open();
  const box = await field();
  await press('Continue');
  expect(screen.getByText('Error: Paste at least 1 line')).toBeTruthy();
  expect(document.activeElement).toBe(box);
  await userEvent.paste('A1');
  expect(screen.queryByText('Error: Paste at least 1 line')).toBeNull();
  expect(listCalls(sent)).toEqual(['GET /work/findMany/jobs']);
});

test('without detected columns, users select them', async () => {
  replies['POST /work/findMany/columns'] = {
    body: { columns: [{ index: 0, name: '', kind: '' }], headerRows: 0 },
  };
  replies['POST /work/findMany'] = {
    status: 400,
    body: {
      message: 'Choose which column is what',
      fields: [{ path: 'columns', code: 'INVALID', message: 'Choose which column is what' }],
    },
  };
  open();
  await paste('x\ny');
  expect(screen.getByText('Select what each column contains.')).toBeTruthy();
  await press('Look up 2 lines');
  expect((await screen.findByRole('alert')).textContent).toBe('Choose which column is what');
  expect(screen.getByRole('combobox', { name: 'Use Column 1 as' })).toBeTruthy();
});

test('several bills appear below their line to select from', async () => {
  replies['POST /work/findMany'] = {
    body: makeAnswered(
      [
        makeLine({
          answer: 'several',
          matches: 100,
          bills: [
            makeFound(),
            makeFound({
              id: 'page-2',
              billControlNumber: '7901',
              ftin: '22222222',
              paid: null,
              state: 'Denied',
              tone: 'error',
            }),
          ],
        }),
        makeLine({ line: 3 }),
      ],
      { several: 1, paid: 1 },
    ),
  };
  const history = open();
  await find();
  expect(rows()[0]?.slice(3, 6)).toEqual(['100+ matches', '', '']);
  const below = rows()[1]?.[0];
  expect(below).toContain('Showing the 2 latest of 100+ bills:');
  expect(below).toContain('service 06/03/2026 · allowance $240.00 · TIN 022222222');
  await userEvent.click(screen.getByRole('link', { name: 'Bill 7901' }));
  await waitFor(() => expect(history.location.pathname).toBe('/work/bill/page-2'));
});

test('invalid values are reported at their cell', async () => {
  replies['POST /work/findMany'] = {
    body: makeAnswered(
      [
        makeLine({
          answer: 'unreadable',
          matches: 0,
          bills: [],
          cells: [{ index: 0, message: 'Excel has shortened this number.' }],
        }),
        makeLine({ line: 3 }),
      ],
      { unreadable: 1, paid: 1 },
    ),
  };
  open();
  await find('Acct #\tDOS\tNotes\n1.23E+09\t06/03/2026\nB1\t06/03/2026');
  expect(rows()[0]?.slice(0, 4)).toEqual([
    '1.23E+09Excel has shortened this number.',
    '06/03/2026',
    '',
    'Unreadable',
  ]);
});

test('each count filters its lines', async () => {
  open();
  await find();
  const tiles = within(screen.getByRole('list', { name: 'Results summary' }));
  expect(tiles.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    '1 paid',
    '1 not found',
  ]);
  await userEvent.click(tiles.getByRole('button', { name: '1 not found' }));
  expect(rows().map(([account]) => account)).toEqual(['B1']);
  await userEvent.click(tiles.getByRole('button', { name: '1 paid' }));
  expect(rows().map(([account]) => account)).toEqual(['A1']);
  expect(tiles.getByRole('button', { name: '1 paid' }).getAttribute('aria-pressed')).toBe('true');
  await userEvent.click(tiles.getByRole('button', { name: '1 paid' }));
  expect(rows()).toHaveLength(2);
});

test('reversals have their own tile, as in Open Bills', async () => {
  const bill = makeFound({ status: 'takenBack', state: 'Taken back by the payer', tone: 'warning', paid: 0 });
  replies['POST /work/findMany'] = {
    body: makeAnswered([makeLine({ bills: [bill] }), makeLine({ line: 3 })], { takenBack: 1, paid: 1 }),
  };
  open();
  await find();
  await press('1 payment reversed');
  expect(rows().map((cells) => cells[4])).toEqual(['Payment reversedTaken back by the payer']);
});

test('returning from a bill restores the results without a request, and another page the list', async () => {
  const history = open();
  await find();
  await waitFor(() => expect(history.location.state.kept).toBeTruthy());
  expect(history.location.href).toBe('/work/find-many');
  await userEvent.click(screen.getByRole('link', { name: 'Bill 7001' }));
  await screen.findByRole('heading', { name: 'Bill' });
  history.back();
  expect(await screen.findByRole('heading', { name: 'Results' })).toBeTruthy();
  expect(getBodies('POST /work/findMany')).toHaveLength(1);
  cleanup();
  open({}, history);
  expect(await screen.findByRole('heading', { name: 'Results' })).toBeTruthy();
  expect(getBodies('POST /work/findMany')).toHaveLength(2);
});

test('the pasted text can be changed', async () => {
  open();
  await find();
  await press('New list');
  const box = await field();
  expect(box.value).toBe(pasted);
  expect(document.activeElement).toBe(box);
  expect(screen.queryByRole('heading', { name: 'Results' })).toBeNull();
});

test.each([
  [
    'a limit, with the time',
    { status: 429, body: { message: 'Please try again after 08/21/2026 12:00 AM EDT.' } },
    'Error: There was an error retrieving data. Please try again or contact Customer Service. Please try again after 08/21/2026 12:00 AM EDT.',
  ],
  [
    'a failure',
    { status: 500 },
    'Error: There was an error retrieving data. Please try again or contact Customer Service.',
  ],
])('%s is reported, and the list stays', async (_, refusal, text) => {
  const good = replies['POST /work/findMany'];
  replies['POST /work/findMany'] = refusal;
  open();
  await paste();
  await press('Look up 2 lines');
  expect((await screen.findByRole('alert')).textContent).toBe(text);
  replies['POST /work/findMany'] = good;
  await press('Try again');
  expect(await screen.findByRole('table', { name: 'Results' })).toBeTruthy();
});

test('undetectable columns are reported at the field', async () => {
  replies['POST /work/findMany/columns'] = { status: 500 };
  open();
  await userEvent.click(await field());
  await userEvent.paste('A1');
  await press('Continue');
  expect(await screen.findByText(/^Error: There was an error retrieving data/)).toBeTruthy();
  expect((await field()).value).toBe('A1');
});

test('staff see whose bills are found', async () => {
  open({ user: makeUser({ typeCd: 'ISAD' }) });
  expect(await screen.findByText(/^Bills are looked up by a user's Tax IDs/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'User Search' }).getAttribute('href')).toBe('/UserSearch');
});

test('users without access see so', async () => {
  open({ permissions: [] });
  expect(await screen.findByText("You don't have access")).toBeTruthy();
  expect(listCalls(sent)).toEqual([]);
});

test.each(['xlsx', 'csv'] as const)(
  "saves the results next to the office's columns as %s",
  async (format) => {
    replies['POST /work/findMany/export'] = { body: new Blob(['a file']) };
    open();
    await find();
    await press(`Download ${format.toUpperCase()}`);
    await waitFor(() => expect(download).toHaveBeenCalledWith(expect.anything(), `Bulk lookup.${format}`));
    expect(getBodies('POST /work/findMany/export')).toMatchObject([
      { format, headerRows: 1, rows: { length: 3 } },
    ]);
  },
);

test("a file that couldn't be saved is reported, with what to do", async () => {
  replies['POST /work/findMany/export'] = {
    status: 429,
    body: { message: 'Please try again after 09:00 AM EDT.' },
  };
  open();
  await find();
  await press('Download XLSX');
  expect(
    await screen.findByText("Couldn't create the file. Please try again after 09:00 AM EDT."),
  ).toBeTruthy();
});

describe('files', () => {
  const table = new File(['Acct #\nA1\n'], 'Open accounts.csv', { type: 'text/csv' });
  const read = {
    id: 'JOB1',
    columns: [{ index: 0, name: 'Acct #', kind: 'patientControlNumber' }],
    headerRows: 1,
    sample: [['Acct #'], ['A1'], null],
    rows: 1200,
    warnings: ['Acct #: Excel has shortened 2 numbers.'],
  };

  const sentFile = () => vi.mocked(upload).mock.calls.map(([, form]) => form.get('file'))[0] as File;

  async function choose(file = table) {
    await field();
    const picker = document.querySelector<HTMLInputElement>('input[type=file]');
    await userEvent.upload(picker as HTMLInputElement, file);
  }

  test('one is sent, its columns are shown, and its lines are looked up in the background', async () => {
    vi.mocked(upload).mockResolvedValue(read);
    replies['POST /work/findMany/files/JOB1/run'] = { body: makeJob({ status: 'waiting' }) };
    replies['GET /work/findMany/jobs'] = [
      { body: [] },
      { body: [makeJob({ status: 'waiting', done: 200 })] },
    ];
    const history = open();
    await choose();
    expect(await screen.findByRole('heading', { name: 'Columns' })).toBeTruthy();
    expect(sentFile().name).toBe('Open accounts.csv');
    expect(screen.getByText('Acct #: Excel has shortened 2 numbers.')).toBeTruthy();
    expect(screen.queryByRole('combobox', { name: 'Column separator' })).toBeNull();
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Headers' }), 'None');
    await press('Look up 1,201 lines');
    const message = await screen.findByText(/^We're looking up Open accounts.csv/);
    expect(message.closest('[role=group]')).toBe(document.activeElement);
    expect(getBodies('POST /work/findMany/files/JOB1/run')).toEqual([
      { columns: [{ index: 0, kind: 'patientControlNumber' }], headerRows: 0 },
    ]);
    expect(await screen.findByText('200 of 1,200')).toBeTruthy();
    expect(history.location.href).toBe('/work/find-many');
  });

  test('an unreadable one is reported at the field', async () => {
    vi.mocked(upload).mockRejectedValue(new Problem(400, 'INVALID', 'The file is empty.'));
    open();
    await choose();
    expect(await screen.findByText('The file is empty.')).toBeTruthy();
    expect(screen.queryByText(/^Uploading/)).toBeNull();
  });

  test('the upload shows its progress, and can be stopped', async () => {
    vi.mocked(upload).mockImplementation((_, __, { signal, onProgress }) => {
      onProgress(4, 10);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    open();
    await choose();
    const bar = await screen.findByRole('progressbar', { name: 'Uploading Open accounts.csv' });
    expect([bar.getAttribute('value'), bar.getAttribute('max')]).toEqual(['4', '10']);
    await press('Stop');
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
    expect(screen.queryByText(/^Error/)).toBeNull();
  });

  test('more lines than fit are sent as a file, with the selected columns', async () => {
    const say = 'Save them as a file; up to 10,000 go that way.';
    replies['POST /work/findMany'] = {
      status: 400,
      body: { message: say, fields: [{ path: 'rows', code: 'INVALID', message: say }] },
    };
    replies['POST /work/findMany/files/JOB1/run'] = { body: makeJob({ status: 'waiting' }) };
    vi.mocked(upload).mockResolvedValue(read);
    open();
    await paste(`Acct #\tDOS\tNotes\n${Array.from({ length: 501 }, (_, n) => `A${n}`).join('\n')}`);
    await press('Look up 501 lines');
    expect((await screen.findByRole('alert')).textContent).toBe(say);
    await press('Send as a file');
    expect(await screen.findByText(/^We're looking up your list/)).toBeTruthy();
    const file = sentFile();
    expect([file.name, (await file.text()).split('\r\n').slice(0, 2)]).toEqual([
      'Pasted list.csv',
      ['"Acct #","DOS","Notes"', '"A0","",""'],
    ]);
    expect(getBodies('POST /work/findMany/files/JOB1/run')).toMatchObject([
      { columns: [{ kind: 'patientControlNumber' }, { kind: 'serviceDate' }, { kind: '' }], headerRows: 1 },
    ]);
  });

  test("a pasted list whose lookup didn't start isn't sent twice", async () => {
    const say = 'Save them as a file; up to 10,000 go that way.';
    replies['POST /work/findMany'] = {
      status: 400,
      body: { message: say, fields: [{ path: 'rows', code: 'INVALID', message: say }] },
    };
    const limit = { status: 429, body: { message: 'Try again after 09:00 AM EDT.' } };
    const gone = { status: 404, body: { message: 'This lookup is no longer available.' } };
    const started = { body: makeJob({ status: 'waiting' }) };
    replies['POST /work/findMany/files/JOB1/run'] = [limit, gone, started, started];
    vi.mocked(upload).mockResolvedValue(read);
    open();
    await paste();
    await press('Look up 2 lines');
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Send as a file' });
    const runs = () => getBodies('POST /work/findMany/files/JOB1/run').length;
    for (const [run, uploads] of [
      [1, 1],
      [2, 1],
      [3, 2], // the file was deleted
    ] as const) {
      await waitFor(() => expect(button.ariaBusy).not.toBe('true'));
      await userEvent.click(button);
      await waitFor(() => expect(runs()).toBe(run));
      expect(upload).toHaveBeenCalledTimes(uploads);
    }
    await screen.findByText(/^We're looking up your list/);
  });

  test('a limit on files shows its wait time, and the columns stay', async () => {
    vi.mocked(upload).mockResolvedValue(read);
    replies['POST /work/findMany/files/JOB1/run'] = {
      status: 429,
      body: { message: 'You can look up 20 files an hour. Please try again after 09:00 AM EDT.' },
    };
    open();
    await choose();
    await screen.findByRole('heading', { name: 'Columns' });
    await press('Look up 1,200 lines');
    expect((await screen.findByRole('alert')).textContent).toContain('Please try again after 09:00 AM EDT.');
    expect(screen.getByRole('button', { name: 'Look up 1,200 lines' })).toBeTruthy();
  });

  test('progress is requested while one runs', async () => {
    fakeTime();
    replies['GET /work/findMany/jobs'] = [
      { body: [makeJob({ status: 'waiting', done: 0 })] },
      { body: [makeJob({ status: 'waiting', done: 600 })] },
      { body: [makeJob()] },
    ];
    open();
    const bar = await screen.findByRole('progressbar', { name: 'Lookup progress: Open accounts.csv' });
    expect(bar.getAttribute('aria-valuetext')).toBe('0 of 1,200');
    await advanceTime(2_000);
    await waitFor(() => expect(bar.getAttribute('aria-valuetext')).toBe('600 of 1,200'));
    expect(screen.getByText('1 lookup in progress.')).toBeTruthy();
    await advanceTime(2_000);
    expect(await screen.findByRole('link', { name: 'XLSX results for Open accounts.csv' })).toBeTruthy();
    expect(screen.getByText('All lookups finished.')).toBeTruthy();
    await advanceTime(10_000);
    expect(getBodies('GET /work/findMany/jobs')).toHaveLength(3);
  });

  test('finished ones show results and expiry; failed ones show so', async () => {
    replies['GET /work/findMany/jobs'] = {
      body: [makeJob(), makeJob({ id: 'JOB2', fileName: 'Two.xlsx', status: 'failed' })],
    };
    open();
    expect(
      (await screen.findByRole('link', { name: 'CSV results for Open accounts.csv' })).getAttribute('href'),
    ).toBe('/api/work/findMany/jobs/JOB1/result.csv');
    const list = within(screen.getByRole('table', { name: 'Your files' }));
    expect(
      list.getByRole('row', { name: /^Open accounts.csv 1,200 1,100 08\/20\/2026, .* 08\/27\/2026/ }),
    ).toBeTruthy();
    expect(
      list.getByRole('row', { name: /^Two.xlsx Failed Send the file again./ }).textContent,
    ).not.toContain('XLSX');
  });

  test("one that didn't start is listed until it's deleted", async () => {
    vi.mocked(upload).mockResolvedValue({ ...read, claims: true });
    replies['POST /work/findMany/files/JOB1/run'] = { status: 429, body: { message: 'Try again later.' } };
    replies['GET /work/findMany/jobs'] = [
      { body: [] },
      { body: [makeJob({ status: 'sent', claims: true, done: 0, found: 0 })] },
    ];
    open();
    await choose();
    const row = await screen.findByRole('row', { name: /^Open accounts.csv Not started/ });
    expect(within(row).getAllByRole('button')).toEqual([
      screen.getByRole('button', { name: 'Delete Open accounts.csv' }),
    ]);
    expect(screen.queryByText('All lookups finished.')).toBeNull();
  });

  test('one is deleted after confirmation', async () => {
    replies['GET /work/findMany/jobs'] = [{ body: [makeJob()] }, { body: [] }];
    replies['DELETE /work/findMany/jobs/JOB1'] = { status: 204 };
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Delete Open accounts.csv' }));
    const question = await screen.findByRole('dialog', { name: 'Delete Open accounts.csv?' });
    expect(listCalls(sent)).not.toContain('DELETE /work/findMany/jobs/JOB1');
    await userEvent.click(within(question).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Open accounts.csv deleted')).toBeTruthy();
    expect(await screen.findByText(/^No files yet/)).toBeTruthy();
  });

  test("a list that couldn't load can be requested again", async () => {
    replies['GET /work/findMany/jobs'] = [{ status: 500 }, { body: [makeJob()] }];
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('cell', { name: 'Open accounts.csv' })).toBeTruthy();
  });

  test('one that has been deleted shows what to do', async () => {
    vi.mocked(upload).mockResolvedValue(read);
    replies['POST /work/findMany/files/JOB1/run'] = {
      status: 404,
      body: { message: 'This look-up is no longer there. Send the file again.' },
    };
    open();
    await choose();
    await screen.findByRole('heading', { name: 'Columns' });
    await press('Look up 1,200 lines');
    expect(await screen.findByText('This look-up is no longer there. Send the file again.')).toBeTruthy();
  });

  test('while mirroring too many lines only show a message', async () => {
    const say = 'Save them as a file; up to 10,000 go that way.';
    replies['POST /work/findMany'] = {
      status: 400,
      body: { message: say, fields: [{ path: 'rows', code: 'INVALID', message: say }] },
    };
    open({ mirroredUser: makeUser({ userNm: 'prus.demo' }) });
    await paste();
    await press('Look up 2 lines');
    expect((await screen.findByRole('alert')).textContent).toBe(say);
    expect(screen.queryByRole('button', { name: 'Send as a file' })).toBeNull();
  });

  test('while mirroring none is sent or deleted', async () => {
    replies['GET /work/findMany/jobs'] = { body: [makeJob()] };
    open({ mirroredUser: makeUser({ userNm: 'prus.demo' }) });
    expect(await screen.findByText("You can't upload files while mirroring. Revert first.")).toBeTruthy();
    expect((screen.getByRole('button', { name: 'Browse…' }) as HTMLButtonElement).disabled).toBe(true);
    expect(await screen.findByText('Open accounts.csv')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull();
  });
});
