import type { Page } from '@playwright/test';
import { mockReply } from '../replies';
import { accounts, openAs, expect, mirror, openSession } from '../portal';
import { type Screen, type ScreenGroup, screen } from './screen';

export const field = (page: Page) => page.getByRole('textbox', { name: 'Paste a column or a table' });
export const columns = (page: Page) => page.getByRole('table', { name: 'Columns' });
export const answers = (page: Page) => page.getByRole('table', { name: 'Results' });
export const files = (page: Page) => page.getByRole('table', { name: 'Your files' });

export async function openFindMany(page: Page, userName = accounts.PRUS): Promise<void> {
  await openAs(page, userName, '/wcpp/work/find-many');
  await expect(field(page)).toBeVisible();
}

/** Continues up to the columns step. */
export async function paste(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(columns(page)).toBeVisible();
}

const list = [
  'Acct #\tDOS\tPatient\tBalance\tNotes',
  'A-1001\t02/17/2026\tQuillfeather, Josephine\t$1,240.50\tcalled the payer on 7/1, they wait for records',
  'A-1002\t02/18/2026\tQuillfeather, Josephine\t$80.00\t',
  'A-1003\t02/18/2026\tBrook, Ada\t$18.00\t',
  'A-1004\t02/19/2026\tBrook, Ada\t$7.25\t',
  '1.23E+09\t02/20/2026\tReed, Tom\t$60.00\t',
].join('\n');

const bill = (n: number, part: object = {}) => ({
  id: `page-${n}`,
  ftin: '341234567',
  billControlNumber: `700000105${n}`,
  patientFirstName: 'JOSEPHINE',
  patientLastName: 'QUILLFEATHER',
  beginServiceDate: '2026-02-17',
  receivedOn: '2026-02-24',
  status: 'paid',
  state: "Paid $80.20 below the network allowance",
  tone: 'warning',
  allowance: 840.2,
  paid: 760,
  paidOn: '2026-03-12',
  checkNumber: '40000068',
  remittanceId: 'remittance-1',
  reasons: ['CO-45', 'CO-P12'],
  jurisdiction: 'TX',
  nextStep: 'Compare the reason codes with the allowance',
  ...part,
});

const line = (n: number, part: object = {}) => ({
  line: n + 1,
  answer: 'found',
  matches: 1,
  by: 'patientControlNumber',
  bills: [bill(n)],
  cells: [],
  ...part,
});

const unpriced = { status: 'priced', paid: null, paidOn: null, checkNumber: '', reasons: [] };
const answered = {
  lines: [
    line(1),
    line(2, { bills: [bill(2, { status: 'denied', state: 'Denied', tone: 'error', paid: 0, nextStep: 'Review the reason codes' })] }),
    line(3, {
      answer: 'several',
      matches: 2,
      bills: [
        bill(3, { ...unpriced, state: 'Repriced by the network on 03/01/2026, no payment on file', tone: 'info' }),
        bill(4, { ftin: '987654321' }),
      ],
    }),
    line(4, { answer: 'none', matches: 0, by: '', bills: [] }),
    line(5, {
      answer: 'unreadable',
      matches: 0,
      by: '',
      bills: [],
      cells: [
        {
          index: 0,
          message: 'Excel shortened this number. Format the column as text and paste it again.',
        },
      ],
    }),
  ],
  asOf: '2026-03-20T13:02:00Z',
  counts: { paid: 1, denied: 1, takenBack: 0, priced: 0, received: 0, other: 0, several: 1, notFound: 1, unreadable: 1 },
};

const job = (n: number, part: object = {}) => ({
  id: `JOB${n}`,
  fileName: 'Open accounts of the Lakeside Orthopedic Associates, March.xlsx',
  status: 'done',
  done: 9200,
  rows: 9200,
  found: 8911,
  createdAt: '2026-03-20T13:02:00Z',
  doneAt: '2026-03-20T13:03:00Z',
  expiresAt: '2026-03-27T13:02:00Z',
  claims: false,
  withheld: false,
  ...part,
});

const claim = (line: number, part: object = {}) => ({
  line,
  outcome: 'found',
  problem: '',
  patientControlNumber: `Q10-00118${line}`,
  ftin: '341234567',
  patientFirstName: 'JOSEPHINE',
  patientLastName: 'QUILLFEATHER',
  beginServiceDate: '2026-02-17',
  endServiceDate: '2026-02-18',
  charge: 1240.5,
  matches: 1,
  bills: [bill(line)],
  differences: [],
  ...part,
});

/** The bills of an 837 with every result. */
const claims = {
  rows: [
    claim(1),
    claim(2, { outcome: 'none', matches: 0, bills: [] }),
    claim(3, {
      outcome: 'different',
      differences: [
        { field: 'lastName', sent: 'QUILFEATHER', onFile: 'QUILLFEATHER' },
        { field: 'dates', sent: '02/17/2026 to 02/18/2026', onFile: '02/17/2026' },
        { field: 'charge', sent: '1240.50', onFile: '1204.50' },
      ],
    }),
    claim(4, { outcome: 'several', matches: 2, bills: [bill(4), bill(5, { ftin: '987654321' })] }),
    claim(5, {
      outcome: 'unreadable',
      matches: 0,
      bills: [],
      problem:
        'Segment 4112 (line 4112), NM1: the billing provider\'s tax ID must have 9 digits. Correct the bill in your system.',
    }),
  ],
  count: 300,
  asOf: '2026-03-20T13:02:00Z',
  warnings: ['We skipped 1 transaction set without bills we can read.'],
  counts: [
    { outcome: 'found', bills: 286, charges: 129714.25 },
    { outcome: 'different', bills: 3, charges: 2356 },
    { outcome: 'several', bills: 1, charges: 1240.5 },
    { outcome: 'none', bills: 9, charges: 3534 },
    { outcome: 'unreadable', bills: 1, charges: 1240.5 },
  ],
};

/** Shows the results of an 837. */
export async function showClaims(page: Page): Promise<void> {
  await mockReply(page, '**/api/work/findMany/jobs', { json: [job(1, { claims: true, fileName: 'March.837' })] });
  await mockReply(page, '**/api/work/findMany/jobs/JOB1', { json: job(1, { claims: true }) });
  await mockReply(page, '**/api/work/findMany/jobs/JOB1/claims?*', { json: claims });
  await openFindMany(page);
  await page.getByRole('button', { name: 'View results for March.837' }).click();
  await expect(page.getByRole('heading', { name: /^You sent 300 bills\. 289 are on file/ })).toBeVisible();
}

/** A file in each of its states. */
export const jobs = [
  job(1, { status: 'waiting', done: 3200 }),
  job(2),
  job(3, { status: 'failed' }),
  job(4, { withheld: true }),
  job(5, { status: 'sent', done: 0, found: 0 }),
];

const find = (page: Page) => page.getByRole('button', { name: /^Look up \d/ }).click();
const another = (page: Page) => page.getByRole('button', { name: 'New list' }).click();

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Bulk lookup', async (page) => {
      await openFindMany(page);
      await expect(page.getByText(/^No files yet/)).toBeVisible();
    }),
    screen('Bulk lookup, nothing pasted', async (page) => {
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByText('Error: Paste at least 1 line')).toBeVisible();
    }),
    screen('Bulk lookup, columns', (page) => paste(page, list)),
    screen('Bulk lookup, a limit', async (page) => {
      await mockReply(page, '**/api/work/findMany', {
        status: 429,
        json: { message: 'Try again after 03/21/2026 12:00 AM EDT.' },
      });
      await find(page);
      await expect(page.getByRole('alert')).toContainText('Try again after');
    }),
    screen('Bulk lookup, too many lines', async (page) => {
      const message = 'Save the lines as a file to look up as many as 10,000.';
      await mockReply(page, '**/api/work/findMany', {
        status: 400,
        json: { message, fields: [{ path: 'rows', code: 'INVALID', message }] },
      });
      await find(page);
      await expect(page.getByRole('button', { name: 'Send as a file' })).toBeVisible();
    }),
    screen('Bulk lookup, results', async (page) => {
      await mockReply(page, '**/api/work/findMany', { json: answered });
      await find(page);
      await expect(answers(page)).toContainText('2 matches');
    }),
    screen('Bulk lookup, the lines of a count', async (page) => {
      await page.getByRole('button', { name: '1 not found' }).click();
      await expect(answers(page).locator('tbody').getByRole('row')).toHaveCount(1);
    }),
    screen('Bulk lookup, no columns detected', async (page) => {
      await another(page);
      await paste(page, 'lorem\nipsum');
      await expect(page.getByText('Select what each column contains.')).toBeVisible();
    }),
  ],
  screen('Bulk lookup, files', async (page) => {
    await mockReply(page, '**/api/work/findMany/jobs', { json: jobs });
    await openFindMany(page);
    await expect(files(page)).toContainText('3,200 of 9,200');
  }),
  screen('Bulk lookup, an 837', showClaims),
  screen('Bulk lookup, list of files failed', async (page) => {
    await mockReply(page, '**/api/work/findMany/jobs', { status: 500 });
    await openFindMany(page);
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Bulk lookup, while mirroring', async (page) => {
    const token = await openSession(page.request, accounts.IRAD);
    await mirror(page.request, token, accounts.PRUS);
    await page.goto('/wcpp/work/find-many');
    await expect(page.getByText("You can't upload files while mirroring.")).toBeVisible();
  }),
  screen('Bulk lookup, internal staff', async (page) => {
    await openFindMany(page, accounts.ISAD);
    await expect(page.getByText(/^Bills are looked up by a user's Tax IDs/)).toBeVisible();
  }),
];
