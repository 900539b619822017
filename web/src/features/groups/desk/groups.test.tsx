import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Call, fakeServer, makeSession, type Replies } from '@/api/testing';
import type { PortalUserGroup } from '@/shared/groups';
import { renderScreens } from '@/shared/testing';
import DeskGroupsPage from './DeskGroupsPage';

const north: PortalUserGroup = {
  groupInfoId: 1001,
  groupName: 'North Clinic',
  groupTypeCd: 'PRV',
  statusCd: 'ACTIV',
  createdDate: '2026-01-05T12:00:00Z',
  groupRosterSources: [],
};
const south: PortalUserGroup = { ...north, groupInfoId: 1002, groupName: 'South Clinic', statusCd: 'INACT' };

let calls: Call[];
let replies: Replies;

beforeEach(() => {
  replies = {
    'POST /desk/groups': { body: { rows: [north, south], count: 2 } },
    'GET /desk/groups/1001/use': {
      body: { users: 1200, maySignIn: 1000, registering: 1, signedIn: 3, mailed: 2 },
    },
    'GET /desk/groups/1002/use': { body: { users: 2, maySignIn: 1, registering: 0, signedIn: 0, mailed: 0 } },
    'PUT /desk/groups/1001/name': { status: 204 },
    'PUT /desk/groups/1001/status': { status: 204 },
    'PUT /desk/groups/1002/status': { status: 204 },
    'POST /admin/groupList': { body: [south] },
    'POST /provider/page': {
      body: { rows: [{ prvName: 'Lakeside Imaging', prvId: '7', prvProviderType: 'F' }], count: 3 },
    },
  } as Replies;
  calls = fakeServer(replies);
});

afterEach(cleanup);

const open = (permissions = ['groups.desk', 'groups.manage']) =>
  renderScreens({ '/desk/groups': DeskGroupsPage }, makeSession({ permissions }));

const sent = (call: string) => calls.filter((made) => made.call === call).map(({ body }) => body);

async function choose(group: string, action: string) {
  await userEvent.click(await screen.findByRole('button', { name: new RegExp(`group ${group}`) }));
  await userEvent.click(await screen.findByRole('menuitem', { name: action }));
  return within(await screen.findByRole('dialog'));
}

test('the server searches for part of a name', async () => {
  open();
  await screen.findByText('North Clinic');
  await userEvent.type(screen.getByRole('textbox', { name: /Group name/ }), 'clin');
  await expect
    .poll(() => sent('POST /desk/groups').at(-1))
    .toMatchObject({ table: { page: 0, pageSize: 25, filters: { name: 'clin' } } });
});

test('a group is renamed', async () => {
  open();
  const dialog = await choose('1001', 'Rename');
  const name = dialog.getByLabelText(/Group name/);
  await userEvent.clear(name);
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findAllByText(/Error: Enter a name/)).not.toHaveLength(0);
  await userEvent.type(name, 'Lake  Side ');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Group 1001 renamed Lake Side')).toBeTruthy();
  expect(sent('PUT /desk/groups/1001/name')).toEqual([{ name: 'Lake Side' }]);
});

test('a name that another user has set is replaced only after asking', async () => {
  replies['POST /desk/groups'] = { body: { rows: [{ ...north, nameVersion: 'one' }], count: 1 } };
  replies['PUT /desk/groups/1001/name'] = [
    {
      status: 409,
      body: {
        code: 'STALE',
        version: 'two',
        fields: [{ path: 'name', code: 'CHANGED', message: '', value: 'East Clinic' }],
      },
    },
    { status: 204 },
  ];
  open();
  const dialog = await choose('1001', 'Rename');
  await userEvent.type(dialog.getByLabelText(/Group name/), 's');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await userEvent.click(await dialog.findByRole('button', { name: 'Apply mine' }));
  expect(await screen.findByText('Group 1001 renamed North Clinics')).toBeTruthy();
  expect(sent('PUT /desk/groups/1001/name')).toEqual([
    { name: 'North Clinics', version: 'one' },
    { name: 'North Clinics', version: 'two' },
  ]);
});

test('the effects are shown before a group is deactivated', async () => {
  open();
  const dialog = await choose('1001', 'Make inactive');
  expect((await dialog.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual([
    "1,000 users of 1,200 won't be able to sign in.",
    '3 users are signed in and will be signed out.',
    '1 registration link will stop working.',
    "We'll stop sending bill updates to 2 email addresses.",
    'No data is deleted. Everything is restored when you make the group active.',
  ]);
  await userEvent.click(dialog.getByRole('button', { name: 'Make inactive' }));
  expect(await screen.findByText('Group 1001 is inactive')).toBeTruthy();
  expect(sent('PUT /desk/groups/1001/status')).toEqual([{ statusCd: 'INACT' }]);
});

test('a group without a name starts its sentence, and zero counts are left out', async () => {
  replies['POST /desk/groups'] = { body: { rows: [{ ...north, groupName: '' }, south], count: 2 } };
  replies['GET /desk/groups/1001/use'] = {
    body: { users: 0, maySignIn: 0, registering: 0, signedIn: 0, mailed: 0 },
  };
  open();
  const dialog = await choose('1001', 'Make inactive');
  expect((await dialog.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual([
    'No data is deleted. Everything is restored when you make the group active.',
  ]);
  expect(dialog.getByText('Group 1001')).toBeTruthy();
});

test('zero counts are left out of the effects of reactivating', async () => {
  open();
  const dialog = await choose('1002', 'Make active');
  expect((await dialog.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual([
    '1 user of 2 will be able to sign in again.',
  ]);
  expect(dialog.getByText('Group 1002, South Clinic')).toBeTruthy();
});

test('without effects, that is shown', async () => {
  replies['GET /desk/groups/1002/use'] = {
    body: { users: 0, maySignIn: 0, registering: 0, signedIn: 0, mailed: 0 },
  };
  open();
  const dialog = await choose('1002', 'Make active');
  expect(await dialog.findByText("This doesn't affect any users right now.")).toBeTruthy();
});

test('a group is reactivated', async () => {
  open();
  const dialog = await choose('1002', 'Make active');
  expect(await dialog.findByText('1 user of 2 will be able to sign in again.')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Make active' }));
  expect(await screen.findByText('Group 1002 is active again')).toBeTruthy();
  expect(sent('PUT /desk/groups/1002/status')).toEqual([{ statusCd: 'ACTIV' }]);
});

test('nothing can be confirmed until the effects are loaded', async () => {
  replies['GET /desk/groups/1001/use'] = { status: 503 };
  replies['PUT /desk/groups/1002/status'] = { status: 503 };
  open();
  const dialog = await choose('1001', 'Make inactive');
  expect(await dialog.findByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(dialog.getByRole('button', { name: 'Make inactive' })).toHaveProperty('disabled', true);
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  const other = await choose('1002', 'Make active');
  await other.findByText('1 user of 2 will be able to sign in again.');
  await userEvent.click(other.getByRole('button', { name: 'Make active' }));
  expect(await screen.findByText("Couldn't update the group. Try again.")).toBeTruthy();
});

test('a provider group gets a TIN, or an error', async () => {
  const give = 'POST /ftin/groupFtins/1001/961744671';
  replies[give] = [
    { status: 400, body: { code: 'TIN_EXISTS_INTGRP', message: 'refused' } },
    { status: 500 },
    { body: 'success' },
  ];
  open(['groups.desk', 'groups.manage', 'groups.search', 'tins.add']);
  const dialog = await choose('1001', 'Assign Tax ID');
  await userEvent.click(dialog.getByRole('button', { name: 'Assign' }));
  expect(await dialog.findAllByText('Error: Enter a Tax ID Number (TIN)')).not.toHaveLength(0);
  expect(sent('POST /provider/page')).toHaveLength(0);
  await userEvent.type(dialog.getByLabelText(/Tax ID Number/), '96-1744671');
  // The TIN's owner, before assigning it.
  await dialog.findByText(
    'Lakeside Imaging and 2 other providers bill under it. Groups that have it: group 1002, South Clinic.',
  );
  await userEvent.click(dialog.getByRole('button', { name: 'Assign' }));
  expect(
    await dialog.findAllByText("Error: The group already has this TIN, or it's pending review"),
  ).not.toHaveLength(0);
  await userEvent.click(dialog.getByRole('button', { name: 'Assign' }));
  expect(await dialog.findByText("Error: Couldn't assign the Tax ID. Try again.")).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Assign' }));
  expect(await screen.findByText('961744671 assigned to group 1001, North Clinic')).toBeTruthy();
  expect(sent(give)).toHaveLength(3);
});

test('a TIN that nobody bills under is reported first', async () => {
  replies['POST /admin/groupList'] = { body: [] };
  replies['POST /provider/page'] = { body: { rows: [], count: 0 } };
  open(['groups.desk', 'groups.manage', 'groups.search', 'tins.add']);
  const dialog = await choose('1001', 'Assign Tax ID');
  await userEvent.type(dialog.getByLabelText(/Tax ID Number/), '111223333');
  await dialog.findByText(
    'No provider in the directory bills under it. Check the number. No other group has it.',
  );
});

test('only provider groups get TINs here', async () => {
  replies['POST /desk/groups'] = {
    body: {
      rows: [
        { ...north, groupTypeCd: 'ROS' },
        { ...south, groupTypeCd: 'NNW' },
      ],
      count: 2,
    },
  };
  open(['groups.desk', 'groups.manage', 'tins.add']);
  for (const group of ['1001', '1002']) {
    await userEvent.click(await screen.findByRole('button', { name: new RegExp(`group ${group}`) }));
    await screen.findByRole('menuitem', { name: 'Rename' });
    expect(screen.queryByRole('menuitem', { name: 'Assign Tax ID' })).toBeNull();
    await userEvent.keyboard('{Escape}');
  }
});

test('read-only users change nothing', async () => {
  open(['groups.desk']);
  await screen.findByText('North Clinic');
  expect(screen.queryByRole('button', { name: /group 1001/ })).toBeNull();
});

test('shows so to users without access', async () => {
  open([]);
  expect(await screen.findByText("You don't have access")).toBeTruthy();
  expect(calls).toEqual([]);
});
