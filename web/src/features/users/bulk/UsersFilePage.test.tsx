import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakeServer, makeSession, makeUser } from '@/api/testing';
import type { Session } from '@/api/types';
import { renderScreens } from '@/shared/testing';
import type { FileRow } from './queries';
import UsersFilePage from './UsersFilePage';

const sent = vi.hoisted(() => vi.fn());
vi.mock('@/api/upload', () => ({ upload: sent }));
afterEach(() => sent.mockReset());

const prad = makeSession({ permissions: ['users.many'], routes: ['work/users/file', 'ManageUsers'] });
const row = (part: Partial<FileRow>): FileRow => ({
  row: 2,
  state: 'good',
  userFirstName: 'Ann',
  userLastName: 'Poe',
  emailAddr: 'ann@example.com',
  typeDesc: 'Provider User',
  userNm: '',
  grpInfoId: null,
  problems: [],
  ...part,
});

function open(session: Session = prad, state = {}) {
  fakeServer({ 'GET /work/users/file': { body: [{ name: 'Account Type', hint: 'Its name' }] } });
  return renderScreens({ '/': UsersFilePage }, session, { state }).history;
}

async function choose() {
  await screen.findByRole('button', { name: 'Download a template' });
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  await userEvent.upload(input as HTMLInputElement, new File(['x'], 'users.csv', { type: 'text/csv' }));
}

describe('users from a file', () => {
  it('are validated, and then created unchanged', async () => {
    const refused = row({
      row: 3,
      state: 'refused',
      userFirstName: 'Bob',
      problems: [{ column: 'TINs', reason: 'Select TIN' }],
    });
    sent.mockResolvedValueOnce({ checked: 'abc', rows: [row({}), refused] });
    const list = { groupId: 7, list: { owner: 'x' } };
    const history = open(prad, list);
    await choose();
    const table = await screen.findByRole('table', { name: 'File contents' });
    expect(within(table).getByText('TINs: Select TIN')).toBeTruthy();
    expect(screen.getByText(/^Of 2 users: 1 ready to add, 1 rejected\. Rejected users/)).toBeTruthy();
    sent.mockResolvedValueOnce({ checked: 'abc', rows: [row({ state: 'made', userNm: 'apoe' }), refused] });
    await userEvent.click(screen.getByRole('button', { name: 'Add 1 user' }));
    const summary = await screen.findByText('Of 2 users: 1 added, 1 rejected.');
    // The second click of a double click hits the place of the button, so no link may be there.
    const onward = screen.getByRole('link', { name: 'Manage Users' });
    const done = screen.getByRole('table', { name: 'Results' });
    expect(summary.parentElement?.contains(onward)).toBe(false);
    expect(done.compareDocumentPosition(onward)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(screen.getByText('apoe')).toBeTruthy();
    expect(sent.mock.calls.map(([path, form]) => [path, (form as FormData).get('checked')])).toEqual([
      ['/work/users/file/check', ''],
      ['/work/users/file', 'abc'],
    ]);
    // The list is unchanged.
    await userEvent.click(onward);
    expect(history.location).toMatchObject({ pathname: '/ManageUsers', state: list });
  });

  it('are created once, even on a double click before a render', async () => {
    sent.mockResolvedValueOnce({ checked: 'abc', rows: [row({})] });
    open();
    await choose();
    const add = await screen.findByRole('button', { name: 'Add 1 user' });
    sent.mockResolvedValue({ checked: 'abc', rows: [row({ state: 'made', userNm: 'apoe' })] });
    act(() => {
      add.click();
      add.click();
    });
    await screen.findByText('Of 1 user: 1 added.');
    expect(sent.mock.calls.filter(([path]) => path === '/work/users/file')).toHaveLength(1);
  });

  it("can't be created from an invalid file", async () => {
    const { Problem } = await import('@/api/client');
    const say = "The file isn't UTF-8. Save it as “CSV UTF-8”.";
    sent.mockRejectedValueOnce(
      new Problem(400, 'INVALID', say, [{ path: 'file', code: 'INVALID', message: say }]),
    );
    open();
    await choose();
    expect(await screen.findByText(say, { exact: false })).toBeTruthy();
    expect(screen.queryByRole('table', { name: 'File contents' })).toBeNull();
  });

  it('are blocked while mirroring', async () => {
    open({ ...prad, mirroredUser: makeUser({ id: 2 }) });
    expect(await screen.findByText(/You can't make changes while mirroring/)).toBeTruthy();
  });
});
