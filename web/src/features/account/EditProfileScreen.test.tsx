import { createMemoryHistory, type HistoryState, useLocation } from '@tanstack/react-router';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { type Call, configure, fakeServer, makeSession, makeUser, type Replies } from '@/api/testing';
import type { Session } from '@/api/types';
import type { UserRow } from '@/shared/accounts';
import { renderScreens } from '@/shared/testing';
import EditProfileScreen from './EditProfileScreen';
import type { Details } from './profile';
import { field, listed, makeDetails } from './profileTesting';

const prad = makeSession({ permissions: ['users.manage'] });
const isad = makeSession({
  user: makeUser({ id: 9, userNm: 'isad.demo', typeCd: 'ISAD' }),
  permissions: ['users.manage'],
  routes: ['UserSearch'],
});

const load = 'GET /users/userByName/areed';
const save = 'PUT /users/updateUser';
const list = { owner: 'me', table: { sort: null, filters: {}, page: 3, pageSize: 10 } };
const searchInfo = { ...list, criteria: {} };

let calls: Call[];

function open(
  account: Partial<Details>,
  state: HistoryState,
  session: Session = prad,
  replies: Replies = {},
) {
  const details = makeDetails({ id: 5, userNm: 'areed', typeCd: 'PRUS', ...account });
  calls = fakeServer({
    [load]: { body: details },
    [save]: { body: 'success' },
    'GET /session': { body: session },
    ...replies,
  });
  const handed: { path: string; state: HistoryState }[] = [];
  const Elsewhere = () => {
    const { pathname, state } = useLocation();
    handed.push({ path: pathname, state });
    return <p>Elsewhere</p>;
  };
  const history = createMemoryHistory();
  history.push('/EditProfile', state);
  const screens = { '/': () => null, '/EditProfile': EditProfileScreen, $: Elsewhere };
  renderScreens(screens, session, { history });
  return handed;
}

const user = { id: 5, userNm: 'areed', userFirstName: 'Anna', userLastName: 'Reed', typeDesc: '' } as UserRow;
const saving = () => screen.findByRole<HTMLButtonElement>('button', { name: 'SAVE' });

describe('the sign-in with an external provider', () => {
  const bound = { ssoBoundDt: '2026-03-02T15:00:00Z' };
  const mayUnbind = { ...isad, permissions: ['users.manage', 'users.unbind'] };
  const line = 'SSO account linked since 03/02/2026';
  const unbind = 'DELETE /users/binding/areed';

  it('is unlinked by a system administrator', async () => {
    await configure({ outsideSignIn: true });
    open(bound, { user, admin: true }, mayUnbind, { [unbind]: { body: 'success' } });
    expect(await screen.findByText(line)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Unlink' }));
    expect(calls.some(({ call }) => call === unbind)).toBe(false);
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Unlink' }));
    expect(await screen.findByText(/^SSO account unlinked/)).toBeTruthy();
    expect(calls.some(({ call }) => call === unbind)).toBe(true);
    expect(screen.queryByText(line)).toBeNull();
  });

  it('shows when that failed', async () => {
    await configure({ outsideSignIn: true });
    open(bound, { user, admin: true }, mayUnbind, { [unbind]: { status: 500, body: {} } });
    await userEvent.click(await screen.findByRole('button', { name: 'Unlink' }));
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Unlink' }));
    expect(await screen.findByText(/^Error: An error has occurred/)).toBeTruthy();
    expect(screen.getByText(line)).toBeTruthy();
  });

  it.each([
    ['an account that is not bound', true, {}, mayUnbind],
    ['those who may not', true, bound, prad],
    ['a portal with its own form', false, bound, mayUnbind],
  ])("isn't shown for %s", async (_, outsideSignIn, account, session) => {
    await configure({ outsideSignIn });
    open(account, { user, admin: true }, session);
    await saving();
    expect(screen.queryByText(line)).toBeNull();
  });
});

describe('SAVE', () => {
  it("sends the user's changes, with a message", async () => {
    open({}, { user, admin: false });
    await saving();
    await userEvent.clear(field('Job Title'));
    await userEvent.type(field('Job Title'), 'Nurse');
    await userEvent.click(await saving());
    expect(await screen.findByText('The profile of Paula Reyes was successfully updated.')).toBeTruthy();
    expect(calls.find(({ call }) => call === save)?.body).toMatchObject({
      id: 5,
      userNm: 'areed',
      jobTitle: 'Nurse',
    });
  });

  describe("after another user's save", () => {
    const theirs = makeDetails({
      id: 5,
      userNm: 'areed',
      typeCd: 'PRUS',
      jobTitle: 'Coder',
      companyNm: 'Hillside',
      version: 'two',
    });
    async function conflict() {
      const sent: unknown[] = [];
      open({ version: 'one' }, { user, admin: false }, prad, {
        [load]: () => ({ body: sent.length > 0 ? theirs : makeDetails({ ...theirs, ...read }) }),
        [save]: (body) =>
          sent.push(body) === 1
            ? {
                status: 409,
                body: {
                  code: 'STALE',
                  version: 'two',
                  fields: [
                    { path: 'userMidName', code: 'CHANGED', message: '', value: 'T' },
                    { path: 'jobTitle', code: 'CHANGED', message: '', value: 'Coder' },
                    { path: 'companyNm', code: 'CHANGED', message: '', value: 'Hillside' },
                  ],
                },
              }
            : { body: 'success' },
      });
      await saving();
      await userEvent.clear(field('Middle Initial'));
      await userEvent.clear(field('Job Title'));
      await userEvent.type(field('Job Title'), 'Nurse');
      await userEvent.click(await saving());
      const rows = (await screen.findAllByRole('row')).slice(1);
      expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
        ['Job Title', 'Coder', 'Nurse'],
        ['Company Name', 'Hillside', "You didn't change this"],
      ]);
      expect(document.activeElement?.getAttribute('aria-label')).toBe('Message');
      return sent;
    }
    const read = { jobTitle: 'Biller', companyNm: 'Lakeside', version: 'one' };

    it("applies only this user's changes", async () => {
      const sent = await conflict();
      await userEvent.click(screen.getByRole('button', { name: 'Apply mine' }));
      await expect.poll(() => sent).toHaveLength(2);
      expect(sent[0]).toMatchObject({ version: 'one', companyNm: 'Lakeside' });
      expect(sent[1]).toMatchObject({
        version: 'two',
        userMidName: '',
        jobTitle: 'Nurse',
        companyNm: 'Hillside',
      });
    });

    it('uses theirs, keeps the rest, and focuses the first field', async () => {
      const sent = await conflict();
      await userEvent.click(screen.getByRole('button', { name: 'Use theirs' }));
      expect(field('Job Title').value).toBe('Coder');
      expect(document.activeElement).toBe(field('Job Title'));
      await userEvent.click(await saving());
      await expect.poll(() => sent).toHaveLength(2);
      expect(sent[1]).toMatchObject({ version: 'two', userMidName: '', jobTitle: 'Coder' });
    });
  });

  it("rejects a phone number with this screen's text", async () => {
    open({}, { user, admin: false });
    await saving();
    await userEvent.clear(field('Phone Number'));
    await userEvent.click(await saving());
    expect(await listed()).toEqual(['Error: Enter a valid Phone Number']);
  });

  it.each([
    ['while mirroring', { ...prad, mirroredUser: makeUser({ id: 2, userNm: 'mirrored' }) }],
    ['to who may only read', makeSession({ user: makeUser({ userNm: 'irad.demo', typeCd: 'IRAD' }) })],
  ])('is disabled %s', async (_, session) => {
    open({}, { user, admin: false }, session);
    expect((await saving()).disabled).toBe(true);
    expect(field('First Name').readOnly).toBe(true);
  });
});

describe('the employee ID of internal staff', () => {
  const staff = { internalStaffFlag: true, typeCd: 'IRAD', employeeId: 'E1' } as const;

  it('is changed by a system administrator', async () => {
    open(staff, { user, admin: true }, isad);
    await saving();
    await userEvent.clear(field('Employee ID'));
    await userEvent.type(field('Employee ID'), 'E2');
    await userEvent.click(await saving());
    await screen.findByText(/^The profile of .* was successfully updated\.$/);
    expect(calls.find(({ call }) => call === save)?.body).toMatchObject({ employeeId: 'E2' });
  });

  it("is read-only on one's own profile", async () => {
    const own = { ...isad, user: makeUser({ userNm: 'areed', typeCd: 'ISAD' }) };
    open(staff, { user, admin: true }, own);
    await saving();
    expect(field('Employee ID').readOnly).toBe(true);
  });
});

describe('CANCEL', () => {
  it.each([
    [{ admin: true, searchInfo }, '/UserSearch', { searchInfo }],
    [{ admin: false, groupId: 1010, list, searchInfo }, '/ManageUsers', { groupId: 1010, list, searchInfo }],
    [{}, '/ManageUsers', {}],
  ])('of %o goes to %s', async (state, path, expected) => {
    const handed = open({}, { user, ...state });
    await userEvent.click(await screen.findByRole('link', { name: 'CANCEL' }));
    expect(handed[0]?.path).toBe(path);
    expect(handed[0]?.state).toMatchObject(expected);
  });
});

describe('without a user', () => {
  it.each([
    ['Manage Users', prad],
    ['User Search', isad],
  ])('goes to %s', async (screenName, session) => {
    open({}, {}, session);
    expect(await screen.findByText('No user selected')).toBeTruthy();
    expect(screen.getByRole('link', { name: `Select one in ${screenName}` })).toBeTruthy();
    expect(calls).toEqual([]);
  });
});

it("shows when the profile doesn't load", async () => {
  open({}, { user, admin: false }, prad, { [load]: { status: 404 } });
  expect(
    await screen.findByText('Error: An error has occurred. Please try again or contact Customer Service.'),
  ).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});
