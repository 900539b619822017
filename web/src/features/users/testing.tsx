import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type HistoryState,
  Outlet,
  type RouteComponent,
  RouterProvider,
  useLocation,
} from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { vi } from 'vitest';
import type { UserRow } from '../../api/navigation';
import { SessionContext } from '../../api/session';
import { sessionOf, userOf } from '../../api/testing';
import type { Session } from '../../api/types';
import { KitProvider } from '../../ui/KitProvider';
import { Layer } from '../../ui/Layer';

export interface Reply {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Call {
  call: string;
  body: unknown;
}

/** Stands for the server: answers each call by name, and writes down what was sent. */
export function serve(replies: Record<string, Reply>): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const call = `${request.method} ${new URL(request.url).pathname.replace(/^\/api/, '')}`;
    const sent = await request.text();
    calls.push({ call, body: sent ? JSON.parse(sent) : null });
    const { status = 200, body = {}, headers } = replies[call] ?? { status: 404 };
    return Response.json(body, { status, headers });
  });
  return calls;
}

export const rowOf = (part: Partial<UserRow> = {}): UserRow => ({
  id: 5,
  userNm: 'areed',
  userFirstName: 'Anna',
  userLastName: 'Reed',
  userMidName: '',
  emailAddr: 'anna@example.com',
  phoneNum: '2165550100',
  employeeId: null,
  typeCd: 'PRUS',
  typeDesc: 'Provider User',
  statusCd: 'ACTIV',
  statusDesc: 'Active',
  internalStaffFlag: false,
  affiliationCd: 'OFC_STAFF',
  affiliationDesc: '',
  jobTitle: 'Biller',
  companyNm: 'Lakeside',
  companyUrl: null,
  grpInfoId: 7,
  createdDt: '2026-03-02T15:00:00Z',
  lastLoginDt: '',
  userActions: [],
  mgrUserInfoId: null,
  groupInfo: {},
  groupRosterSources: [],
  ...part,
});

export const isad = sessionOf({
  username: 'isad.demo',
  user: userOf({ id: 9, userNm: 'isad.demo', typeCd: 'ISAD', grpInfoId: null }),
  permissions: ['users.manage', 'users.list', 'users.search', 'users.draft'],
});

export const prad = sessionOf({ permissions: ['users.manage', 'users.list'] });

export const mirroring = { ...prad, mirroredUser: userOf({ id: 2, userNm: 'mirrored' }) };

/** Shows a screen as a visit that was handed a state; the screens it leads to say what they were handed. */
export function show(Screen: RouteComponent, session: Session, state: HistoryState = {}) {
  const handed: { path: string; state: HistoryState }[] = [];
  const Elsewhere = () => {
    const { pathname, state } = useLocation();
    handed.push({ path: pathname, state });
    return <p>Elsewhere</p>;
  };
  const root = createRootRoute({ component: Outlet });
  const at = (path: string, component: RouteComponent) =>
    createRoute({ getParentRoute: () => root, path, component });
  const router = createRouter({
    routeTree: root.addChildren([at('/', () => null), at('/screen', Screen), at('$', Elsewhere)]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  void router.navigate({ to: '/screen', state });
  render(
    <SessionContext value={session}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <KitProvider>
          <main>
            {/* The application's own router type does not fit a smaller tree. */}
            <RouterProvider router={router as never} />
            <Layer />
          </main>
        </KitProvider>
      </QueryClientProvider>
    </SessionContext>,
  );
  return { router, handed };
}

/** Opens the only row's menu. */
export const openMenu = async () =>
  userEvent.click(await screen.findByRole('button', { name: 'Actions for Anna Reed (areed)' }));

export async function choose(action: string) {
  await openMenu();
  await userEvent.click(await screen.findByRole('menuitem', { name: action }));
}

export const ok = () => screen.findByRole('button', { name: 'OK' });

export const told = async () => (await screen.findByRole('group', { name: 'Message' })).textContent;
