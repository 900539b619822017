import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { vi } from 'vitest';
import type { UserRow } from '../../api/navigation';
import { SessionContext } from '../../api/session';
import { sessionOf, userOf } from '../../api/testing';
import type { Session } from '../../api/types';
import { KitProvider } from '../../ui/KitProvider';
import { Layer } from '../../ui/Layer';
import ManageRecipientsPage from './ManageRecipientsPage';
import NotificationsPage from './NotificationsPage';
import type { Notification } from './queries';

interface Answer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}
export type Reply = Answer | ((body: unknown) => Answer | Promise<Answer>);

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
    const body = sent ? JSON.parse(sent) : null;
    calls.push({ call, body });
    const reply = replies[call];
    const answer: Answer = (typeof reply === 'function' ? await reply(body) : reply) ?? { status: 404 };
    const { status = 200, headers } = answer;
    return Response.json(answer.body ?? {}, { status, headers });
  });
  return calls;
}

export const isad = sessionOf({
  username: 'isad.demo',
  user: userOf({ id: 9, userNm: 'isad.demo', typeCd: 'ISAD', grpInfoId: null }),
  permissions: ['notifications.manage', 'users.search'],
});

/** Shows a screen and the one it leads to. */
export function show(
  path: '/Notifications' | '/ManageRecipients',
  session: Session = isad,
  state: object = {},
) {
  const history = createMemoryHistory({ initialEntries: ['/'] });
  history.push(path, state);
  const root = createRootRoute({ component: Outlet });
  const at = (path: string, component: () => React.ReactNode) =>
    createRoute({ getParentRoute: () => root, path, component });
  const router = createRouter({
    routeTree: root.addChildren([
      at('/Notifications', NotificationsPage),
      at('/ManageRecipients', ManageRecipientsPage),
      at('$', () => <p>Elsewhere</p>),
    ]),
    history,
  });
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
  return { router, history };
}

export const notificationOf = (part: Partial<Notification> = {}): Notification => ({
  wcp_notification_id: 4,
  name: 'Spring newsletter',
  sendDt: null,
  status: 'READY',
  sendEmail: 'NO',
  campaign: 'Spring',
  requestedBy: 'Marketing',
  createDt: '2026-03-02T15:00:00.000000Z',
  lastUpdate: '2026-03-03T15:00:00.000000Z',
  lastUpdateBy: 'isad.demo',
  userNotList: '5,6',
  link: 'https://news.example.com/spring',
  ...part,
});

export const userRowOf = (part: Partial<UserRow> = {}): UserRow => ({
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

export const field = (label: string) => screen.findByLabelText<HTMLInputElement>(new RegExp(`^${label}`));

export const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

/** The message that has the focus. */
export const told = async () => (await screen.findByRole('group', { name: 'Message' })).textContent;

/** The first column's text of each row of a table. */
export const rowsOf = async (table: string) =>
  within(await screen.findByRole('table', { name: table }))
    .getAllByRole('row')
    .slice(2);
