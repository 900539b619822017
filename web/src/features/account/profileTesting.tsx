import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { RouteComponent } from '@tanstack/react-router';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { render, screen, within } from '@testing-library/react';
import { vi } from 'vitest';
import { SessionContext } from '../../api/session';
import { sessionOf, userOf } from '../../api/testing';
import type { Session } from '../../api/types';
import { KitProvider } from '../../ui/KitProvider';
import { Layer } from '../../ui/Layer';
import type { Details } from './profile';

export interface Reply {
  status?: number;
  body?: unknown;
}

export interface Call {
  call: string;
  body: unknown;
}

/** Stands for the server: answers each call by name, and writes down what was sent. */
export function serve(replies: Record<string, Reply | (() => Promise<Reply>)>): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const call = `${request.method} ${new URL(request.url).pathname.replace(/^\/api/, '')}`;
    calls.push({ call, body: request.method === 'GET' ? null : await request.json() });
    const reply = replies[call];
    const { status = 200, body = {} } = (typeof reply === 'function' ? await reply() : reply) ?? {
      status: 404,
    };
    return Response.json(body, { status });
  });
  return calls;
}

/** Shows a screen as the signed-in application does; other paths show their name. */
export function show(Screen: RouteComponent, session: Session = sessionOf()) {
  const root = createRootRoute({ component: Outlet });
  const routeTree = root.addChildren([
    createRoute({ getParentRoute: () => root, path: '/', component: Screen }),
    createRoute({ getParentRoute: () => root, path: '/ChangePassword', component: () => <h1>Changing</h1> }),
    createRoute({ getParentRoute: () => root, path: '/UserProfile', component: () => <h1>Profile</h1> }),
  ]);
  const router = createRouter({
    routeTree,
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  return render(
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
}

export const mirroring = sessionOf({
  username: 'isad.demo',
  user: userOf({
    id: 9,
    userNm: 'isad.demo',
    userFirstName: 'Olivia',
    userLastName: 'Stone',
    typeCd: 'ISAD',
  }),
  mirroredUser: userOf(),
});

/** What a form's banner lists. */
export const listed = async () =>
  within(await screen.findByRole('group', { name: 'Message' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

export const field = (label: string | RegExp) =>
  screen.getByLabelText<HTMLInputElement>(typeof label === 'string' ? new RegExp(`^${label}\\*?$`) : label);

export const detailsOf = (part: Partial<Details> = {}): Details => ({
  id: 1,
  userNm: 'prad.demo',
  userFirstName: 'Paula',
  userLastName: 'Reyes',
  userMidName: 'T',
  emailAddr: 'paula@example.com',
  phoneNum: '2125550100',
  employeeId: null,
  typeCd: 'PRAD',
  typeDesc: 'Provider Admin',
  statusCd: 'ACTIV',
  statusDesc: 'Active',
  internalStaffFlag: false,
  affiliationCd: 'OFC_STAFF',
  affiliationDesc: '',
  jobTitle: 'Billing Manager',
  companyNm: 'Lakeside',
  companyUrl: null,
  grpInfoId: 7,
  ...part,
});
