import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { onSessionChange } from '@/api/session';
import { type Call, fakeServer, makeSession, makeUser, type Replies, replyTo } from '@/api/testing';
import type { Session } from '@/api/types';
import type { UserRow } from '@/shared/accounts';
import { makeUserRow, replyWithPages } from '@/shared/testing';
import { saveCsv } from '@/ui/table/export';
import { choose, isad, messageText, ok, openMenu, show } from './testing';
import UserSearchPage from './UserSearchPage';

const searching = 'POST /admin/userList/page';
const actions = [
  'Mirror',
  'Edit Profile',
  'Manage TINs',
  'View TINs',
  'Convert to Provider Admin',
  'Convert to Provider User',
  'Manage Roster Hub Sources',
  'Reset Password',
  'Terminate',
  'Resend Registration',
  'Continue Registration',
];

vi.mock('@/ui/table/export', () => ({ saveCsv: vi.fn(), saveXlsx: vi.fn() }));

let calls: Call[];

function open(part: Partial<UserRow> = {}, replies: Replies = {}, session: Session = isad, state = {}) {
  calls = fakeServer({
    [searching]: replyWithPages([makeUserRow({ userActions: actions, ...part })]),
    ...replies,
  });
  return show(UserSearchPage, session, state);
}

const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);

async function search(label = 'Username', typed = 'areed') {
  await userEvent.type(await field(label), typed);
  await userEvent.click(screen.getByRole('button', { name: 'SEARCH' }));
}

const none = { userName: '', name: '', emailAddress: '', ftin: '', groupId: '', userTypeCD: '' };
const fields = ['Username', 'Name', 'Email Address', 'Tax ID Number (TIN)', 'Group ID'];

describe('the criteria', () => {
  it.each([
    ['Username', 'areed', { userName: 'areed' }],
    ['Name', 'Anna Reed', { name: 'Anna Reed' }],
    ['Email Address', '*reed', { emailAddress: '*reed' }],
    ['Tax ID Number (TIN)', '123456789', { ftin: '123456789' }],
    ['Group ID', '1001', { groupId: '1001' }],
  ])('by %s', async (label, typed, sent) => {
    open();
    await userEvent.type(await field(label), typed);
    for (const other of fields) expect((await field(other)).disabled).toBe(other !== label);
    await userEvent.selectOptions(await field('Account Type'), 'Provider User');
    await userEvent.click(screen.getByRole('button', { name: 'SEARCH' }));
    await screen.findByRole('cell', { name: 'areed' });
    expect(calls).toMatchObject([{ call: searching, body: { ...none, ...sent, userTypeCD: 'PRUS' } }]);
    await userEvent.clear(await field(label));
    for (const other of fields) expect((await field(other)).disabled).toBe(false);
  });

  it('offers the account types by name', async () => {
    open();
    const types = await field('Account Type');
    expect([...types.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
      'All',
      'Provider Admin',
      'Provider User',
      'Non-Network User',
      'Roster Admin',
      'Roster User',
      'Internal Read-Only Admin',
      'Internal System Admin',
    ]);
  });

  it('send nothing and clear the previous results if invalid', async () => {
    open();
    await search();
    await screen.findByRole('cell', { name: 'areed' });
    await userEvent.clear(await field('Username'));
    await search('Username', 'ar');
    expect(await messageText()).toBe('Error: Enter a minimum of 3 characters in username field');
    expect(screen.queryByRole('cell', { name: 'areed' })).toBeNull();
    expect(calls).toHaveLength(1);
  });

  it('show no error once one has a value', async () => {
    open();
    await field('Username');
    await userEvent.click(screen.getByRole('button', { name: 'SEARCH' }));
    expect(await messageText()).toBe(
      'Error: Enter Username or Email Address or Tax ID Number (TIN) or Group ID',
    );
    await userEvent.type(await field('Group ID'), '1');
    expect(screen.queryByText(/^Error: Enter Username/)).toBeNull();
  });

  it('are cleared by RESET, with the results', async () => {
    open();
    await search();
    await screen.findByRole('cell', { name: 'areed' });
    await userEvent.click(screen.getByRole('button', { name: 'RESET' }));
    expect((await field('Username')).value).toBe('');
    expect(screen.queryByRole('cell', { name: 'areed' })).toBeNull();
  });
});

describe('the results', () => {
  const exporting = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Export' });

  it('can be exported if there are some', async () => {
    open();
    await field('Username');
    expect(exporting().disabled).toBe(true);
    await search();
    await screen.findByRole('cell', { name: 'areed' });
    expect(exporting().disabled).toBe(false);
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'First Name',
      'Last Name',
      'Username',
      'Email Address',
      'Account Status',
      'Account Type',
      'Group ID',
      'Actions',
    ]);
  });

  it('can be empty, with a link to Add User for users who can add', async () => {
    const { handed } = open({}, { [searching]: replyWithPages([]) });
    await search();
    expect(
      await screen.findByText(
        'There are no users available for the criteria entered. Please revise your search criteria and try again or go to ADD USER.',
      ),
    ).toBeTruthy();
    await userEvent.click(screen.getByRole('link', { name: 'ADD USER' }));
    expect(handed[0]?.path).toBe('/AddUser');
  });

  it('can be empty, without a link for a read-only administrator', async () => {
    const irad = makeSession({ user: makeUser({ typeCd: 'IRAD' }), permissions: ['users.search'] });
    open({}, { [searching]: replyWithPages([]) }, irad);
    await search();
    await screen.findByText(/^There are no users available/);
    expect(screen.queryByRole('link', { name: 'ADD USER' })).toBeNull();
  });

  it('are paged by the server, and exported completely with progress', async () => {
    const many = Array.from({ length: 2200 }, (_, n) => makeUserRow({ id: n, userNm: `user${n}` }));
    const page = replyWithPages(many);
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    open(
      {},
      {
        [searching]: async (body) => {
          const { table } = body as { table: { page: number; pageSize: number } };
          if (table.pageSize === 1000 && table.page === 1) await held;
          return page(body);
        },
      },
    );
    await search();
    expect(await screen.findByText('2,200 found')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Last' }));
    await screen.findByRole('cell', { name: 'user2199' });
    await userEvent.click(exporting());
    await userEvent.click(await screen.findByRole('menuitem', { name: /CSV/ }));
    expect(await screen.findByText('1,000 of 2,200')).toBeTruthy();
    go();
    await waitFor(() => expect(saveCsv).toHaveBeenCalled());
    const cells = vi.mocked(saveCsv).mock.calls[0]?.[1] ?? [];
    expect(cells).toHaveLength(2201);
    expect(cells.at(-1)?.[2]).toBe('user2199');
  });

  it('show when the search failed', async () => {
    open({}, { [searching]: { status: 400 } });
    await search();
    expect(
      await screen.findByText(
        'Error: There was an error retrieving data. Please try again or contact Customer Service.',
      ),
    ).toBeTruthy();
  });
});

describe('each change is made and reported', () => {
  const paths = {
    toAdmin: 'POST /users/convertUserToAdmin/isad.demo/areed',
    toUser: 'POST /users/convertAdminToUser/isad.demo/areed',
    terminate: 'PUT /users/terminateUser/isad.demo/areed',
    reset: 'POST /users/resetPasswordByAdmin/start',
    resend: 'POST /users/regenRegistrationByAdmin/isad.demo/5',
  } as const;

  it.each([
    [
      'Convert to Provider Admin',
      paths.toAdmin,
      'success',
      'The selected account was successfully converted to PRAD',
    ],
    [
      'Convert to Provider User',
      paths.toUser,
      'success',
      'The selected account was successfully converted to PRUS',
    ],
    ['Terminate', paths.terminate, 1, 'The selected account was successfully terminated'],
    ['Reset Password', paths.reset, 'success', 'The selected account was successfully updated'],
    [
      'Resend Registration',
      paths.resend,
      'success',
      'The Registration Emails were resent to the selected account.',
    ],
    [
      'Terminate',
      paths.terminate,
      600,
      'Error: This account cannot be terminated because there is not another Admin in the group.',
    ],
  ])('%s', async (action, call, answer, text) => {
    open({}, replyTo(call, { body: answer }));
    await search();
    await choose(action);
    await userEvent.click(await ok());
    expect(await messageText()).toBe(text);
    // The same search again.
    await waitFor(() => expect(calls.map((each) => each.call)).toEqual([searching, call, searching]));
    expect(calls[2]?.body).toEqual(calls[0]?.body);
  });

  it('or its failure is reported', async () => {
    open({}, { [paths.terminate]: { status: 404 } });
    await search();
    await choose('Terminate');
    await userEvent.click(await ok());
    expect(await messageText()).toBe(
      'Error: An error has occurred. Please try again or contact Customer Service.',
    );
  });

  it('or the only administrator gets an explanation', async () => {
    open({}, { [paths.toUser]: { body: 600 } });
    await search();
    await choose('Convert to Provider User');
    await userEvent.click(await ok());
    expect(
      await screen.findByText(
        'Account cannot be changed to PRUS because this is the only PRAD for user group.',
      ),
    ).toBeTruthy();
  });

  it.each(['Reset Password', 'Resend Registration'])('and %s requires an email address', async (action) => {
    open({ emailAddr: '' });
    await search();
    await choose(action);
    expect(await messageText()).toBe('The email address is blank for the selected user.');
  });
});

describe('the linked screens', () => {
  it.each([
    ['Edit Profile', '/EditProfile', { admin: true }],
    ['View TINs', '/ViewTinsForUser', {}],
    ['Manage TINs', '/ManageTINsforNNUS', {}],
    [
      'Manage Roster Hub Sources',
      '/ManageRosterSourcesForUserGroup',
      { mode: 'existingGroup', groupInfo: { groupInfoId: 1010 } },
    ],
    ['Continue Registration', '/AddUser', { mode: 'draftUser' }],
  ])('%s', async (action, path, state) => {
    const { handed } = open({ groupInfo: { groupInfoId: 1010 } });
    await search();
    await choose(action);
    await screen.findByText('Elsewhere');
    expect(handed[0]?.path).toBe(path);
    expect(handed[0]?.state).toMatchObject({
      user: { id: 5, userNm: 'areed' },
      searchInfo: { criteria: { ...none, userName: 'areed' } },
      ...state,
    });
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('start a new account for a terminated one, where there is a Workspace: %s', async (on, offered) => {
    const { handed } = open({ statusCd: 'TERM' }, {}, { ...isad, ...(on && { workspace: [] }) });
    await search();
    await openMenu();
    const action = screen.queryByRole('menuitem', { name: 'New account from this one' });
    expect(action ? 1 : 0).toBe(offered);
    if (!action) return;
    await userEvent.click(action);
    await screen.findByText('Elsewhere');
    expect(handed[0]?.path).toBe('/AddUser');
    expect(handed[0]?.state).toMatchObject({ mode: 'anew', user: { userNm: 'areed' } });
  });

  it('link back to the search', async () => {
    const { router, handed } = open();
    await search();
    await choose('Edit Profile');
    await screen.findByText('Elsewhere');
    const { searchInfo } = handed[0]?.state ?? {};
    await router.navigate({ to: '/screen', state: { searchInfo } });
    await screen.findByRole('cell', { name: 'areed' });
    expect((await field('Username')).value).toBe('areed');
    expect(calls).toHaveLength(2);
    expect(JSON.stringify(router.state.location.href)).not.toContain('areed');
  });

  it('have no link to it for other users', async () => {
    open({}, {}, isad, {
      searchInfo: { owner: 'somebody else', criteria: { ...none, userName: 'areed' }, table: {} },
    });
    expect((await field('Username')).value).toBe('');
    expect(calls).toEqual([]);
  });
});

describe('mirroring', () => {
  const mirror = 'POST /session/mirror';

  it("starts for the row's user", async () => {
    const mirrored = makeSession({ mirroredUser: makeUser({ userNm: 'areed' }) });
    const changes: string[] = [];
    const leave = onSessionChange(({ type }) => changes.push(type));
    open({}, { [mirror]: { body: mirrored } });
    await search();
    await choose('Mirror');
    await waitFor(() => expect(changes).toEqual(['mirror']));
    expect(calls.at(-1)).toEqual({ call: mirror, body: { userNm: 'areed' } });
    leave();
  });

  it('shows when the office requires approval', async () => {
    const message = 'This office requires approval. Its administrators have been asked now.';
    open({}, { [mirror]: { status: 409, body: { code: 'ASK_FIRST', message } } });
    await search();
    await choose('Mirror');
    expect(await screen.findByText(message)).toBeTruthy();
  });

  it.each([
    [
      429,
      'Too many attempts. Wait a minute and try again.',
      'Too many attempts. Wait a minute and try again.',
    ],
    [404, 'This does not exist.', 'This user can no longer sign in. Search again.'],
    [
      500,
      'Something went wrong.',
      'Error: An error has occurred. Please try again or contact Customer Service.',
    ],
  ])('shows why a user cannot be mirrored (%i)', async (status, message, shown) => {
    open({}, { [mirror]: { status, body: { code: 'X', message } } });
    await search();
    await choose('Mirror');
    expect(await screen.findByText(shown)).toBeTruthy();
  });

  it('asks for the reason if the portal requires it', async () => {
    open(
      {},
      { [mirror]: { body: makeSession({ mirroredUser: makeUser({ userNm: 'areed' }) }) } },
      { ...isad, mirrorReason: true, workspace: [] },
    );
    await search();
    await choose('Mirror');
    expect(await screen.findByText(/Administrators of the user's group can see it\.$/)).toBeTruthy();
    await userEvent.click(await ok());
    expect(await screen.findByText('Error: Enter a reason')).toBeTruthy();
    await userEvent.type(screen.getByLabelText(/^Reason/), 'x'.repeat(201));
    expect(screen.getByText('Error: Use 200 characters or fewer')).toBeTruthy();
    await userEvent.click(await ok());
    expect(calls.filter(({ call }) => call === mirror)).toEqual([]);
    await userEvent.clear(screen.getByLabelText(/^Reason/));
    await userEvent.type(screen.getByLabelText(/^Reason/), 'Ticket 4711');
    await userEvent.click(await ok());
    await waitFor(() =>
      expect(calls.at(-1)).toEqual({ call: mirror, body: { userNm: 'areed', reason: 'Ticket 4711' } }),
    );
  });

  it('records a reason if the user chooses to, with the reasons of support sessions', async () => {
    open(
      {},
      { [mirror]: { body: makeSession({ mirroredUser: makeUser({ userNm: 'areed' }) }) } },
      { ...isad, permissions: [...isad.permissions, 'desk.open'], workspace: [] },
    );
    await search();
    await choose('Mirror with a reason');
    await userEvent.selectOptions(await screen.findByLabelText('Reason'), 'Other');
    await userEvent.click(await ok());
    expect(await screen.findByText('Error: Enter a reason')).toBeTruthy();
    expect(calls.filter(({ call }) => call === mirror)).toEqual([]);
    await userEvent.selectOptions(screen.getByLabelText('Reason'), 'Complaint');
    await userEvent.type(screen.getByLabelText(/^Details/), ' Late payments ');
    await userEvent.click(await ok());
    await waitFor(() =>
      expect(calls.at(-1)).toEqual({
        call: mirror,
        body: { userNm: 'areed', reason: 'complaint: Late payments' },
      }),
    );
  });

  it('offers no reason without a service desk', async () => {
    open();
    await search();
    await openMenu();
    expect(screen.queryByRole('menuitem', { name: 'Mirror with a reason' })).toBeNull();
  });

  it("shows when it's rejected", async () => {
    open({}, { [mirror]: { status: 403 } });
    await search();
    await choose('Mirror');
    expect(await messageText()).toBe(
      'Error: An error has occurred. Please try again or contact Customer Service.',
    );
  });
});

it("offers a read-only administrator the server's actions, and no access history", async () => {
  const irad = makeSession({ user: makeUser({ typeCd: 'IRAD' }), permissions: ['users.search'] });
  open({ userActions: ['Mirror', 'View TINs'] }, {}, irad);
  await search();
  await openMenu();
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Mirror',
    'View TINs',
  ]);
});
