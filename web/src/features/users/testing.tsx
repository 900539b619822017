import {
  createMemoryHistory,
  type HistoryState,
  type RouteComponent,
  useLocation,
} from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { makeSession, makeUser } from '@/api/testing';
import type { Session } from '@/api/types';
import { renderScreens } from '@/shared/testing';

export const isad = makeSession({
  username: 'isad.demo',
  user: makeUser({ id: 9, userNm: 'isad.demo', typeCd: 'ISAD', grpInfoId: null }),
  permissions: ['users.manage', 'users.list', 'users.search', 'users.draft', 'groups.search'],
  routes: ['UserSearch'],
});

export const prad = makeSession({ permissions: ['users.manage', 'users.list'] });

export const mirroring = { ...prad, mirroredUser: makeUser({ id: 2, userNm: 'mirrored' }) };

/** Shows a screen with a navigation state. The next screens show the state they receive. */
export function show(Screen: RouteComponent, session: Session, state: HistoryState = {}) {
  const handed: { path: string; state: HistoryState }[] = [];
  const Elsewhere = () => {
    const { pathname, state } = useLocation();
    handed.push({ path: pathname, state });
    return <p>Elsewhere</p>;
  };
  const history = createMemoryHistory();
  history.push('/screen', state);
  const screens = { '/': () => null, '/screen': Screen, $: Elsewhere };
  return { ...renderScreens(screens, session, { history }), handed };
}

/** Opens the only row's menu. */
export const openMenu = async () =>
  userEvent.click(await screen.findByRole('button', { name: 'Actions for Anna Reed (areed)' }));

export async function choose(action: string) {
  await openMenu();
  await userEvent.click(await screen.findByRole('menuitem', { name: action }));
}

export const ok = () => screen.findByRole('button', { name: 'OK' });

export const messageText = async () => (await screen.findByRole('group', { name: 'Message' })).textContent;
