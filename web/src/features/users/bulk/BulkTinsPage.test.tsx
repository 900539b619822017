import { createMemoryHistory } from '@tanstack/react-router';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fakeServer, makeSession, makeUser, type Replies } from '@/api/testing';
import type { Session } from '@/api/types';
import { renderScreens } from '@/shared/testing';
import BulkTinsPage from './BulkTinsPage';
import { findTinsProblem, formatSummary, parseTins } from './bulkTins';
import type { Outcome } from './queries';

const prad = makeSession({ permissions: ['users.many'], routes: ['work/users/tins', 'ManageUsers'] });
const chosen = [
  { userNm: 'ann', name: 'Ann Poe (ann)', groupId: 7 },
  { userNm: 'bob', name: 'Bob Roe (bob)', groupId: 7 },
];
const outcome = (userNm: string, part: Partial<Outcome>): Outcome => ({
  userNm,
  userFirstName: userNm,
  userLastName: 'Poe',
  outcome: 'done',
  gains: [],
  loses: [],
  reason: '',
  ...part,
});
const preview = 'POST /work/users/ftins/preview';
const change = 'POST /work/users/ftins';
const groupTins = 'GET /ftin/groupFtins/7';
const tin = (ftin: string) => ({ ftin, addedDate: '2026-03-02T15:00:00Z', lastUpdatedUserName: 'x' });

const open = (replies: Replies = {}, session: Session = prad, state: object = { chosen }) => {
  const calls = fakeServer({ [groupTins]: { body: [tin('111111111'), tin('222222222')] }, ...replies });
  const history = createMemoryHistory();
  history.push('/screen', state);
  const screens = { '/': () => null, '/screen': BulkTinsPage, $: () => <p>Elsewhere</p> };
  renderScreens(screens, session, { history });
  return { calls, history };
};
const field = () => screen.findByRole('textbox', { name: /^Tax IDs/ });
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

describe('bulk TIN changes', () => {
  it('are previewed, applied to the affected users, and continued after an interruption', async () => {
    const { calls } = open({
      [preview]: {
        body: [
          outcome('ann', { gains: ['222222222'] }),
          outcome('bob', { outcome: 'refused', reason: 'Ended.' }),
        ],
      },
      [change]: { body: [outcome('ann', { outcome: 'left', reason: 'Not done yet.' })] },
    });
    await userEvent.click(await screen.findByLabelText(/222222222/));
    expect(await field()).toHaveProperty('value', '222222222');
    await press('Preview changes');
    const table = await screen.findByRole('table', { name: 'Preview' });
    expect(within(table).getByText('Ended.')).toBeTruthy();
    expect(screen.getByText('Of 2 users: 1 will change, 1 rejected.')).toBeTruthy();
    await press('Add TINs: 1 user');
    expect(await screen.findByText('Of 1 user: 1 not processed.')).toBeTruthy();
    await press('Continue with the rest');
    const asked = calls.filter(({ call }) => call === change);
    expect(asked.map(({ body }) => body)).toEqual([
      { change: 'give', ftins: ['222222222'], userNames: ['ann'] },
      { change: 'give', ftins: ['222222222'], userNames: ['ann'] },
    ]);
  });

  it("don't apply to later input", async () => {
    open({ [preview]: { body: [outcome('ann', { gains: ['222222222'] })] } });
    await userEvent.type(await field(), '222222222');
    await press('Preview changes');
    await screen.findByRole('table', { name: 'Preview' });
    await userEvent.type(await field(), ' 111111111');
    expect(screen.queryByRole('table', { name: 'Preview' })).toBeNull();
  });

  it('can copy another account', async () => {
    open({ 'GET /ftin/userFtins/cid': { body: [{ ftin: '111111111' }, { ftin: '222222222' }] } });
    await userEvent.type(await screen.findByLabelText(/^Copy TINs/), 'cid{Enter}');
    expect(await screen.findByText('2 TINs copied from cid.')).toBeTruthy();
    expect(await field()).toHaveProperty('value', '111111111\n222222222');
  });

  it("show that an account doesn't exist, and problems with the TINs", async () => {
    open({ 'GET /ftin/userFtins/cid': { status: 404, body: { code: 'NOT_FOUND', message: 'Not there.' } } });
    await userEvent.type(await screen.findByLabelText(/^Copy TINs/), 'cid{Enter}');
    expect(await screen.findByText(/We couldn't find that account/)).toBeTruthy();
    await userEvent.type(await field(), '12');
    await press('Preview changes');
    expect(await screen.findByText(/12 isn't a valid TIN. Enter 9 digits for each/)).toBeTruthy();
  });

  it.each([
    ['Manage Users', '/ManageUsers', { groupId: 8, list: { owner: 'x' }, searchInfo: { owner: 'y' } }],
    ['User Search', '/UserSearch', { admin: true, searchInfo: { owner: 'y' } }],
  ])('go back to the unchanged %s', async (_, path, { admin, ...list }: Record<string, unknown>) => {
    const left = { ...list, marked: { owner: 'z', users: chosen } };
    const { history } = open({}, prad, { chosen, admin, ...left });
    await field();
    await press('Back');
    await screen.findByText('Elsewhere');
    expect(history.location.pathname).toBe(path);
    expect(history.location.state).toMatchObject(left);
  });

  it("go back to the same history entry of the list if it's the previous one", async () => {
    const { history } = open({}, prad, { chosen, listAt: 0 });
    await field();
    await press('Back');
    await waitFor(() => expect(history.location.pathname).toBe('/'));
  });

  it('are for users who can change users, with users selected', async () => {
    open({}, makeSession({ routes: ['ManageUsers'] }));
    expect(await screen.findByRole('heading', { name: 'Bulk TIN update' })).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('ask for users if none are selected, and are blocked while mirroring', async () => {
    open({}, prad, {});
    expect(await screen.findByText(/No users selected/)).toBeTruthy();
  });

  it('are blocked while mirroring', async () => {
    open({}, { ...prad, mirroredUser: makeUser({ id: 2 }) });
    expect(await screen.findByText(/You can't make changes while mirroring/)).toBeTruthy();
  });
});

it('parse pasted TINs', () => {
  expect(parseTins('11-1111111, 222222222\n111111111;\t33')).toEqual({
    tins: ['111111111', '222222222'],
    wrong: ['33'],
  });
  expect(findTinsProblem('')).toBe('Error: Enter at least 1 TIN.');
  expect(findTinsProblem('1 2')).toBe("Error: 1 and 1 more aren't valid TINs. Enter 9 digits for each.");
  expect(findTinsProblem(Array.from({ length: 501 }, (_, i) => 100_000_000 + i).join(' '))).toMatch(
    /^Error: You entered 501 TINs/,
  );
  expect(formatSummary([outcome('a', {}), outcome('b', { outcome: 'nothing' })], true)).toBe(
    'Of 2 users: 1 changed, 1 unchanged.',
  );
});
