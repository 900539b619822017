import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fakeServer, makeSession, makeUser, type Replies } from '@/api/testing';
import type { Session } from '@/api/types';
import type { UserRow } from '@/shared/accounts';
import { createTableState } from '@/ui/table/state';
import ManageTinsForUserPage from './ManageTinsForUserPage';
import {
  administrator,
  box,
  button,
  done,
  makeRow,
  mirroring,
  refused,
  rows,
  searchInfo,
  show,
  staff,
} from './testing';
import ViewTinsPage from './ViewTinsPage';

const retrieval = 'Error: There was an error retrieving data. Please try again or contact Customer Service.';

describe('the TINs of a managed user', () => {
  /** The position in Manage Users. */
  const list = { owner: 'me', table: createTableState({ page: 3 }) };
  const read = 'GET /ftin/managedUserFtins/mia';
  const write = 'POST /ftin/managedUserFtins/mia';
  const given = (n: number, hasIt: boolean) => ({
    ftin: `1111111${String(n).padStart(2, '0')}`,
    hasIt,
    addedDate: '2026-01-05T15:00:00Z',
    createdDate: '2026-01-05T15:00:00Z',
  });
  const twelve = Array.from({ length: 12 }, (_, n) => given(n, n < 2)).reverse();

  async function open(replies: Replies = {}, session: Session = administrator, user: UserRow = makeRow()) {
    const calls = fakeServer({ [read]: { body: twelve }, ...replies });
    const history = show(ManageTinsForUserPage, session, { user, groupId: 7, list, searchInfo });
    await screen.findByRole('table', { name: 'Group TINs' });
    return { calls, history };
  }
  const save = () => userEvent.click(button('SAVE'));

  it("are sorted with the user's own checked, ten per page", async () => {
    await open();
    expect(screen.getByText('Mia Stone (mia)')).toBeTruthy();
    expect(rows('Group TINs').map(([, tin]) => tin)).toEqual(
      Array.from({ length: 10 }, (_, n) => given(n, true).ftin),
    );
    expect(rows('Group TINs')[0]).toEqual(['', '111111100', '01/05/2026']);
    expect(
      screen.getAllByRole<HTMLInputElement>('checkbox', { name: /^Select 1/ }).map(({ checked }) => checked),
    ).toEqual([true, true, ...Array(8).fill(false)]);
  });

  it('are saved as the whole list; selections survive filters and pages', async () => {
    const { calls, history } = await open({ [write]: done });
    await userEvent.click(box('111111100'));
    await userEvent.click(button('Next'));
    await userEvent.click(box('111111111'));
    await userEvent.type(screen.getByLabelText('Filter by Tax ID (TIN)'), '105');
    await userEvent.click(box('111111105'));
    expect(rows('Group TINs')).toHaveLength(1);
    await save();
    expect(await screen.findByText('Users of the group')).toBeTruthy();
    const sent = calls.find(({ call }) => call === write)?.body as typeof twelve;
    expect(sent).toHaveLength(12);
    expect(sent.filter(({ hasIt }) => hasIt).map(({ ftin }) => ftin)).toEqual([
      '111111111',
      '111111105',
      '111111101',
    ]);
    expect(sent[0]).toEqual({ ...given(11, true) });
    expect(history.location.pathname).toBe('/ManageUsers');
    expect(history.location.state).toMatchObject({
      message: 'The selected account was successfully updated.',
      groupId: 7,
      list,
      searchInfo,
    });
  });

  it("can't all be removed", async () => {
    const { calls } = await open();
    await userEvent.click(box('111111100'));
    await userEvent.click(box('111111101'));
    await save();
    const dialog = await screen.findByRole('dialog', { name: 'You cannot remove all TINs.' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'OK' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls).toHaveLength(1);
  });

  it('of a provider administrator are all selected and locked', async () => {
    await open({}, administrator, makeRow({ typeCd: 'PRAD' }));
    expect(screen.getByText("A provider administrator has all of the group's TINs.")).toBeTruthy();
    const checks = screen.getAllByRole<HTMLInputElement>('checkbox');
    expect(checks).toHaveLength(11);
    for (const check of checks) expect([check.checked, check.disabled]).toEqual([true, true]);
    expect(button('SAVE').disabled).toBe(true);
  });

  it.each([
    ['while mirroring', mirroring, "You can't change TINs while mirroring."],
    ['by a viewer', staff('IRAD'), 'Your account can view TINs but not change them.'],
  ])("can't be changed %s", async (_, session, why) => {
    await open({}, session);
    expect(screen.getByText(why)).toBeTruthy();
    for (const check of screen.getAllByRole<HTMLInputElement>('checkbox')) expect(check.disabled).toBe(true);
    expect(button('SAVE').disabled).toBe(true);
    expect(box('111111100').checked).toBe(true);
  });

  it('stay unchanged with CANCEL', async () => {
    const { calls, history } = await open();
    await userEvent.click(box('111111100'));
    await userEvent.click(button('CANCEL'));
    expect(await screen.findByText('Users of the group')).toBeTruthy();
    expect(history.location.state.message).toBeUndefined();
    expect(history.location.state).toMatchObject({ groupId: 7, searchInfo });
    expect(calls).toHaveLength(1);
  });

  it.each([
    [{ status: 500 }, 'Error: An error has occurred.  Please try again or contact Customer Service.'],
    [
      refused('INVALID', 400, 'A TIN does not belong to the group. Load the list again and retry.'),
      'Error: An error has occurred.  Please try again or contact Customer Service. A TIN does not belong to the group. Load the list again and retry.',
    ],
  ])("that couldn't be saved (%j) stay selected, and the list refetches", async (reply, text) => {
    const { calls } = await open({ [write]: reply });
    await userEvent.click(box('111111105'));
    await save();
    expect((await screen.findByRole('group', { name: 'Message' })).textContent).toBe(text);
    await waitFor(() => expect(calls.at(-1)?.call).toBe(read));
    expect(box('111111105').checked).toBe(true);
    expect(button('SAVE').disabled).toBe(false);
  });

  describe('that another administrator changed first', () => {
    const theirs = twelve.map((row) => ({
      ...row,
      hasIt: row.hasIt || row.ftin === '111111109',
      version: 'two',
    }));
    async function conflict() {
      const writes: unknown[] = [];
      const lists = [twelve.map((row) => ({ ...row, version: 'one' })), theirs];
      await open({
        [read]: () => ({ body: lists[Math.min(writes.length, 1)] ?? [] }),
        [write]: (body) =>
          writes.push(body) === 1
            ? {
                status: 409,
                body: {
                  code: 'STALE',
                  version: 'two',
                  fields: [{ path: '111111109', code: 'CHANGED', message: '', value: 'true' }],
                },
              }
            : done,
      });
      await userEvent.click(box('111111105'));
      await save();
      const row = await screen.findByRole('row', { name: /^111111109/ });
      expect(
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      ).toEqual(['Selected', "You didn't change this"]);
      return writes as (typeof theirs)[];
    }
    const given = (list?: typeof theirs) =>
      list?.filter(({ hasIt }) => hasIt).map(({ ftin, version }) => `${ftin} ${version}`);
    const merged = ['111111109 two', '111111105 two', '111111101 two', '111111100 two'];

    it('are saved with theirs by Apply mine', async () => {
      const writes = await conflict();
      await userEvent.click(button('Apply mine'));
      expect(await screen.findByText('Users of the group')).toBeTruthy();
      expect(given(writes[0])).toEqual(['111111105 one', '111111101 one', '111111100 one']);
      expect(given(writes[1])).toEqual(merged);
    });

    it('are shown with theirs by Use theirs, and saved by the next SAVE', async () => {
      const writes = await conflict();
      await userEvent.click(button('Use theirs'));
      expect(screen.queryByRole('button', { name: 'Use theirs' })).toBeNull();
      await waitFor(() => expect(box('111111109').checked).toBe(true));
      expect(box('111111105').checked).toBe(true);
      await save();
      expect(await screen.findByText('Users of the group')).toBeTruthy();
      expect(given(writes[1])).toEqual(merged);
    });
  });

  it('are saved once, however often SAVE is clicked', async () => {
    let release = () => {};
    const { calls } = await open({
      [write]: () =>
        new Promise((resolve) => {
          release = () => resolve(done);
        }),
    });
    await save();
    await waitFor(() => expect(button('SAVE').getAttribute('aria-disabled')).toBe('true'));
    await save();
    release();
    await screen.findByText('Users of the group');
    expect(calls.filter(({ call }) => call === write)).toHaveLength(1);
  });

  it("that couldn't load can be requested again", async () => {
    const replies: Replies = { [read]: { status: 500 } };
    fakeServer(replies);
    show(ManageTinsForUserPage, administrator, { user: makeRow() });
    await screen.findByText(retrieval);
    expect(button('SAVE').disabled).toBe(true);
    replies[read] = { body: twelve };
    await userEvent.click(button('Try again'));
    await screen.findByRole('table');
  });

  it('without a user go back to the users', async () => {
    const calls = fakeServer({});
    show(ManageTinsForUserPage, administrator);
    expect(await screen.findByText('Users of the group')).toBeTruthy();
    expect(calls).toHaveLength(0);
  });
});

describe('the TINs of a user from the search', () => {
  const read = 'GET /ftin/userFtins/mia';
  const viewer = makeSession({ user: makeUser({ typeCd: 'IRAD', grpInfoId: null }) });

  it('are read-only, and BACK returns to the search', async () => {
    const calls = fakeServer({ [read]: { body: [{ ftin: '222222222' }, { ftin: '111111111' }] } });
    const history = show(ViewTinsPage, viewer, { user: makeRow(), searchInfo });
    await screen.findByRole('table');
    expect(screen.getByText('Mia Stone (mia)')).toBeTruthy();
    expect(calls).toEqual([{ call: read, query: '?activeFlag=true', body: null }]);
    expect(rows('User TINs')).toEqual([['111111111'], ['222222222']]);
    expect(screen.queryByRole('checkbox')).toBeNull();
    await userEvent.click(button('BACK'));
    expect(await screen.findByText('Search of users')).toBeTruthy();
    expect(history.location.state.searchInfo).toEqual(searchInfo);
  });

  it("that couldn't load can be requested again", async () => {
    fakeServer({ [read]: { status: 500 } });
    show(ViewTinsPage, viewer, { user: makeRow() });
    await screen.findByText(retrieval);
    fakeServer({ [read]: { body: [] } });
    await userEvent.click(button('Try again'));
    await screen.findByText('No records found');
  });

  it('without a user go back to the search', async () => {
    fakeServer({});
    show(ViewTinsPage, viewer);
    expect(await screen.findByText('Search of users')).toBeTruthy();
  });
});
