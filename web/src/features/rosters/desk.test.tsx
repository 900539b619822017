import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { type Call, fakeServer, makeSession, type Replies } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import DeskRostersPage from './DeskRostersPage';
import type { DeskRoster } from './queries';

const makeRoster = (part: Partial<DeskRoster> = {}): DeskRoster => ({
  id: 12,
  groupId: 1010,
  group: 'Hub Roster Group',
  source: 'Lakes Hub',
  providerGroup: 'Edgewater',
  providerGroupId: 'G1',
  updateType: 'full',
  sentAt: '2026-07-01T15:00:00Z',
  sentBy: 'road.demo',
  receiving: { state: 'NEW' },
  handledBy: '',
  files: [{ number: 1, fileName: 'July.csv', size: 9, checked: true, rows: 1200, badRows: 3 }],
  changes: { before: 4, added: 1, changed: 2, ended: 1 },
  ...part,
});

const report = {
  fileName: 'July.csv',
  format: 'csv' as const,
  checkId: '',
  unreadable: '',
  missing: [],
  ignored: [],
  sheets: [],
  headerRow: 1,
  chosen: true,
  columns: [{ index: 0, name: 'Prov ID', kind: 'NPI' }],
  rows: 1200,
  badRows: 3,
  found: 3,
  problems: [
    {
      row: 7,
      provider: 'Lee Hand (1234567893)',
      column: 'State',
      value: 'ZZ',
      code: 'STATE',
      message: 'Enter the two letters of a state.',
    },
  ],
  providers: 900,
  adds: 0,
  changes: 0,
  terms: 0,
};

let roster: DeskRoster;
let replies: Replies;
let calls: Call[];
beforeEach(() => {
  roster = makeRoster();
  replies = {
    'POST /desk/rosters/page': () => ({ body: { rows: [roster], count: 1 } }),
    'GET /desk/rosters/12': () => ({ body: { roster, checks: [report] } }),
    'POST /desk/rosters/12/changes': { body: { rows: [{ npi: '1234567893', change: 'ENDED' }], count: 1 } },
    'PUT /desk/rosters/12': { body: { mailed: true } },
    'POST /desk/rosters/12/directory': { status: 204 },
  };
  calls = fakeServer(replies);
});

const open = (permissions = ['rosters.receive']) =>
  renderScreens({ '/': DeskRostersPage }, makeSession({ permissions }));

const sent = (path: string) => calls.filter(({ call }) => call === path).map(({ body }) => body);

test('a roster is claimed and marked as done', async () => {
  const user = userEvent.setup();
  open();
  await user.click(await screen.findByRole('button', { name: /^Open the roster of Edgewater/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Edgewater: roster 12' });
  expect(within(dialog).getByText(/^road.demo of Hub Roster Group sent this full roster/)).toBeTruthy();
  expect(await within(dialog).findByText('1234567893')).toBeTruthy();
  const link = within(dialog).getByRole('link', { name: 'July.csv' });
  expect(link.getAttribute('href')).toContain('/roster/file/12/1');
  expect(within(dialog).getByText('Enter the two letters of a state.')).toBeTruthy();
  expect(within(dialog).getByText('The sender selected the columns: Prov ID as NPI.')).toBeTruthy();
  expect(within(dialog).queryByRole('button', { name: /columns/ })).toBeNull();

  replies['PUT /desk/rosters/12'] = () => {
    roster = makeRoster({
      receiving: { state: 'TAKEN', at: '2026-07-02T15:00:00Z' },
      handledBy: 'isad.demo',
    });
    return { body: { mailed: false } };
  };
  await user.click(within(dialog).getByRole('button', { name: 'Claim' }));
  expect(await within(dialog).findByText(/^Claimed on .* by isad\.demo\.$/)).toBeTruthy();
  expect(within(dialog).getByRole('button', { name: 'Release' })).toBeTruthy();
  expect(within(dialog).getByRole('button', { name: 'Mark as done' })).toBeTruthy();
  expect(sent('PUT /desk/rosters/12')).toEqual([{ seen: 'NEW', state: 'TAKEN' }]);
});

test('another user was faster', async () => {
  const user = userEvent.setup();
  open();
  await user.click(await screen.findByRole('button', { name: /^Open the roster/ }));
  replies['PUT /desk/rosters/12'] = {
    status: 409,
    body: { message: 'isad2 has marked this roster as Done meanwhile.' },
  };
  await user.click(await screen.findByRole('button', { name: 'Claim' }));
  expect(await screen.findByText('isad2 has marked this roster as Done meanwhile.')).toBeTruthy();
});

test('a returned roster has a reason, which the sender gets by email', async () => {
  const user = userEvent.setup();
  open();
  await user.click(await screen.findByRole('button', { name: /^Open the roster/ }));
  await user.click(await screen.findByRole('button', { name: 'Return…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Return roster 12' });
  await user.click(within(dialog).getByRole('button', { name: 'Return' }));
  expect(
    await within(dialog).findByRole('link', {
      name: 'Error: Enter what the sender needs to fix',
    }),
  ).toBeTruthy();
  expect(sent('PUT /desk/rosters/12')).toEqual([]);
  await user.type(within(dialog).getByLabelText(/^Problem/), 'Row 7 has no state.');
  await user.click(within(dialog).getByRole('button', { name: 'Return' }));
  await waitFor(() =>
    expect(sent('PUT /desk/rosters/12')).toEqual([
      { seen: 'NEW', state: 'RETURNED', reason: 'Row 7 has no state.' },
    ]),
  );
  await screen.findByRole('dialog', { name: 'Edgewater: roster 12' });
});

test('a claimed roster can update the directory, with its progress', async () => {
  const user = userEvent.setup();
  roster = makeRoster({
    receiving: { state: 'TAKEN', at: '2026-07-02T15:00:00Z' },
    handledBy: 'isad.demo',
    directory: { state: '', rows: 0, unknown: 0, ended: 0, problem: 'all.csv: 3 of 4 rows were read.' },
  });
  open();
  await user.click(await screen.findByRole('button', { name: /^Open the roster/ }));
  replies['POST /desk/rosters/12/directory'] = () => {
    roster = { ...roster, directory: { state: 'WAITING', rows: 400, unknown: 0, ended: 0, problem: '' } };
    return { status: 204 };
  };
  expect(
    await screen.findByText('The last directory update failed. all.csv: 3 of 4 rows were read.'),
  ).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Update directory' }));
  expect(await screen.findByText('400 of 1,200 rows')).toBeTruthy();
  roster = { ...roster, directory: { state: 'DONE', rows: 1200, unknown: 1, ended: 3, problem: '' } };
  expect(
    await screen.findByText(/Directory updated from 1,200 rows\. 3 earlier listings/, undefined, {
      timeout: 4000,
    }),
  ).toBeTruthy();
});

test("other users don't see rosters", async () => {
  open(['desk.open']);
  expect(await screen.findByRole('heading', { name: 'Rosters', level: 1 })).toBeTruthy();
  expect(calls).toEqual([]);
});
