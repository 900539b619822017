import type { RouterHistory } from '@tanstack/react-router';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { type Answer, type Call, fakeServer, makeSession, neverReplies, type Reply } from '@/api/testing';
import type { UserRow } from '@/shared/accounts';
import { getWork } from '@/shared/encryptedState';
import { makeUserRow, replyWithPages } from '@/shared/testing';
import { readMaxLength } from '@/ui/form/testing';
import { type Draft, encryptDraft } from './draft';
import { noValues } from './notification';
import { field, isad, makeNotification, messageText, press, readRows, show } from './testing';

const userList = 'POST /admin/userList';
const none = {
  userTypeCD: '',
  userName: '',
  emailAddress: '',
  ftin: '',
  groupId: '',
  userIDs: '',
  status: '',
  isUserNames: false,
};

const anna = makeUserRow();
const mia = makeUserRow({ id: 6, userNm: 'mstone', userFirstName: 'Mia', userLastName: 'Stone' });
const zoe = makeUserRow({
  id: 7,
  userNm: 'zhart',
  userFirstName: 'Zoe',
  userLastName: 'Hart',
  statusCd: 'LOCK',
});

let calls: Call[];
let drafts = 0;

const makeDraft = (part: Partial<Draft> = {}): Draft => ({
  id: ++drafts,
  editing: null,
  values: { ...noValues, name: 'Fee changes' },
  recipients: [5, 6],
  audience: null,
  ...part,
});

const getKept = ({ location }: RouterHistory) => getWork<Draft>(location.state, 'draft');

const searches = () =>
  calls.filter(({ body }) => (body as { userIDs?: string }).userIDs === '').map(({ body }) => body);

/** A request by ids returns those users; a search returns all. */
const replyWithUsers =
  (users: UserRow[], found = users) =>
  (body: unknown): Answer<UserRow[]> => {
    const { userIDs } = body as { userIDs: string };
    return { body: userIDs ? users.filter(({ id }) => userIDs.split(',').includes(String(id))) : found };
  };

async function open(
  draft: Draft | null = makeDraft(),
  reply: Reply<UserRow[]> = replyWithUsers([anna, mia, zoe]),
  state = {},
  all: readonly UserRow[] = [],
) {
  calls = fakeServer({
    [userList]: reply,
    [`${userList}/page`]: replyWithPages(all),
    'GET /notifications/list': { body: [] },
  });
  return show('/ManageRecipients', isad, { ...(draft && (await encryptDraft(draft))), ...state });
}

async function search(label = 'Usernames (comma separated)', typed = 'areed, zhart') {
  await press('SEARCH RECIPIENTS');
  await userEvent.type(await labelled(label), typed);
  await press('SEARCH RECIPIENTS');
}

const labelled = (label: string) => screen.findByLabelText<HTMLInputElement>(label, { exact: true });
const inTable = async (name: string) => within(await screen.findByRole('table', { name }));
const count = async (table: string) => (await readRows(table)).length;

describe('the selected recipients', () => {
  it('are listed by their ids', async () => {
    await open();
    expect(await count('Selected Recipients')).toBe(2);
    expect(calls).toEqual([{ call: userList, body: { userIDs: '5,6' } }]);
    const table = await inTable('Selected Recipients');
    expect(table.getByRole('cell', { name: 'areed' })).toBeTruthy();
    expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Select',
      'First Name',
      'Last Name',
      'Username',
      'Email Address',
      'Account Status',
      'Account Type',
      'Group ID',
    ]);
    const sizes = screen.getByLabelText(/rows per page/i).querySelectorAll('option');
    expect([...sizes].map(({ textContent }) => textContent)).toEqual(['5', '10', '25', '50', '100', '200']);
  });

  it('are loaded in batches', async () => {
    const recipients = Array.from({ length: 501 }, (_, n) => n + 5);
    await open(
      makeDraft({ recipients }),
      replyWithUsers(recipients.map((id) => makeUserRow({ id, userNm: `user${id}` }))),
    );
    expect(await screen.findByText('501 found')).toBeTruthy();
    expect(calls.map(({ body }) => (body as { userIDs: string }).userIDs.split(',').length)).toEqual([
      500, 1,
    ]);
  });

  it('can be empty', async () => {
    await open(makeDraft({ recipients: [] }));
    expect(await screen.findByText('No recipients yet. Use SEARCH RECIPIENTS to add them.')).toBeTruthy();
    expect(calls).toEqual([]);
  });

  it('mark users who no longer exist', async () => {
    await open(makeDraft({ recipients: [5, 99] }));
    const table = await inTable('Selected Recipients');
    expect(table.getByRole('cell', { name: 'user 99' })).toBeTruthy();
    expect(table.getByRole('cell', { name: 'No longer found' })).toBeTruthy();
    expect(screen.getByText(/^1 recipient no longer found\. Remove them/)).toBeTruthy();
  });

  it("mark users who can't receive it", async () => {
    await open(makeDraft(), replyWithUsers([anna, { ...mia, statusCd: 'TERM' }]));
    expect(
      await screen.findByText("1 recipient can't get it because the account is terminated."),
    ).toBeTruthy();
  });

  it("show when they couldn't load, and can be requested again", async () => {
    let fails = true;
    const answer = replyWithUsers([anna, mia]);
    await open(makeDraft(), (body) => (fails ? { status: 500 } : answer(body)));
    expect(
      await screen.findByText(
        'Error: There was an error retrieving data. Please try again or contact Customer Service.',
      ),
    ).toBeTruthy();
    fails = false;
    await press('Try again');
    expect(await count('Selected Recipients')).toBe(2);
  });

  it('are removed when selected', async () => {
    const { history } = await open();
    const table = await inTable('Selected Recipients');
    await userEvent.click(table.getByRole('checkbox', { name: 'Select mstone' }));
    await press('REMOVE SELECTED');
    expect(await screen.findByText('1 recipient removed.')).toBeTruthy();
    expect(await count('Selected Recipients')).toBe(1);
    await waitFor(() => expect(getKept(history)?.recipients).toEqual([5]));
  });

  it('are all removed by SELECT ALL', async () => {
    await open();
    await readRows('Selected Recipients');
    await press('SELECT ALL');
    await press('REMOVE SELECTED');
    expect(await screen.findByText('2 recipients removed.')).toBeTruthy();
    expect(screen.getByText(/^No recipients yet/)).toBeTruthy();
  });

  it('show an error when none is selected', async () => {
    await open();
    await readRows('Selected Recipients');
    await press('REMOVE SELECTED');
    expect(await screen.findByText('Select recipients in the table first.')).toBeTruthy();
    expect(await count('Selected Recipients')).toBe(2);
  });

  it('of a sent notification are read-only', async () => {
    await open(makeDraft({ editing: makeNotification({ status: 'SENT' }) }));
    expect(await count('Selected Recipients')).toBe(2);
    expect(screen.getByText("This notification was sent, so you can't change its recipients.")).toBeTruthy();
    for (const name of ['SEARCH RECIPIENTS', 'SELECT ALL', 'REMOVE SELECTED'])
      expect(screen.queryByRole('button', { name })).toBeNull();
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.getByRole('button', { name: 'CLOSE' })).toBeTruthy();
  });

  it("of a sent notification can't be removed, even if they no longer exist", async () => {
    await open(makeDraft({ recipients: [5, 99], editing: makeNotification({ status: 'SENT' }) }));
    expect(await screen.findByText('1 recipient no longer found.')).toBeTruthy();
  });
});

describe('the search', () => {
  const labels = [
    'Email Address',
    'Tax ID Number (TIN)',
    'Group ID',
    'Status',
    'Usernames (comma separated)',
  ];

  it.each([
    ['Email Address', '*reed', { emailAddress: '*reed' }],
    ['Tax ID Number (TIN)', '123456789', { ftin: '123456789' }],
    ['Group ID', '1001', { groupId: '1001' }],
    ['Status', 'locked', { status: 'LOCK' }],
    ['Status', 'activ', { status: 'ACTIV' }],
    ['Status', 'Retired', { status: 'Retired' }],
    ['Usernames (comma separated)', 'areed, mstone', { userName: 'areed, mstone', isUserNames: true }],
  ])('requests only %s %s', async (label, typed, sent) => {
    await open();
    await press('SEARCH RECIPIENTS');
    await userEvent.type(await labelled(label), typed);
    for (const other of labels) expect((await labelled(other)).disabled).toBe(other !== label);
    await press('SEARCH RECIPIENTS');
    await screen.findByRole('table', { name: 'Users Found' });
    expect(searches()).toEqual([{ ...none, ...sent }]);
    await userEvent.clear(await labelled(label));
    for (const other of labels) expect((await labelled(other)).disabled).toBe(false);
  });

  it('has limits and a hint', async () => {
    await open();
    await press('SEARCH RECIPIENTS');
    const limits = await Promise.all(labels.map(async (label) => readMaxLength(await labelled(label))));
    expect(limits).toEqual([120, 9, 9, 14, 4000]);
    expect(screen.getByText('Use a leading * for a partial email search.')).toBeTruthy();
  });

  it.each([
    ['Email Address', ' ', 'Error: Enter Username or Email Address or Tax ID Number (TIN) or Group ID'],
    ['Email Address', '*ab', 'Error: Enter at least 3 characters after the *'],
    ['Group ID', '10a', 'Error: Enter numeric only for Group ID field'],
    ['Usernames (comma separated)', 'ab', 'Error: Enter a minimum of 3 characters in usernames field'],
    ['Usernames (comma separated)', ', , ,', 'Error: Enter a minimum of 3 characters in usernames field'],
  ])('rejects as %s "%s"', async (label, typed, message) => {
    await open();
    await search(label, typed);
    expect(await messageText()).toBe(message);
    expect(searches()).toEqual([]);
  });

  it('clears the error about a missing criterion when another field has one', async () => {
    await open();
    await search('Email Address', ' ');
    await messageText();
    await userEvent.clear(await labelled('Email Address'));
    await userEvent.type(await labelled('Group ID'), '1');
    await waitFor(() => expect(screen.queryByText(/^Error: Enter/)).toBeNull());
  });

  it('shows the wait time', async () => {
    const answer = replyWithUsers([anna, mia]);
    await open(makeDraft(), (body) =>
      (body as { userIDs: string }).userIDs ? answer(body) : neverReplies(),
    );
    await readRows('Selected Recipients');
    await search();
    expect(await screen.findByText('Please wait while we retrieve data.')).toBeTruthy();
  });

  it('can find nobody', async () => {
    await open(makeDraft(), replyWithUsers([anna, mia], []));
    await search();
    expect(
      await screen.findByText(
        'There are no users available for the criteria entered. Please revise your search criteria.',
      ),
    ).toBeTruthy();
  });

  it('can fail', async () => {
    const answer = replyWithUsers([anna, mia]);
    await open(makeDraft(), (body) =>
      (body as { userIDs: string }).userIDs ? answer(body) : { status: 503 },
    );
    await search();
    expect(
      await screen.findByText(
        'Error: There was an error retrieving data. Please try again or contact Customer Service.',
      ),
    ).toBeTruthy();
  });

  it('finds all, page by page, if one response is incomplete', async () => {
    const many = Array.from({ length: 1500 }, (_, i) =>
      makeUserRow({ id: 100 + i, userNm: `user${1000 + i}` }),
    );
    await open(
      makeDraft({ recipients: [] }),
      { body: many.slice(0, 1000), headers: { 'X-Limited-To': '1000' } },
      {},
      many,
    );
    await search('Status', 'Active');
    expect(await screen.findByText(/of 1,500/)).toBeTruthy();
    expect(calls.slice(-2).map(({ body }) => body)).toEqual(
      [0, 1].map((page) => ({ ...none, status: 'ACTIV', table: { page, pageSize: 1000 } })),
    );
    await userEvent.click(screen.getAllByRole('button', { name: 'SELECT ALL' })[0] as HTMLElement);
    await press('ADD SELECTED');
    expect(await screen.findByText('1,500 recipients added.')).toBeTruthy();
  });

  it('lists names that match no user', async () => {
    await open(makeDraft(), replyWithUsers([anna, mia], [anna]));
    await search('Usernames (comma separated)', 'AREED, are, an, nobody, zhart');
    // At least three characters are also the start of a name.
    expect(await screen.findByText('Not found: an, nobody, zhart.')).toBeTruthy();
  });

  it('adds selected users, and nobody twice', async () => {
    const { history } = await open();
    await search();
    const found = await inTable('Users Found');
    for (const name of ['areed', 'mstone'])
      expect(found.getByRole<HTMLInputElement>('checkbox', { name: `Select ${name}` }).disabled).toBe(true);
    expect(found.getAllByRole('cell', { name: 'Selected' })).toHaveLength(2);
    await userEvent.click(screen.getAllByRole('button', { name: 'SELECT ALL' })[0] as HTMLElement);
    await press('ADD SELECTED');
    expect(await screen.findByText('1 recipient added.')).toBeTruthy();
    expect(await count('Selected Recipients')).toBe(3);
    expect((await inTable('Users Found')).getAllByRole('cell', { name: 'Selected' })).toHaveLength(3);
    await waitFor(() => expect(getKept(history)?.recipients).toEqual([5, 6, 7]));
    await press('ADD SELECTED');
    expect(await screen.findByText('Select recipients in the table first.')).toBeTruthy();
    await press('SEARCH RECIPIENTS');
    await screen.findByRole('table', { name: 'Users Found' });
    expect(screen.queryByText('Select recipients in the table first.')).toBeNull();
    // The added user is already loaded.
    expect(calls).toHaveLength(3);
  });

  it('is cleared by RESET', async () => {
    await open();
    await search();
    await screen.findByRole('table', { name: 'Users Found' });
    await press('RESET');
    expect((await labelled('Usernames (comma separated)')).value).toBe('');
    expect(screen.queryByRole('table', { name: 'Users Found' })).toBeNull();
  });

  it('is closed by CLOSE, with the focus on its opener', async () => {
    await open();
    await press('SEARCH RECIPIENTS');
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Search recipients' }));
    await press('CLOSE');
    expect(screen.queryByRole('heading', { name: 'Search recipients' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'SEARCH RECIPIENTS' }));
  });
});

describe('navigation there and back', () => {
  it('preserves the form and takes the recipients along', async () => {
    calls = fakeServer({
      [userList]: replyWithUsers([anna, mia, zoe]),
      'GET /notifications/list': { body: [] },
    });
    const { history } = show('/Notifications');
    await userEvent.type(await field('Campaign'), 'Fees');
    await press('MANAGE RECIPIENTS');
    await screen.findByRole('heading', { name: 'Manage Notification Recipients' });
    await search();
    await screen.findByRole('table', { name: 'Users Found' });
    await press('SELECT ALL');
    await press('ADD SELECTED');
    await screen.findByText('3 recipients added.');
    await press('CLOSE');
    await press('CLOSE');
    expect(await screen.findByText('3 recipients selected')).toBeTruthy();
    expect((await field('Campaign')).value).toBe('Fees');
    expect(history.location.pathname).toBe('/Notifications');
  });

  it('with Back includes the added users', async () => {
    calls = fakeServer({
      [userList]: replyWithUsers([anna, mia, zoe]),
      'GET /notifications/list': { body: [] },
    });
    const { history } = show('/Notifications');
    await userEvent.type(await field('Campaign'), 'Fees');
    await press('MANAGE RECIPIENTS');
    await search();
    await screen.findByRole('table', { name: 'Users Found' });
    await press('SELECT ALL');
    await press('ADD SELECTED');
    await screen.findByText('3 recipients added.');
    history.back();
    expect(await screen.findByText('3 recipients selected')).toBeTruthy();
    expect((await field('Campaign')).value).toBe('Fees');
    history.forward();
    expect(await count('Selected Recipients')).toBe(3);
  });

  it("doesn't restore it after the notification is saved", async () => {
    calls = fakeServer({
      [userList]: replyWithUsers([anna]),
      'GET /notifications/list': { body: [] },
      'PUT /notifications/create': (body) => ({ body: makeNotification(body as object) }),
    });
    const { history } = show('/Notifications');
    await press('MANAGE RECIPIENTS');
    await press('CLOSE');
    await userEvent.type(await field('Campaign'), 'Fees');
    await press('CREATE NOTIFICATION');
    await messageText();
    history.back();
    await waitFor(() => expect(history.location.pathname).toBe('/Notifications'));
    expect((await field('Campaign')).value).toBe('');
  });

  it('goes to the notifications without a notification', async () => {
    const { history } = await open(null);
    await waitFor(() => expect(history.location.pathname).toBe('/Notifications'));
  });

  it("goes there from another user's notification", async () => {
    const { history } = show('/ManageRecipients', isad, {
      sealed: { draft: { id: 99, text: btoa('sealed for another') } },
    });
    await waitFor(() => expect(history.location.pathname).toBe('/Notifications'));
  });
});

it('shows so to users without access', async () => {
  calls = fakeServer({});
  show(
    '/ManageRecipients',
    makeSession({ user: { ...isad.user, typeCd: 'IRAD' } }),
    await encryptDraft(makeDraft()),
  );
  expect(await screen.findByText("You don't have access")).toBeTruthy();
  expect(calls).toEqual([]);
});
