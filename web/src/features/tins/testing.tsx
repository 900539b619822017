import type { RouteComponent } from '@tanstack/react-router';
import { createMemoryHistory } from '@tanstack/react-router';
import { screen, within } from '@testing-library/react';
import { type Answer, makeSession, makeUser } from '@/api/testing';
import type { Session } from '@/api/types';
import type { UserRow } from '@/shared/accounts';
import type { SavedSearch } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { makeUserRow, renderScreens } from '@/shared/testing';
import { createTableState } from '@/ui/table/state';

/** The server's response to a successful change. */
export const done: Answer<'success'> = { body: 'success' };
export const refused = (code: string, status = 400, message = code) => ({ status, body: { code, message } });

/** Shows a screen as the signed-in app does. The user lists show the state they receive. */
export function show(Screen: RouteComponent, session: Session, state: object = {}) {
  const history = createMemoryHistory({ initialEntries: ['/before'] });
  history.push('/screen', state);
  const screens = {
    '/screen': Screen,
    [paths.manageUsers]: () => <h1>Users of the group</h1>,
    [paths.userSearch]: () => <h1>Search of users</h1>,
  };
  return renderScreens(screens, session, { history }).history;
}

export const administrator = makeSession({ permissions: ['tins.manage'] });
export const providerUser = makeSession({ user: makeUser({ userNm: 'prus.demo', typeCd: 'PRUS' }) });
export const staff = (typeCd: 'ISAD' | 'IRAD') =>
  makeSession({
    user: makeUser({ userNm: 'isad.demo', typeCd, grpInfoId: null }),
    permissions: ['tins.nonNetwork', ...(typeCd === 'ISAD' ? ['tins.add', 'tins.manage'] : [])],
  });
export const mirroring = makeSession({
  user: makeUser({ userNm: 'isad.demo', typeCd: 'ISAD', grpInfoId: null }),
  mirroredUser: makeUser(),
  permissions: ['tins.manage'],
});

export const makeRow = (part: Partial<UserRow> = {}): UserRow =>
  makeUserRow({
    userNm: 'mia',
    userFirstName: 'Mia',
    userLastName: 'Stone',
    emailAddr: 'mia@example.com',
    phoneNum: '2125550100',
    createdDt: '2026-01-02T15:00:00Z',
    ...part,
  });

export const searchInfo: SavedSearch = {
  owner: 'isad.demo',
  criteria: { userName: 'mi' },
  table: createTableState(),
};

/** A table's cells, row by row. */
export const rows = (name: string | RegExp) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(2)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );

export const box = (tin: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ${tin}` });
export const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
export const field = (label: string) =>
  screen.getByLabelText<HTMLInputElement>((text) => text.replace(/\*$/, '') === label);

/** The problems in the form's banner. */
export const listed = async () =>
  within(await screen.findByRole('group', { name: 'Message' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);
