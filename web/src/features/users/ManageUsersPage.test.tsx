import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { type Call, fakeServer, makeSession, makeUser, type Replies, replyTo } from '@/api/testing';
import type { Session } from '@/api/types';
import type { UserRow } from '@/shared/accounts';
import { getOwner } from '@/shared/owner';
import { makeUserRow, replyWithPages } from '@/shared/testing';
import { createTableState } from '@/ui/table/state';
import ManageUsersPage from './ManageUsersPage';
import { choose, isad, messageText, mirroring, ok, openMenu, prad, show } from './testing';

const all = [
  'Edit Profile',
  'Manage TINs',
  'Convert to Provider Admin',
  'Convert to Provider User',
  'Terminate',
  'Reset Password',
  'Resend Registration',
];
const list = 'POST /users/manageUsers/page';
const asked = { groupId: 7, table: { page: 0, pageSize: 10, sort: { id: 'firstName', desc: false } } };

let calls: Call[];

function open(part: Partial<UserRow> = {}, replies: Replies = {}, session: Session = prad, state = {}) {
  calls = fakeServer({ [list]: replyWithPages([makeUserRow({ userActions: all, ...part })]), ...replies });
  return show(ManageUsersPage, session, state);
}

const rest = {
  toAdmin: 'POST /users/convertUserToAdmin/prad.demo/areed',
  toUser: 'POST /users/convertAdminToUser/prad.demo/areed',
  terminate: 'PUT /users/terminateUser/prad.demo/areed',
  reset: 'POST /users/resetPasswordByAdmin/start',
  resend: 'POST /users/regenRegistrationByAdmin/prad.demo/5',
} as const;

describe('each change is confirmed, made and reported', () => {
  it.each([
    [
      'Convert to Provider Admin',
      'Are you sure you want to convert this account to Provider Admin?',
      rest.toAdmin,
      null,
      'success',
      'The selected account was successfully updated.',
    ],
    [
      'Convert to Provider User',
      'Are you sure you want to convert this account to Provider User?',
      rest.toUser,
      null,
      'success',
      'The selected account was successfully updated.',
    ],
    [
      'Terminate',
      'Are you sure you want to terminate this account?',
      rest.terminate,
      { userNm: 'areed', mgrUserInfoId: 1 },
      1,
      'The selected account was successfully terminated.',
    ],
    [
      'Reset Password',
      'Are you sure you want to reset the password for this account?',
      rest.reset,
      { userName: 'areed', emailAddress: 'anna@example.com', adminUserName: 'prad.demo' },
      'success',
      'The selected account was successfully updated.',
    ],
    [
      'Resend Registration',
      'Are you sure you want to resend the registration emails for this account?',
      rest.resend,
      null,
      'success',
      'The Registration Emails were resent to the selected account.',
    ],
  ])('%s', async (action, question, call, body, answer, text) => {
    open({}, replyTo(call, { body: answer }));
    await choose(action);
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
    expect(within(screen.getByRole('dialog')).getByText(question)).toBeTruthy();
    expect(calls).toMatchObject([{ call: list, body: asked }]);
    await userEvent.click(await ok());
    expect(await messageText()).toBe(text);
    expect(screen.queryByRole('dialog')).toBeNull();
    // The list refetches.
    await waitFor(() =>
      expect(calls).toMatchObject([
        { call: list, body: asked },
        { call, body },
        { call: list, body: asked },
      ]),
    );
  });
});

describe('a failed change', () => {
  it.each([
    ['Terminate', rest.terminate],
    ['Convert to Provider Admin', rest.toAdmin],
    ['Reset Password', rest.reset],
    ['Resend Registration', rest.resend],
  ])('is reported, and the list refetches: %s', async (action, call) => {
    open({}, replyTo(call, { status: 404 }));
    await choose(action);
    await userEvent.click(await ok());
    expect(await messageText()).toBe(
      'Error: An error has occurred.  Please try again or contact Customer Service.',
    );
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(calls.filter(({ call }) => call === list)).toHaveLength(2));
  });

  it("shows the server's reason when another user was faster", async () => {
    open({}, { [rest.toAdmin]: { status: 409, body: { code: 'conflict', message: 'Too late.' } } });
    await choose('Convert to Provider Admin');
    await userEvent.click(await ok());
    expect(await messageText()).toContain('Too late.');
  });

  it("names the last administrator, who can't be terminated", async () => {
    open({}, { [rest.terminate]: { body: 600 } });
    await choose('Terminate');
    await userEvent.click(await ok());
    expect(await messageText()).toBe(
      'Error: This account cannot be terminated because there is not another Admin in the group.',
    );
  });

  it('opens a dialog when it would convert the last administrator', async () => {
    open({}, { [rest.toUser]: { body: 600 } });
    await choose('Convert to Provider User');
    await userEvent.click(await ok());
    expect(
      await screen.findByText(
        'Account cannot be changed to PRUS because this is the only PRAD for user group.',
      ),
    ).toBeTruthy();
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
    await userEvent.click(await ok());
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('group', { name: 'Message' })).toBeNull();
  });

  it.each(['Reset Password', 'Resend Registration'])('requires an email address: %s', async (action) => {
    open({ emailAddr: ' ' });
    await choose(action);
    expect(await messageText()).toBe('The email address is blank for the selected user.');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

it.each(all.slice(2))("can't be confirmed while mirroring: %s", async (action) => {
  open({}, {}, mirroring);
  await choose(action);
  expect((await ok()) as HTMLButtonElement).toHaveProperty('disabled', true);
});

const searchInfo = { owner: 'isad.demo x', criteria: {}, table: createTableState() };

describe('+ADD USER', () => {
  const disabled = async () =>
    (await screen.findByRole<HTMLButtonElement>('button', { name: '+ADD USER' })).disabled;

  it('opens the first step', async () => {
    const { handed } = open({}, {}, prad, { searchInfo });
    await userEvent.click(await screen.findByRole('link', { name: '+ADD USER' }));
    expect(handed[0]?.path).toBe('/ManageUserAddUser');
    expect(handed[0]?.state).toMatchObject({ searchInfo });
  });

  it.each([
    ['while mirroring', mirroring, "You can't make changes while mirroring."],
    [
      'to a provider user',
      makeSession({ user: makeUser({ typeCd: 'PRUS' }) }),
      "Only your group's administrator can add and change users.",
    ],
    [
      'to a read-only administrator',
      makeSession({ user: makeUser({ typeCd: 'IRAD' }) }),
      'Your account can view users but not change them.',
    ],
  ])('is disabled %s', async (_, session, why) => {
    open({}, {}, session);
    expect(await disabled()).toBe(true);
    expect(screen.getByText(why)).toBeTruthy();
  });
});

describe('the menus', () => {
  it("have the server's actions, and the access history", async () => {
    open({ userActions: ['Edit Profile', 'Terminate'] });
    await openMenu();
    expect(screen.getByRole('columnheader', { name: 'Update Account' })).toBeTruthy();
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Edit Profile',
      'Terminate',
      'Access History',
    ]);
  });

  it("don't offer to reset two-step verification for users without it", async () => {
    open(
      { userActions: ['Reset Password'] },
      {},
      makeSession({ permissions: ['users.manage', 'users.factors'] }),
    );
    await openMenu();
    expect(screen.queryByRole('menuitem', { name: 'Reset Two-Step Verification' })).toBeNull();
  });

  it('offer to reset two-step verification next to the password, with an emailed link', async () => {
    open(
      { userActions: ['Reset Password'], hasSecondStep: true },
      { 'POST /users/factorReset/start': { body: 'success' } },
      makeSession({ permissions: ['users.manage', 'users.factors'] }),
    );
    await choose('Reset Two-Step Verification');
    await userEvent.click(screen.getByRole('button', { name: 'OK' }));
    expect(await screen.findByText('Link sent to the selected account.')).toBeTruthy();
    expect(calls.find(({ call }) => call === 'POST /users/factorReset/start')?.body).toEqual({
      userName: 'areed',
    });
  });

  it.each(['IRAD', 'PRUS'] as const)('are hidden from %s', async (typeCd) => {
    open({}, {}, makeSession({ user: makeUser({ typeCd }) }));
    await screen.findByRole('cell', { name: 'areed' });
    expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull();
    expect(screen.queryByRole('columnheader', { name: 'Update Account' })).toBeNull();
  });

  it('are hidden from a read-only administrator who mirrors one with menus', async () => {
    open({}, {}, { ...mirroring, user: makeUser({ typeCd: 'IRAD', grpInfoId: null }) });
    await screen.findByRole('cell', { name: 'areed' });
    expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull();
  });

  it.each([
    ['Edit Profile', '/EditProfile', { admin: false }],
    ['Manage TINs', '/ManageTinsForUser', {}],
  ])('open the screen of %s', async (action, path, state) => {
    const { handed } = open({}, {}, prad, { searchInfo });
    await userEvent.click(await screen.findByRole('button', { name: 'Username' }));
    await choose(action);
    await screen.findByText('Elsewhere');
    expect(handed[0]?.path).toBe(path);
    const list = { table: { sort: { id: 'userName', desc: false } } };
    expect(handed[0]?.state).toMatchObject({ user: { userNm: 'areed' }, list, searchInfo, ...state });
  });

  it('start a new account for a terminated one', async () => {
    const { handed } = open({ statusCd: 'TERM' }, {}, { ...prad, workspace: [] }, { searchInfo });
    await choose('New account from this one');
    await screen.findByText('Elsewhere');
    expect(handed[0]?.path).toBe('/ManageUserAddUser');
    expect(handed[0]?.state).toHaveProperty('sealed.wizard');
    expect(handed[0]?.state).toMatchObject({ searchInfo });
  });
});

describe('the list', () => {
  const back = () => screen.findByRole('link', { name: 'Back to User Search' });
  const groupList: Replies = {
    'POST /admin/groupList': {
      body: [
        {
          groupInfoId: 1010,
          groupName: 'Lakes Rosters',
          groupTypeCd: 'ROS',
          statusCd: 'ACTIV',
          createdDate: '2026-03-02T15:00:00Z',
          groupRosterSources: [],
        },
      ],
    },
  };

  it('shows the named group of a newly created user, who is highlighted and comes first', async () => {
    const { handed } = open({}, groupList, isad, { groupId: 1010, createdId: 5, searchInfo });
    expect(await screen.findByRole('cell', { name: 'Anna Just added' })).toBeTruthy();
    expect(
      await screen.findByText('Users in group 1010, Lakes Rosters and their account types.'),
    ).toBeTruthy();
    expect(calls.find(({ call }) => call === list)?.body).toMatchObject({
      groupId: 1010,
      table: { sort: { id: 'created', desc: true } },
    });
    await userEvent.click(await back());
    expect(handed[0]?.path).toBe('/UserSearch');
    expect(handed[0]?.state).toMatchObject({ searchInfo });
  });

  it('is empty without a group, and shows where to find users', async () => {
    open({}, {}, isad);
    expect(await screen.findByText('To find users in all groups, go to User Search.')).toBeTruthy();
    expect(await back()).toBeTruthy();
    expect(calls).toEqual([]);
  });

  it('is empty for new internal staff', async () => {
    open({}, {}, isad, { groupId: null, createdId: 5 });
    expect(await screen.findByText(/^The new user isn't in a group\./)).toBeTruthy();
  });

  it('offers no search without permission', async () => {
    open();
    await screen.findByRole('cell', { name: 'areed' });
    expect(screen.queryByRole('link', { name: 'Back to User Search' })).toBeNull();
  });

  it('is complete, however long', async () => {
    const many = Array.from({ length: 1200 }, (_, n) => makeUserRow({ id: n, userNm: `user${n}` }));
    open({}, { [list]: replyWithPages(many) });
    expect(await screen.findByText('1,200 found')).toBeTruthy();
    await userEvent.type(screen.getByLabelText('Filter by Username'), 'user1199');
    expect(await screen.findByRole('cell', { name: 'user1199' })).toBeTruthy();
  });

  it('shows when it failed', async () => {
    open({}, { [list]: { status: 400 } });
    expect(
      await screen.findByText(
        'Error: There was an error retrieving data. Please try again or contact Customer Service.',
      ),
    ).toBeTruthy();
  });

  it("shows the previous screen's result once", async () => {
    const { router } = open({}, {}, prad, { message: 'User has been successfully created!' });
    expect(await screen.findByText('User has been successfully created!')).toBeTruthy();
    await waitFor(() => expect(router.state.location.state.message).toBeUndefined());
    expect(screen.getByText('User has been successfully created!')).toBeTruthy();
    // The next action replaces it.
    await choose('Terminate');
    expect(screen.queryByText('User has been successfully created!')).toBeNull();
  });
});

describe('the access history', () => {
  const history = 'GET /users/accessHistory/areed';
  const entry = {
    at: '2026-03-02T15:00:00Z',
    userName: 'isad.demo',
    action: 'Profile changed',
    result: 'ok',
  };

  it('shows when, who and what, newest first', async () => {
    const later = { ...entry, at: '2026-03-03T09:05:00Z', userName: '', result: 'refused' };
    open({}, { [history]: { body: [entry, later] } });
    await choose('Access History');
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText('Profile changed');
    const rows = within(dialog)
      .getAllByRole('row')
      .slice(2)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      );
    const local = (at: string) =>
      new Date(at).toLocaleString('en-US', {
        month: '2-digit',
        day: '2-digit',
        year: 'numeric',
        hour: 'numeric',
        minute: '2-digit',
      });
    expect(rows).toEqual([
      [local(later.at), 'Not signed in', 'Profile changed (refused)'],
      [local(entry.at), 'isad.demo', 'Profile changed'],
    ]);
  });

  it('can be empty', async () => {
    open({}, { [history]: { body: [] } });
    await choose('Access History');
    expect(await screen.findByText('No access or account changes yet.')).toBeTruthy();
  });

  it('can fail', async () => {
    open({}, { [history]: { status: 400 } });
    await choose('Access History');
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
  });
});

describe('several users', () => {
  const several = { ...prad, permissions: [...prad.permissions, 'users.many'] };

  it("are selected across the list's pages and passed on", async () => {
    const { handed } = open({}, {}, several, { groupId: 7 });
    await userEvent.click(await screen.findByRole('button', { name: 'Select multiple' }));
    expect(screen.getByRole('button', { name: 'Change TINs for 0 users' })).toHaveProperty('disabled', true);
    await userEvent.click(screen.getByRole('checkbox', { name: /Anna Reed \(areed\)/ }));
    await userEvent.click(screen.getByRole('link', { name: 'Change TINs for 1 user' }));
    await screen.findByText('Elsewhere');
    expect(handed.at(-1)).toMatchObject({
      path: '/work/users/tins',
      state: {
        chosen: [{ userNm: 'areed', name: 'Anna Reed (areed)', groupId: 7 }],
        // For the way back.
        marked: { users: [{ userNm: 'areed' }] },
        groupId: 7,
        list: { table: { page: 0 } },
        listAt: 1,
      },
    });
  });

  it('are limited to 500, with a message', async () => {
    const session = makeSession(several);
    const users = Array.from({ length: 500 }, (_, n) => ({
      id: 100 + n,
      userNm: `u${n}`,
      name: '',
      groupId: 7,
    }));
    open({}, {}, session, { marked: { owner: getOwner(session), users } });
    const told = /^You can change TINs for up to 500 users/;
    await screen.findByRole('link', { name: 'Change TINs for 500 users' });
    expect(screen.queryByText(told)).toBeNull();
    await userEvent.click(await screen.findByRole('checkbox', { name: /Anna Reed \(areed\)/ }));
    expect(screen.getByText(told)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Change TINs for 501 users' })).toHaveProperty(
      'disabled',
      true,
    );
  });

  it("can't be selected while mirroring, or where the screen doesn't exist", async () => {
    open({}, {}, { ...several, mirroredUser: makeUser({ id: 2, userNm: 'mirrored' }) });
    await screen.findByText('areed');
    expect(screen.queryByRole('button', { name: 'Select multiple' })).toBeNull();
  });
});
