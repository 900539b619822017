import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { bearer } from '@/api/client';
import { configure, fakeServer, makeSession, type Replies } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import DeskFeedsPage from './DeskFeedsPage';
import type { FeedFile, Source } from './queries';
import { formatDuration, formatLight, formatStatus, getKindName } from './wording';

let replies: Replies;

const source: Source = {
  id: 7,
  name: 'North',
  kind: 'x12',
  pattern: '*.835',
  expected: '0 6 * * 1-5',
  graceMinutes: 30,
  ownerMail: 'owner@example.com',
  light: 'LATE',
  lastAt: '2026-06-01T10:00:00Z',
  lateFrom: '2026-06-03T10:00:00Z',
  nextAt: '2026-06-04T10:00:00Z',
};

const file: FeedFile = {
  id: 5,
  sourceId: 7,
  kind: 'x12',
  name: 'today.835',
  via: 'DESK',
  startedBy: 'casey',
  checkOnly: false,
  again: false,
  status: 'DONE',
  stopped: false,
  phase: '',
  bytes: 10,
  total: 10,
  records: 12,
  taken: 9,
  updated: 0,
  unchanged: 0,
  rejected: 3,
  warnings: 1,
  refused: '',
  beganAt: '2026-06-03T13:00:00Z',
  endedAt: '2026-06-03T13:03:00Z',
  more: 0,
  problems: [
    {
      severity: 'error',
      reason: 'has not nine digits',
      element: 'N104',
      count: 3,
      first: 'segment 14, N104',
    },
  ],
};

beforeEach(async () => {
  bearer.token = 'token-1';
  await configure({});
  replies = {
    'GET /desk/feeds/sources': {
      body: {
        sources: [source],
        kinds: ['x12', 'csv-claims'],
        zone: 'America/New_York',
        takes: true,
        asOf: '2026-06-03T12:05:00Z',
      },
    },
    'POST /desk/feeds/files/page': { body: { rows: [file], count: 1 } },
    'GET /desk/feeds/files/5': { body: file },
  };
  fakeServer(replies);
});

const show = (permissions = ['feeds.watch', 'feeds.manage']) =>
  renderScreens({ '/desk/feeds': DeskFeedsPage }, makeSession({ permissions }));

test('late sources are listed first, and a file shows its problems', async () => {
  show();
  await screen.findByText('1 file is late');
  await screen.findByText('Late by 2 hours');
  screen.getByRole('cell', { name: 'Monday to Friday at 6:00 AM ET, late after 30 minutes' });
  await userEvent.click(await screen.findByRole('button', { name: 'today.835' }));
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByText('has not nine digits');
  within(dialog).getByText('Uploaded by casey');
  replies['POST /desk/feeds/files/5/again'] = {
    status: 409,
    body: { message: 'The same content is being read just now.', code: 'CONFLICT' },
  };
  await userEvent.click(within(dialog).getByRole('button', { name: 'Re-import' }));
  await within(dialog).findByText(/being read just now/);
});

test('sources with missing files come first', async () => {
  const light = (id: number, light: typeof source.light) => ({ ...source, id, name: light, light });
  replies['GET /desk/feeds/sources'] = {
    body: {
      sources: [light(1, 'ON_TIME'), light(2, 'NEVER'), light(3, 'NONE'), light(4, 'LATE')],
      kinds: [],
      zone: 'America/New_York',
      takes: true,
      asOf: '2026-06-03T12:05:00Z',
    },
  };
  show();
  await screen.findByRole('cell', { name: 'NEVER' });
  expect(['NEVER', 'LATE', 'ON_TIME', 'NONE'].map((name) => screen.getByRole('cell', { name }))).toEqual(
    screen.getAllByRole('cell', { name: /^(NEVER|LATE|ON_TIME|NONE)$/ }),
  );
});

test('routine sources and files are hidden until they are requested', async () => {
  const light = (id: number, light: typeof source.light) => ({
    ...source,
    id,
    name: `${light} ${id}`,
    light,
  });
  replies['GET /desk/feeds/sources'] = {
    body: {
      sources: [
        light(1, 'ON_TIME'),
        light(2, 'ON_TIME'),
        light(3, 'NONE'),
        light(4, 'ON_TIME'),
        light(5, 'LATE'),
      ],
      kinds: [],
      zone: 'America/New_York',
      takes: true,
      asOf: '2026-06-03T12:05:00Z',
    },
  };
  const calls = fakeServer(replies);
  show();
  await screen.findByRole('cell', { name: 'LATE 5' });
  expect(screen.queryByRole('cell', { name: 'ON_TIME 1' })).toBeNull();
  const toggle = screen.getByRole('button', { name: 'Show 4 other sources' });
  await userEvent.click(toggle);
  screen.getByRole('cell', { name: 'ON_TIME 1' });
  expect(toggle.getAttribute('aria-expanded')).toBe('true');

  await userEvent.selectOptions(screen.getByLabelText('Show'), 'All files');
  await screen.findByRole('button', { name: 'today.835' });
  const pages = calls.filter(({ call }) => call === 'POST /desk/feeds/files/page');
  expect(pages.map(({ body }) => (body as { problems: boolean }).problems)).toEqual([true, true, false]);
});

test('a source is added, and shows problems', async () => {
  replies['POST /desk/feeds/sources'] = {
    status: 400,
    body: {
      message: 'An error has occurred.',
      code: 'INVALID',
      fields: [{ path: 'expected', code: 'INVALID', message: 'No day is like that' }],
    },
  };
  show();
  const add = await screen.findByRole('button', { name: 'Add source' });
  await userEvent.click(add);
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findAllByText('Error: Enter a name')).not.toHaveLength(0);
  await userEvent.type(dialog.getByLabelText(/^Name($|\W)/), 'South');
  await userEvent.selectOptions(dialog.getByLabelText(/^File type/), 'Claims');
  await userEvent.type(dialog.getByLabelText(/^Expected/), '0 6 31 2 *');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findAllByText('Error: No day is like that')).not.toHaveLength(0);
});

test('read-only users change nothing', async () => {
  show(['feeds.watch']);
  await screen.findByRole('cell', { name: 'North' });
  for (const name of ['Add source', 'Edit North', 'Import', 'Validate only'])
    expect(screen.queryByRole('button', { name })).toBeNull();
});

test('without a watched folder, it shows what to configure', async () => {
  replies['GET /desk/feeds/sources'] = {
    body: { sources: [], kinds: [], zone: 'America/New_York', takes: false, asOf: '2026-06-03T12:05:00Z' },
  };
  show();
  await screen.findByText('WCPP_FEED_URL');
  expect(screen.queryByRole('button', { name: 'Import' })).toBeNull();
});

test('users without access see so', async () => {
  show([]);
  await screen.findByText("You don't have access");
});

test('formats texts', () => {
  expect([getKindName(''), getKindName('x12'), getKindName('csv-provider_tins')]).toEqual([
    'Unknown',
    'X12',
    'Provider tins',
  ]);
  expect(formatDuration('2026-06-01T10:00:00Z', '2026-06-01T10:00:10Z')).toBe('under a minute');
  expect(formatDuration('2026-06-01T10:00:00Z', '2026-06-04T10:00:00Z')).toBe('3 days');
  expect(formatLight({ ...source, light: 'NEVER' }, '').text).toBe('Never received');
  expect(formatStatus({ ...file, status: 'RUNNING', stopped: true }).text).toBe('Stopped');
});
