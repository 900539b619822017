import { createMemoryHistory, type HistoryState } from '@tanstack/react-router';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Call,
  fakeServer,
  makeSession,
  makeUser,
  type Replies,
  replyTo,
  unreachable,
} from '@/api/testing';
import type { Session } from '@/api/types';
import { getOwner } from '@/shared/owner';
import * as paths from '@/shared/paths';
import { makeUserRow, renderScreens } from '@/shared/testing';
import { hasUnsavedChanges } from '@/shared/UnsavedChangesGuard';
import ManageSourcesPage from './ManageSourcesPage';
import type { SourceGroup } from './queries';

const adding = 'POST /roster/user/group/addSource';
const removing = 'POST /roster/user/group/removeSource';
const saving = 'PUT /users/saveDraftUser';

const isad = makeSession({
  user: makeUser({ id: 9, userNm: 'isad.demo', typeCd: 'ISAD', grpInfoId: null }),
  routes: ['home', 'UserSearch'],
  permissions: ['rosters.sources', 'rosters.manage', 'users.draft'],
});

const irad = { ...isad, permissions: ['rosters.sources'] };

const names = ['Cuyahoga', 'Great Lakes', 'Lone Star', 'Magnolia', 'Mid-Atlantic', 'Prairie', 'Redwood'];
const makeSource = (place: number) => ({ sourceId: 201 + place, sourceName: names[place] ?? '' });
const makeGroup = (n: number, part: Partial<SourceGroup> = {}): SourceGroup => ({
  sourceGroupId: 20200 + n,
  grpName: `Practice ${n}`,
  grpId: `G202${n}`,
  sourceId: 202,
  adminGroupFlag: n === 1 ? 'Y' : 'N',
  ...part,
});

let replies: Replies;
let calls: Call[];
const sent = (call: string) =>
  calls.filter((made) => made.call === call) as { query?: string; body: Record<string, unknown> | null }[];

beforeEach(() => {
  replies = {
    // Not by name, because the screen sorts.
    'GET /roster/sources': { body: names.map((_, place) => makeSource(place)).reverse() },
    'GET /roster/sourceGroups': { body: [7, 6, 5, 4, 3, 2, 1].map((n) => makeGroup(n)) },
    'GET /roster/source/group/1010': { body: [201, 202] },
    [adding]: { status: 204 },
    [removing]: { status: 204 },
    [saving]: { body: makeUserRow({ id: 31, grpInfoId: 1012, draftVersion: 'first' }) },
  };
  calls = fakeServer(replies);
});

async function show(state: HistoryState, session: Session = isad) {
  const history = createMemoryHistory({ initialEntries: ['/before'] });
  history.push('/screen', state as never);
  const screens = { '/screen': ManageSourcesPage, $: () => <p>Elsewhere</p> };
  const { unmount } = renderScreens(screens, session, { history });
  await screen.findByRole('heading', { level: 1 });
  await waitFor(() => expect(screen.queryByText('Loading...')).toBeNull());
  return { at: () => history.location.pathname, state: () => history.location.state, unmount };
}

const formData = {
  mgrUserInfoId: 9,
  typeCd: 'ROAD',
  groupAssignment: 'new' as const,
  mode: 'newUser',
  userFirstName: 'Ada',
  userLastName: 'Lovelace',
  emailAddr: 'ada@example.com',
  phoneNum: '2165550100',
  grpInfoId: null,
  groupInfo: { groupInfoId: null, groupRosterSources: [] },
  selectedRosterSources: [],
  userGroupRosterSources: [],
};
const existing = (part: HistoryState = {}) =>
  show({ mode: 'existingGroup', groupInfo: { groupInfoId: 1010 }, ...part });
const newGroup = (part: HistoryState = {}, session = isad) =>
  show(
    {
      mode: 'newGroup',
      formData,
      groupInfo: formData.groupInfo,
      returnPath: '/AddUser',
      originalReturnPath: '/ManageUsers',
      timestamp: 1,
      ...part,
    },
    session,
  );
const having = (...places: number[]): HistoryState => ({
  groupInfo: { groupInfoId: null, groupRosterSources: places.map(makeSource) },
});

const name = () => screen.getByLabelText<HTMLInputElement>('Roster Hub Source Name *');
const hub = () => screen.getByLabelText<HTMLInputElement>('Provider Hub Provider Group ID *');
const button = (label: string) => screen.getByRole<HTMLButtonElement>('button', { name: label });
const press = (label: string) => userEvent.click(button(label));
const messageText = async () => (await screen.findByRole('group', { name: 'Message' })).textContent;
const heading = () => screen.getByRole('heading', { level: 1 }).textContent;
const listed = () =>
  screen
    .queryAllByRole('button', { name: /^View Provider Hub Provider Groups of/ })
    .map(({ textContent }) => textContent?.replace('View Provider Hub Provider Groups of ', ''));

async function choose(source: string) {
  await userEvent.type(name(), source);
  await userEvent.click(await screen.findByRole('option', { name: new RegExp(`^${source}`), hidden: true }));
}
async function addByName(source: string) {
  await choose(source);
  await press('ADD');
}
async function removeHeld(source: string) {
  await press(`Remove ${source}`);
  await screen.findByRole('dialog');
  await press('REMOVE');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}
async function addByGroup(typed: string) {
  fireEvent.change(hub(), { target: { value: typed } });
  await press('ADD');
}

describe('of an existing group', () => {
  it('the sources are shown, and sorted names to add', async () => {
    await existing();
    expect(heading()).toBe('Manage Roster Hub Sources For User Group 1010');
    await waitFor(() => expect(listed().sort()).toEqual(['Cuyahoga', 'Great Lakes']));
    expect(screen.queryByRole('button', { name: 'COMPLETE PROFILE' })).toBeNull();
    await userEvent.click(name());
    const options = await screen.findAllByRole('option', { name: /[(]20\d[)]$/, hidden: true });
    expect(options.map(({ textContent }) => textContent)).toEqual(
      names.map((sourceName, place) => `${sourceName} (${201 + place})`),
    );
  });

  it('one is added immediately, by its name', async () => {
    await existing();
    expect(button('ADD').disabled).toBe(true);
    replies['GET /roster/source/group/1010'] = { body: [201, 202, 203] };
    await addByName('Lone Star');
    expect(await messageText()).toBe('Roster Hub Source "Lone Star" was successfully added to this group.');
    expect(sent(adding).map(({ query }) => query)).toEqual(['?groupId=1010&sourceId=203']);
    await waitFor(() => expect(listed()).toContain('Lone Star'));
    expect(name().value).toBe('');
    expect(button('ADD').disabled).toBe(true);
    // All sources and their groups load once.
    expect(sent('GET /roster/sources')).toHaveLength(1);
    expect(sent('GET /roster/sourceGroups')).toHaveLength(1);
  });

  it('one is selected with Enter, and added with another Enter', async () => {
    await existing();
    await userEvent.type(name(), 'Lone');
    await screen.findByRole('option', { name: /^Lone Star/, hidden: true });
    await userEvent.keyboard('{Enter}');
    expect(sent(adding)).toEqual([]);
    expect(name().value).toBe('Lone Star (203)');
    await userEvent.keyboard('{Enter}');
    expect(await messageText()).toContain('"Lone Star" was successfully added');
  });

  it.each([
    ['the id of a provider group', ' 20203 '],
    ["the source's own id of it", 'g2023'],
  ])('one is found by %s', async (_, typed) => {
    replies['GET /roster/source/group/1010'] = { body: [] };
    await existing();
    await addByGroup(typed);
    await messageText();
    expect(sent(adding).map(({ query }) => query)).toEqual(['?groupId=1010&sourceId=202']);
  });

  it('an id that several sources have is refused', async () => {
    replies['GET /roster/sourceGroups'] = {
      body: [makeGroup(1), makeGroup(9, { grpId: 'G2021', sourceId: 203 })],
    };
    await existing();
    await addByGroup('g2021');
    await waitFor(async () =>
      expect(await messageText()).toBe(
        'Error: Several Roster Hub Sources have this Provider Hub Provider Group ID. Select the Roster Hub Source Name instead.',
      ),
    );
    expect(sent(adding)).toEqual([]);
  });

  it('selecting in one way clears the other', async () => {
    await existing();
    fireEvent.change(hub(), { target: { value: '20203' } });
    await choose('Prairie');
    expect(hub().value).toBe('');
    fireEvent.change(hub(), { target: { value: '2' } });
    expect(name().value).toBe('');
  });

  it('missing, unknown or existing input is reported at its field', async () => {
    await existing();
    await userEvent.type(hub(), '{Enter}');
    expect(await messageText()).toBe(
      'Please select a Roster Hub Source Name or enter a Provider Hub Provider Group ID',
    );
    await addByGroup('4711');
    await waitFor(async () =>
      expect(await messageText()).toBe(
        'Error: Roster Hub Source not found for the Provider Hub Provider Group ID entered.',
      ),
    );
    expect(hub().getAttribute('aria-invalid')).toBe('true');
    await addByGroup('20203');
    await waitFor(async () =>
      expect(await messageText()).toBe(
        'Error: The Roster Hub Source "Great Lakes" is already associated with this Portal User Group.',
      ),
    );
    expect(sent(adding)).toEqual([]);
    await press('RESET');
    expect(screen.queryByRole('group', { name: 'Message' })).toBeNull();
    expect(hub().value).toBe('');
    expect(listed()).toHaveLength(2);
  });

  it.each([
    [409, 'Error: Somebody was faster.', 'Error: Somebody was faster.'],
    [403, 'Another group sent rosters for this source.', 'Another group sent rosters for this source.'],
    [500, 'Something went wrong.', 'Error: Failed adding source to group. Please try again later.'],
  ])('an add that fails with %i shows why', async (status, message, text) => {
    replies[adding] = { status, body: { message } };
    await existing();
    await addByName('Lone Star');
    expect(await messageText()).toBe(text);
    expect(name().value).toBe('Lone Star (203)');
    // The other user's change is visible now.
    expect(sent('GET /roster/source/group/1010')).toHaveLength(2);
  });

  it('one is removed after confirmation', async () => {
    await existing();
    replies['GET /roster/source/group/1010'] = { body: [202] };
    await press('Remove Cuyahoga');
    const asked = await screen.findByRole('dialog', { name: 'Remove Cuyahoga from group 1010?' });
    await userEvent.click(within(asked).getByRole('button', { name: 'CANCEL' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent(removing)).toEqual([]);
    await removeHeld('Cuyahoga');
    expect(await messageText()).toBe(
      'Roster Hub Source "Cuyahoga" was successfully removed from this group.',
    );
    expect(sent(removing).map(({ query }) => query)).toEqual(['?groupId=1010&sourceId=201']);
    expect(listed()).toEqual(['Great Lakes']);
  });

  it('a failed removal leaves it', async () => {
    replies[removing] = { status: 400, body: { message: 'No way.' } };
    await existing();
    await removeHeld('Cuyahoga');
    expect(await messageText()).toBe('Error: Failed removing source from group. Please try again later.');
    expect(listed()).toHaveLength(2);
  });

  it('a double click adds once', async () => {
    let answerAdd = () => {};
    replies[adding] = () =>
      new Promise((resolve) => {
        answerAdd = () => resolve({ status: 204 });
      });
    await existing();
    await choose('Lone Star');
    await userEvent.dblClick(button('ADD'));
    answerAdd();
    await messageText();
    expect(sent(adding)).toHaveLength(1);
  });

  it('without its ID nothing can be changed', async () => {
    await show({
      mode: 'existingGroup',
      groupInfo: { groupRosterSources: [makeSource(0)] },
      searchInfo: undefined,
    });
    expect(heading()).toBe('Manage Roster Hub Sources For User Group Unknown');
    await addByName('Prairie');
    expect(await messageText()).toBe('Error: Unable to add source. Group ID is not available.');
    await press('Remove Cuyahoga');
    await waitFor(async () =>
      expect(await messageText()).toBe('Error: Unable to remove source. Group ID is not available.'),
    );
    expect([...sent(adding), ...sent(removing)]).toEqual([]);
  });

  it.each([
    ['its way back', { returnPath: '/ManageGroups' }, '/ManageGroups', isad],
    ['User Search', {}, '/UserSearch', isad],
    ['Home, for who may not search users', {}, '/home', { ...isad, routes: ['home'] }],
  ])('CANCEL goes to %s', async (_, part, path, session) => {
    const searchInfo = {
      owner: getOwner(session),
      criteria: {},
      table: { sort: null, filters: {}, page: 0, pageSize: 5 },
    };
    const visit = await show(
      { mode: 'existingGroup', groupInfo: { groupInfoId: 1010 }, searchInfo, ...part },
      session,
    );
    await press('CANCEL');
    await waitFor(() => expect(visit.at()).toBe(path));
    expect(visit.state().searchInfo).toEqual(searchInfo);
  });

  it.each([
    ['a read-only administrator', irad, 'Your account can view roster hub sources but not change them.'],
    [
      'one who mirrors',
      { ...isad, mirroredUser: makeUser() },
      "You can't change roster hub sources while mirroring.",
    ],
  ])('%s changes nothing', async (_, session, text) => {
    await show({ mode: 'existingGroup', groupInfo: { groupInfoId: 1010 } }, session);
    expect(screen.getByText(text)).toBeTruthy();
    for (const label of ['ADD', 'RESET', 'Remove Cuyahoga']) expect(button(label).disabled).toBe(true);
    expect(name().disabled).toBe(true);
    await press('View Provider Hub Provider Groups of Great Lakes');
    expect(await screen.findByRole('dialog')).toBeTruthy();
  });
});

describe('a failed request', () => {
  const errors = {
    sources: 'Error: Unable to retrieve roster sources. Please try again later.',
    data: 'Error: Unable to retrieve roster data. Please try again or contact Customer Service.',
  };
  it.each([
    ['GET /roster/sources', errors.sources],
    ['GET /roster/sourceGroups', errors.data],
    ['GET /roster/source/group/1010', errors.data],
  ])('%s shows an error, and can be repeated', async (call, text) => {
    const found = { ...replies };
    Object.assign(replies, replyTo(call, { status: 400 }));
    await existing();
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
    Object.assign(replies, found);
    await press('Try again');
    await waitFor(() => expect(listed()).toHaveLength(2));
  });

  it('can be all of them', async () => {
    replies['GET /roster/sources'] = { body: [] };
    replies['GET /roster/sourceGroups'] = { body: [] };
    replies['GET /roster/source/group/1010'] = { body: [] };
    await existing();
    const notice = await screen.findByText('No roster sources or source groups found.');
    expect(notice.closest('[class*=error]')).not.toBeNull();
    expect(screen.getByText('No groups have been added yet.')).toBeTruthy();
  });
});

describe('of a group created with a user', () => {
  it('the sources are stored here, sent nowhere, and restored after a reload', async () => {
    const visit = await newGroup();
    expect(heading()).toBe('Add User');
    expect(screen.getByText('No groups have been added yet.')).toBeTruthy();
    await addByName('Prairie');
    expect(await messageText()).toBe('Roster Hub Source "Prairie" was successfully added to this group.');
    await addByGroup('20203');
    await waitFor(() => expect(listed()).toEqual(['Prairie', 'Great Lakes']));
    await addByGroup('20204');
    await waitFor(async () => expect(await messageText()).toContain('is already associated'));
    await press('Remove Prairie');
    expect(await messageText()).toBe('Roster Hub Source "Prairie" was successfully removed from this group.');
    expect(calls.every(({ call }) => call.startsWith('GET /roster/source'))).toBe(true);
    expect(calls).toHaveLength(2);
    visit.unmount();
    await show(visit.state());
    expect(listed()).toEqual(['Great Lakes']);
  });

  it('each message is read, even right after another', async () => {
    await newGroup(having(0, 1));
    await press('Remove Cuyahoga');
    expect(document.activeElement?.textContent).toContain('"Cuyahoga" was successfully removed');
    await press('Remove Great Lakes');
    expect(document.activeElement?.textContent).toContain('"Great Lakes" was successfully removed');
    await addByGroup('20203');
    await waitFor(() =>
      expect(document.activeElement?.textContent).toContain('"Great Lakes" was successfully added'),
    );
  });

  it('a double click removes one, even though the next moves up', async () => {
    await newGroup(having(0, 1, 2));
    // Browsers count clicks at the same position.
    fireEvent.click(button('Remove Cuyahoga'), { detail: 1 });
    fireEvent.click(button('Remove Great Lakes'), { detail: 2 });
    expect(listed()).toEqual(['Great Lakes', 'Lone Star']);
  });

  it('RESET clears everything, in the history too', async () => {
    const visit = await newGroup(having(0, 1, 2));
    await userEvent.type(screen.getByLabelText('Filter by Roster Hub Source Name'), 'lone');
    expect(listed()).toEqual(['Lone Star']);
    fireEvent.change(hub(), { target: { value: '4711' } });
    await press('RESET');
    expect(hub().value).toBe('');
    expect(screen.getByText('No groups have been added yet.')).toBeTruthy();
    expect(visit.state().groupInfo?.groupRosterSources).toEqual([]);
    expect(visit.state().formData?.selectedRosterSources).toEqual([]);
    await addByName('Prairie');
    expect(listed()).toEqual(['Prairie']);
  });

  it('BACK passes the input and selections to Add User', async () => {
    const visit = await newGroup();
    await addByName('Prairie');
    await press('Back to add user');
    await waitFor(() => expect(visit.at()).toBe('/AddUser'));
    const chosen = [makeSource(5)];
    expect(visit.state()).toMatchObject({
      mode: 'newUser',
      groupInfo: { groupInfoId: null, groupRosterSources: chosen },
      formData: { emailAddr: 'ada@example.com', groupAssignment: 'new', selectedRosterSources: chosen },
      originalReturnPath: '/ManageUsers',
    });
  });

  it('leaving asks about changed sources, except with BACK, which takes them along', async () => {
    const visit = await newGroup(having(0));
    await press('RESET');
    expect(hasUnsavedChanges()).toBe(true);
    visit.unmount();
    const again = await show(visit.state());
    expect(hasUnsavedChanges()).toBe(true);
    await press('Back to add user');
    await waitFor(() => expect(again.at()).toBe('/AddUser'));
    expect(again.state()).not.toHaveProperty('sourcesChanged');
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('nothing is asked without changes, or after saving', async () => {
    await newGroup();
    await press('RESET');
    expect(hasUnsavedChanges()).toBe(false);
    await addByName('Prairie');
    expect(hasUnsavedChanges()).toBe(true);
    await press('SAVE AS DRAFT');
    await waitFor(async () => expect(await messageText()).toBe('User has been successfully saved!'));
    expect(hasUnsavedChanges()).toBe(false);
  });

  it('SAVE AS DRAFT requires a source, saves the draft, and saves the same one again', async () => {
    const visit = await newGroup();
    await press('SAVE AS DRAFT');
    expect(await messageText()).toBe('You must add at least one roster source before saving as draft');
    expect(sent(saving)).toEqual([]);
    await addByName('Prairie');
    await press('SAVE AS DRAFT');
    await waitFor(async () => expect(await messageText()).toBe('User has been successfully saved!'));
    await press('SAVE AS DRAFT');
    await waitFor(() => expect(sent(saving)).toHaveLength(2));
    const chosen = [makeSource(5)];
    const draft = {
      emailAddr: 'ada@example.com',
      isSaveAsDraftOperation: true,
      completeProfile: false,
      groupInfo: { groupRosterSources: chosen },
      selectedRosterSources: chosen,
      userGroupRosterSources: chosen,
    };
    expect(sent(saving)[0]?.body).toMatchObject(draft);
    expect(sent(saving)[0]?.body).not.toHaveProperty('id');
    expect(sent(saving)[1]?.body).toMatchObject({ ...draft, id: 31, draftVersion: 'first' });
    await waitFor(() => expect(visit.state()).toMatchObject({ mode: 'draftUser', formData: { id: 31 } }));
  });

  it("COMPLETE PROFILE requires a source for a new group, creates the user and opens the group's users", async () => {
    const visit = await newGroup();
    await press('COMPLETE PROFILE');
    expect(await messageText()).toBe('You must add at least one roster source for the new group');
    expect(sent(saving)).toEqual([]);
    await addByName('Cuyahoga');
    await press('COMPLETE PROFILE');
    await waitFor(() => expect(visit.at()).toBe('/ManageUsers'));
    expect(visit.state()).toMatchObject({ message: 'User has been successfully saved!', groupId: 1012 });
    expect(sent(saving)[0]?.body).toMatchObject({ isSaveAsDraftOperation: false, completeProfile: true });
  });

  it('COMPLETE PROFILE of a request from the queue opens the next one, then the queue', async () => {
    const body = { ...formData, accountRequestId: 5 };
    replies['POST /desk/queues/requests'] = [
      { body: { rows: [{ id: 6 } as never], count: 1 } },
      { body: { rows: [], count: 0 } },
    ];
    const visit = await newGroup({ formData: body, fromQueue: true, ...having(0) });
    await press('COMPLETE PROFILE');
    await waitFor(() => expect(visit.at()).toBe('/AddUser'));
    expect(visit.state()).toMatchObject({ accountRequest: 6, fromQueue: true });
    expect(visit.state().message).toMatch(
      /was added, and the account request is approved\. This is the next one\.$/,
    );
    visit.unmount();
    const last = await newGroup({ formData: body, fromQueue: true, ...having(0) });
    await press('COMPLETE PROFILE');
    await waitFor(() => expect(last.at()).toBe(paths.deskRequests));
  });

  it('BACK still knows that the request is from the queue', async () => {
    const visit = await newGroup({ formData: { ...formData, accountRequestId: 5 }, fromQueue: true });
    await press('Back to add user');
    await waitFor(() => expect(visit.at()).toBe('/AddUser'));
    expect(visit.state()).toMatchObject({ accountRequest: 5, fromQueue: true });
  });

  it('while a save runs all buttons are disabled, and two clicks save once', async () => {
    let answerSave = () => {};
    replies[saving] = () =>
      new Promise((resolve) => {
        answerSave = () => resolve({ body: makeUserRow({ id: 31, grpInfoId: null }) });
      });
    await newGroup(having(0));
    await userEvent.dblClick(button('SAVE AS DRAFT'));
    for (const label of ['COMPLETE PROFILE', 'Back to add user', 'RESET', 'ADD', 'Remove Cuyahoga'])
      expect(button(label).disabled).toBe(true);
    expect(button('SAVE AS DRAFT').getAttribute('aria-busy')).toBe('true');
    answerSave();
    await messageText();
    expect(sent(saving)).toHaveLength(1);
    expect(button('RESET').disabled).toBe(false);
  });

  const unexpected = 'Error: An unexpected error occurred. Please try again or contact Customer Service.';
  it.each([
    [500, { message: 'Something went wrong.' }, unexpected],
    [
      409,
      { message: 'Error: The Email Address is associated to another account' },
      `${unexpected}Error: The Email Address is associated to another account`,
    ],
    [
      400,
      { message: 'INVALID', fields: [{ path: 'a', code: 'b', message: 'Error: Enter a valid group Id' }] },
      `${unexpected}Error: Enter a valid group Id`,
    ],
  ])('a save with the response %i shows so', async (status, body, text) => {
    replies[saving] = { status, body };
    const visit = await newGroup(having(0));
    await press('COMPLETE PROFILE');
    expect(await messageText()).toBe(text);
    expect(visit.at()).toBe('/screen');
    expect(listed()).toEqual(['Cuyahoga']);
  });

  it('a save without the proof of identity asks for it', async () => {
    const message = "Your change wasn't saved. Confirm your identity and try again.";
    replies[saving] = { status: 403, body: { code: 'PROOF_NEEDED', message } };
    await newGroup(having(0));
    await press('COMPLETE PROFILE');
    expect(await messageText()).toBe(message);
  });

  it('a save without a response shows so', async () => {
    replies[saving] = unreachable;
    await newGroup(having(0));
    await press('COMPLETE PROFILE');
    expect(await messageText()).toBe(
      'Error: An error occurred while saving the draft user. Please try again or contact Customer Service.',
    );
  });

  it("another user's input in this tab isn't restored", async () => {
    await newGroup({ formData: { ...formData, mgrUserInfoId: 4 }, ...having(0) });
    expect(screen.getByText(/^Your Add User entries are gone/)).toBeTruthy();
    expect(button('COMPLETE PROFILE').disabled).toBe(true);
    expect(listed()).toEqual([]);
  });

  it("users who can't add users can't save", async () => {
    await newGroup(having(0), { ...isad, permissions: ['rosters.sources'] });
    for (const label of ['COMPLETE PROFILE', 'SAVE AS DRAFT', 'RESET', 'ADD'])
      expect(button(label).disabled).toBe(true);
    expect(button('Back to add user').disabled).toBe(false);
  });
});

describe('the modes', () => {
  it.each(['draftGroup', 'draftUser'])(
    "%s changes the group's sources when the user is completed",
    async (mode) => {
      await newGroup({
        mode,
        groupInfo: { groupInfoId: 1010, groupRosterSources: [makeSource(0), makeSource(2)] },
      });
      expect(listed().sort()).toEqual(['Cuyahoga', 'Great Lakes', 'Lone Star']);
      screen.getByText(/Changes to this group's sources take effect when you complete the user\.$/);
      await press('Remove Lone Star');
      await removeHeld('Cuyahoga');
      await removeHeld('Great Lakes');
      expect(listed()).toEqual([]);
      await addByName('Great Lakes');
      expect(listed()).toEqual(['Great Lakes']);
      expect(sent(removing)).toEqual([]);
      expect(sent(adding)).toEqual([]);
      await press('SAVE AS DRAFT');
      await waitFor(() => expect(sent(saving)).toHaveLength(1));
      // The group's own sources stay with it, without being added again.
      expect(sent(saving)[0]?.body).toMatchObject({
        removedSourceIds: [201],
        groupInfo: { groupRosterSources: [] },
        selectedRosterSources: [],
        userGroupRosterSources: [],
      });
    },
  );

  it("COMPLETE PROFILE of a draft sends only the added sources, not the group's", async () => {
    await newGroup({
      mode: 'draftGroup',
      groupInfo: { groupInfoId: 1010, groupRosterSources: [makeSource(0)] },
    });
    await addByName('Prairie');
    await press('COMPLETE PROFILE');
    await waitFor(() => expect(sent(saving)).toHaveLength(1));
    expect(sent(saving)[0]?.body).toMatchObject({ selectedRosterSources: [makeSource(5)] });
  });

  it('newUser is like newGroup', async () => {
    await newGroup({ mode: 'newUser' });
    screen.getByText(/The new group will send rosters for these sources\. They're saved with the user\.$/);
    expect(button('SAVE AS DRAFT')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'CANCEL' })).toBeNull();
  });

  it('any other one adds nothing, shows where to select a group, and can only be left', async () => {
    const visit = await show({ returnPath: '/AddUser' });
    expect(heading()).toBe('Add User');
    expect(screen.getByText(/^No group selected\. Open Manage Groups/)).toBeTruthy();
    await addByName('Prairie');
    expect(await messageText()).toBe('Error: Unable to add source. Group ID is not available.');
    expect(listed()).toEqual([]);
    expect(sent(adding)).toEqual([]);
    for (const label of ['COMPLETE PROFILE', 'SAVE AS DRAFT', 'Back to add user'])
      expect(screen.queryByRole('button', { name: label })).toBeNull();
    fireEvent.change(hub(), { target: { value: '20203' } });
    await press('RESET');
    expect(hub().value).toBe('');
    await press('CANCEL');
    await waitFor(() => expect(visit.at()).toBe('/AddUser'));
  });
});

describe('the table', () => {
  const pagers = () => screen.getAllByRole('navigation');

  it('has pages of five, pagers above and below, filters, and a page that stays valid', async () => {
    await newGroup(having(0, 1, 2, 3, 4, 5));
    expect(pagers()).toHaveLength(2);
    for (const pager of pagers()) {
      expect(within(pager).getByText('1-5 of 6')).toBeTruthy();
      const sizes = within(pager).getByLabelText<HTMLSelectElement>('Rows per page:');
      expect([...sizes.options].map(({ text }) => text)).toEqual(['5', '10', '25']);
    }
    await userEvent.click(within(pagers()[0] as HTMLElement).getByRole('button', { name: 'Next' }));
    expect(listed()).toEqual(['Prairie']);
    await press('Remove Prairie');
    expect(listed()).toHaveLength(5);
    expect(within(pagers()[1] as HTMLElement).getByText('1-5 of 5')).toBeTruthy();

    await userEvent.type(screen.getByLabelText('Filter by Roster Hub Source Name'), 'M');
    expect(listed()).toEqual(['Magnolia', 'Mid-Atlantic']);
    await press('Remove Magnolia');
    expect(listed()).toEqual(['Mid-Atlantic']);
    await userEvent.type(screen.getByLabelText('Filter by Roster Hub Source ID'), '9');
    expect(screen.getByText('No matching results found. Try adjusting your filters.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(listed()).toHaveLength(4);
    await userEvent.click(screen.getByRole('button', { name: 'Roster Hub Source ID' }));
    await userEvent.click(screen.getByRole('button', { name: 'Roster Hub Source ID' }));
    expect(listed()[0]).toBe('Mid-Atlantic');
  });
});

describe('the dialog', () => {
  const dialog = () => within(screen.getByRole('dialog'));
  const ids = () =>
    dialog()
      .getAllByRole('row')
      .map((row) => row.firstElementChild?.textContent ?? '')
      .filter((text) => /^G\d/.test(text));
  const open = async (of = 'Great Lakes') => {
    await press(`View Provider Hub Provider Groups of ${of}`);
    await screen.findByRole('dialog', { name: `Provider Hub Provider Groups of Roster Hub Source ${of}` });
  };

  it("lists a source's provider groups by ID, five per page", async () => {
    await existing();
    await open();
    expect(
      dialog()
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['Provider Group ID', 'Provider Group Name', 'Admin Group Flag']);
    expect(ids()).toEqual(['G2021', 'G2022', 'G2023', 'G2024', 'G2025']);
    expect(dialog().getAllByText('1-5 of 7')).toHaveLength(2);
    const flag = dialog().getByRole<HTMLSelectElement>('combobox', { name: 'Filter by Admin Group Flag' });
    expect([...flag.options].map(({ text }) => text)).toEqual(['All', 'Yes', 'No']);
    await userEvent.selectOptions(flag, 'Yes');
    expect(ids()).toEqual(['G2021']);
    await userEvent.selectOptions(flag, 'No');
    await userEvent.type(dialog().getByLabelText('Filter by Provider Group Name'), 'practice 1');
    expect(dialog().getByText('No matching results found. Try adjusting your filters.')).toBeTruthy();
    // Closing resets the filters.
    await userEvent.click(dialog().getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await open();
    expect(ids()).toHaveLength(5);
  });

  it('shows when there are none', async () => {
    await existing();
    await open('Cuyahoga');
    expect(dialog().getByText('No provider groups found for this source.')).toBeTruthy();
  });
});
