import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { bearer } from '@/api/client';
import { configure, fakeServer, makeSession, type Replies } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import DeskQualityPage from './DeskQualityPage';
import type { Measure, Quality } from './queries';
import { formatChange, formatShare } from './wording';

let replies: Replies;

const claims: Measure = {
  measure: 'CLAIM_NUMBER',
  days: [
    { day: '2026-06-01', counted: 1000, good: 900 },
    { day: '2026-06-03', counted: 104, good: 64 },
  ],
  before: { counted: 1000, good: 900 },
  week: { counted: 1104, good: 964 },
  all: { counted: 1104, good: 964 },
  verdict: 'WORSE',
};
const none = { counted: 0, good: 0 };
const lines: Measure = {
  measure: 'LINES',
  days: [],
  before: none,
  week: none,
  all: none,
  verdict: 'NONE',
};

const quality: Quality = {
  measures: [lines, claims],
  from: '2026-03-06',
  to: '2026-06-03',
  countedAt: '2026-06-03T13:00:00Z',
  kinds: ['x12', 'csv-bills'],
};

const address = 'GET /desk/feeds/quality';
const files = 'GET /desk/feeds/quality/files';

beforeEach(async () => {
  bearer.token = 'token-1';
  await configure({});
  replies = {
    'GET /desk/feeds/sources': {
      body: {
        sources: [7, 8].map((id) => ({
          id,
          name: id === 7 ? 'North' : 'Groups of North',
          kind: id === 7 ? 'x12' : 'csv-groups',
          pattern: '',
          expected: '',
          graceMinutes: 0,
          ownerMail: '',
          light: 'NONE' as const,
          lastAt: null,
          lateFrom: null,
          nextAt: null,
        })),
        kinds: ['x12', 'csv-groups'],
        zone: 'America/New_York',
        takes: true,
        asOf: '2026-06-03T12:05:00Z',
      },
    },
    [address]: { body: quality },
    [files]: {
      body: {
        files: [
          {
            id: 5,
            name: 'worst.837',
            kind: 'x12',
            sourceId: 7,
            beganAt: '2026-06-03T13:00:00Z',
            counted: 4,
            good: 1,
          },
        ],
        count: 61,
      },
    },
  };
});

function show(permissions = ['feeds.watch']) {
  const calls = fakeServer(replies);
  renderScreens({ '/desk/quality': DeskQualityPage }, makeSession({ permissions }));
  return calls;
}

test('a decline is described, with the counts and the day', async () => {
  show();
  await screen.findByText('1 measure got worse');
  screen.getByText('Bills with a claim number: 61.5% on 06/03/2026, 90.0% before');
  const row = within(await screen.findByRole('row', { name: /Bills with a claim number/ }));
  row.getByText('Worse by 28.5 points');
  row.getByText('64 of 104');
  row.getByRole('img', { name: 'Bills with a claim number over 90 days: lowest 61.5%, latest 61.5%' });
  expect(screen.getAllByRole('row')[1]?.textContent).toContain('Bills with a claim number');
  const empty = within(screen.getByRole('row', { name: /Bills with service lines/ }));
  empty.getByText('No data');
  expect(empty.queryByRole('button')).toBeNull();
});

test("a measure lists its last day's files, worst first, and another day can be selected", async () => {
  const calls = show();
  await userEvent.click(
    await screen.findByRole('button', { name: 'Files of 06/03/2026 for Bills with a claim number' }),
  );
  const heading = await screen.findByRole('heading', { name: 'Files: Bills with a claim number' });
  expect(document.activeElement).toBe(heading);
  await screen.findByText('The 1 worst of 61 files.');
  const row = within(screen.getByRole('row', { name: /worst.837/ }));
  row.getByText('25.0%');
  row.getByText('3');
  await userEvent.selectOptions(screen.getByLabelText('Day'), '06/01/2026: 90.0%');
  await screen.findByText('The 1 worst of 61 files.');
  expect(
    calls.filter(({ call }) => call === files).map(({ query }) => new URLSearchParams(query).get('day')),
  ).toEqual(['2026-06-03', '2026-06-01']);
});

test('files of a kind or a source are selected, among those with measures', async () => {
  const calls = show();
  const choice = await screen.findByLabelText('Files');
  await screen.findByRole('option', { name: 'North' });
  expect([...choice.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    'All files',
    'All X12 files',
    'All Bills files',
    'North',
  ]);
  await userEvent.selectOptions(choice, 'North');
  await userEvent.selectOptions(choice, 'All Bills files');
  await screen.findByText('1 measure got worse');
  expect(calls.filter(({ call }) => call === address).map(({ query }) => query)).toEqual([
    '?kind=&sourceId=0',
    '?kind=&sourceId=7',
    '?kind=csv-bills&sourceId=0',
  ]);
});

test('an empty result and a failed request are reported', async () => {
  replies[address] = { body: { ...quality, measures: [lines], countedAt: null } };
  show();
  await screen.findByText('No data in the past 90 days');
  screen.getByText(/every 15 minutes/);
});

test('a failed request can be repeated', async () => {
  replies[address] = { status: 503, body: { message: 'x', code: 'INTERNAL' } };
  show();
  const again = await screen.findByRole('button', { name: 'Try again' });
  replies[address] = { body: quality };
  await userEvent.click(again);
  await screen.findByText('1 measure got worse');
});

test('users without access see so', async () => {
  show([]);
  await screen.findByText("You don't have access");
});

test('formats shares and changes', () => {
  expect(
    [none, { counted: 3, good: 2 }, { counted: 9999, good: 9998 }, { counted: 9999, good: 1 }].map(
      formatShare,
    ),
  ).toEqual(['', '66.7%', 'under 100%', 'over 0%']);
  expect(formatChange({ ...claims, verdict: 'BETTER', before: { counted: 2, good: 1 } }).text).toBe(
    'Better by 11.5 points',
  );
  expect(formatChange({ ...claims, verdict: 'SAME' }).text).toBe('No change');
  expect(formatChange({ ...claims, verdict: 'NONE' }).text).toBe('First day');
});
