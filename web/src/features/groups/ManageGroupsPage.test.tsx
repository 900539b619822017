import { createMemoryHistory, type HistoryState } from '@tanstack/react-router';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Call, fakeServer, makeSession, makeUser, type Replies } from '@/api/testing';
import type { Session } from '@/api/types';
import { renderScreens } from '@/shared/testing';
import { readMaxLength } from '@/ui/form/testing';
import ManageGroupsPage from './ManageGroupsPage';
import type { PortalUserGroup } from './queries';

const searching = 'POST /admin/groupList';
const isad = makeSession({
  user: makeUser({ typeCd: 'ISAD', grpInfoId: null }),
  permissions: ['groups.search'],
  routes: ['ManageGroups', 'UserSearch'],
});

const makeGroup = (part: Partial<PortalUserGroup> = {}): PortalUserGroup => ({
  groupInfoId: 1010,
  groupName: 'Lakes Rosters',
  groupTypeCd: 'ROS',
  statusCd: 'ACTIV',
  createdDate: '2026-03-02T15:00:00Z',
  groupRosterSources: [{ sourceId: 201, sourceName: 'Cuyahoga' }],
  ...part,
});

let replies: Replies;
let calls: Call[];
const sent = () => calls.filter(({ call }) => call === searching).map(({ body }) => body);

beforeEach(() => {
  replies = {
    [searching]: { body: [makeGroup()] },
    'GET /roster/sources': {
      body: [
        { sourceId: 201, sourceName: 'Cuyahoga' },
        { sourceId: 202, sourceName: 'Great Lakes' },
      ],
    },
  };
  calls = fakeServer(replies);
});

function show(session: Session = isad, state: HistoryState = {}) {
  const history = createMemoryHistory({ initialEntries: ['/before'] });
  history.push('/ManageGroups', state as never);
  renderScreens({ '/ManageGroups': ManageGroupsPage, $: () => <p>Elsewhere</p> }, session, { history });
  return { at: () => history.location.pathname, state: () => history.location.state };
}

const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const messageText = async () => (await screen.findByRole('group', { name: 'Message' })).textContent;
async function search(label: string, typed: string) {
  await userEvent.type(await field(label), typed);
  await press('SEARCH');
}
const none = {
  portalUserGroupId: '',
  taxIdNumber: '',
  rosterHubSource: '',
  providerHubGroupId: '',
  username: '',
  emailAddress: '',
};
const first = [
  'Portal User Group ID',
  'Tax ID Number (TIN)',
  'Roster Hub Source',
  'Provider Hub Provider Group ID',
];
const more = ['Username', 'Email Address/Domain'];

describe('the criteria', () => {
  it.each([
    ['Portal User Group ID', '1010', 14, { portalUserGroupId: '1010' }],
    ['Tax ID Number (TIN)', '123456789', 9, { taxIdNumber: '123456789' }],
    ['Provider Hub Provider Group ID', '20101', 14, { providerHubGroupId: '20101' }],
    ['Username', 'road', 50, { username: 'road' }],
    ['Email Address/Domain', 'example.com', 100, { emailAddress: 'example.com' }],
  ])('by %s, one at a time', async (label, typed, most, criterion) => {
    show();
    await field('Tax ID Number (TIN)');
    await press('More Options');
    expect(readMaxLength(await field(label))).toBe(most);
    await userEvent.type(await field(label), typed);
    for (const other of [...first, ...more]) expect((await field(other)).disabled).toBe(other !== label);
    await press('SEARCH');
    await screen.findByRole('cell', { name: '1010' });
    expect(sent()).toEqual([{ ...none, ...criterion }]);
    await userEvent.clear(await field(label));
    for (const other of [...first, ...more]) expect((await field(other)).disabled).toBe(false);
  });

  it('by a source, selected by name and sent by ID', async () => {
    show();
    await userEvent.type(await field('Roster Hub Source'), 'great');
    await userEvent.click(await screen.findByRole('option', { name: 'Great Lakes', hidden: true }));
    for (const other of first) expect((await field(other)).disabled).toBe(other !== 'Roster Hub Source');
    await press('SEARCH');
    await screen.findByRole('cell', { name: '1010' });
    expect(sent()).toEqual([{ ...none, rosterHubSource: '202' }]);
  });

  it('must be one', async () => {
    show();
    await field('Portal User Group ID');
    await press('SEARCH');
    expect(await messageText()).toBe(
      'An error has occurred. Please address all fields marked with "Error".Error: Enter at least one search criteria',
    );
    expect(sent()).toEqual([]);
    await userEvent.type(await field('Tax ID Number (TIN)'), '1');
    expect(screen.queryByText('Error: Enter at least one search criteria')).toBeNull();
  });

  it.each([
    ['Portal User Group ID', '10x', 'Error: Enter digits only'],
    ['Tax ID Number (TIN)', '12-3x', 'Error: Enter digits only'],
    ['Username', 'ro', 'Error: Enter a minimum of 3 characters in username field'],
    ['Email Address/Domain', '@ab', 'Error: Enter at least 3 characters of the email domain'],
  ])('are rejected: %s %s', async (label, typed, text) => {
    show();
    await field('Tax ID Number (TIN)');
    await press('More Options');
    await search(label, typed);
    expect(await messageText()).toContain(text);
    expect(sent()).toEqual([]);
  });

  it("that are hidden are cleared, so that they don't disable the others", async () => {
    show();
    await field('Tax ID Number (TIN)');
    await press('More Options');
    await userEvent.type(await field('Username'), 'road');
    await press('Hide Options');
    expect((await field('Portal User Group ID')).disabled).toBe(false);
    await press('More Options');
    expect((await field('Username')).value).toBe('');
  });

  it('are cleared by RESET, with the results', async () => {
    show();
    await search('Portal User Group ID', '1010');
    await screen.findByRole('cell', { name: '1010' });
    await press('RESET');
    expect((await field('Portal User Group ID')).value).toBe('');
    expect(screen.queryByRole('cell', { name: '1010' })).toBeNull();
  });
});

describe('the results', () => {
  it('are sorted by ID, with types and statuses as text, and roster and provider groups have an action', async () => {
    replies[searching] = {
      body: [
        makeGroup({ groupInfoId: 1012, statusCd: 'PEND' }),
        makeGroup({ groupInfoId: 1001, groupTypeCd: 'PRV', statusCd: 'INACT' }),
        makeGroup({ groupInfoId: 1003, groupTypeCd: 'NNW', statusCd: 'LOCK' }),
        makeGroup({ groupInfoId: 1002, groupTypeCd: 'PRV', statusCd: 'DISABL' }),
      ],
    };
    show();
    await search('Tax ID Number (TIN)', '123456789');
    await screen.findByRole('cell', { name: '1012' });
    const table = within(screen.getByRole('table', { name: 'Portal User Groups' }));
    expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Portal User Group ID',
      'Group Name',
      'Group Type',
      'Group Status',
      'Create Date',
      'Actions',
    ]);
    expect(
      table
        .getAllByRole('row')
        .slice(2)
        .map((row) =>
          within(row)
            .getAllByRole('cell')
            .map(({ textContent }) => textContent),
        ),
    ).toEqual([
      ['1001', 'Lakes Rosters', 'Provider Group', 'Inactive', '03/02/2026', ''],
      ['1002', 'Lakes Rosters', 'Provider Group', 'Disabled', '03/02/2026', ''],
      ['1003', 'Lakes Rosters', 'Non-Network Group', 'Locked', '03/02/2026', ''],
      ['1012', 'Lakes Rosters', 'Roster Group', 'Pending', '03/02/2026', ''],
    ]);
    expect(
      screen
        .getAllByRole('button', { name: /^Actions for/ })
        .map((button) => button.getAttribute('aria-label')),
    ).toEqual(['Actions for group 1001', 'Actions for group 1002', 'Actions for group 1012']);
    const sizes = within(screen.getByRole('navigation')).getByLabelText<HTMLSelectElement>('Rows per page:');
    expect([...sizes.options].map(({ text }) => text)).toEqual(['5', '10', '25', '50']);
    expect(sizes.value).toBe('10');
  });

  it("link to a provider group's users", async () => {
    replies[searching] = { body: [makeGroup({ groupInfoId: 1001, groupTypeCd: 'PRV' })] };
    const { at, state } = show();
    await search('Portal User Group ID', '1001');
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for group 1001' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'View Users' }));
    await waitFor(() => expect(at()).toBe('/UserSearch'));
    expect(state().kept?.criteria).toEqual({
      userName: '',
      name: '',
      emailAddress: '',
      ftin: '',
      groupId: '1001',
      userTypeCD: '',
    });
  });

  it("link to a group's sources, and Back restores the search", async () => {
    const { at, state } = show();
    await search('Portal User Group ID', '1010');
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for group 1010' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Manage Roster Hub Sources' }));
    await waitFor(() => expect(at()).toBe('/ManageRosterSourcesForUserGroup'));
    const { mode, groupInfo, returnPath, searchInfo } = state();
    expect({ mode, groupInfo, returnPath }).toEqual({
      mode: 'existingGroup',
      groupInfo: { groupInfoId: 1010, groupRosterSources: [{ sourceId: 201, sourceName: 'Cuyahoga' }] },
      returnPath: '/ManageGroups',
    });
    show(isad, { searchInfo });
    expect((await field('Portal User Group ID')).value).toBe('1010');
    await screen.findByRole('cell', { name: '1010' });
    expect(sent()).toHaveLength(2);
  });

  it('show more options if the restored search used one of them', async () => {
    const { at, state } = show();
    await field('Tax ID Number (TIN)');
    await press('More Options');
    await search('Username', 'road');
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for group 1010' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Manage Roster Hub Sources' }));
    await waitFor(() => expect(at()).toBe('/ManageRosterSourcesForUserGroup'));
    show(isad, { searchInfo: state().searchInfo });
    expect((await screen.findByLabelText<HTMLInputElement>('Username')).value).toBe('road');
    expect(screen.getByRole('button', { name: 'Hide Options' })).toBeTruthy();
  });

  it('can be empty', async () => {
    replies[searching] = { body: [] };
    show();
    await search('Portal User Group ID', '4711');
    expect(
      await screen.findByText(
        'There are no groups available for the criteria entered. Please revise your search criteria and try again or go to MANAGE GROUPS.',
      ),
    ).toBeTruthy();
    expect(screen.getByText('No results found. Please try a different search.')).toBeTruthy();
  });

  it("show when they're incomplete", async () => {
    replies[searching] = { body: [makeGroup()], headers: { 'X-Limited-To': '1000' } };
    show();
    await search('Portal User Group ID', '1010');
    expect(
      await screen.findByText('Only the first 1,000 groups are shown. Narrow your search.'),
    ).toBeTruthy();
  });

  it("that couldn't load can be requested again", async () => {
    replies[searching] = { status: 400 };
    show();
    await search('Portal User Group ID', '1010');
    expect(
      await screen.findByText(
        'Error: There was an error retrieving data. Please try again or contact Customer Service.',
      ),
    ).toBeTruthy();
    replies[searching] = { body: [makeGroup()] };
    await press('Try again');
    expect(await screen.findByRole('cell', { name: '1010' })).toBeTruthy();
  });
});

it("isn't for users who can't search groups", async () => {
  show(makeSession());
  expect(await screen.findByText("You don't have access")).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'SEARCH' })).toBeNull();
});
