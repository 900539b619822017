import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type HistoryState,
  type RouteComponent,
  type RouterHistory,
  RouterProvider,
} from '@tanstack/react-router';
import { act, type RenderOptions, render } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';
import type { components } from '@/api/schema';
import { SessionContext } from '@/api/session';
import { makeValue } from '@/api/testing';
import type { Session } from '@/api/types';
import { KitProvider } from '@/ui/KitProvider';
import { Layer } from '@/ui/Layer';
import type { UserRow } from './accounts';
import { PortalQueryClient } from './PortalQueryClient';
import type { PageRequest } from './pages';
import type { ListedProvider } from './providers';
import type { Reason } from './reasons';

/** Renders a router's screens for a signed-in user. Failed requests aren't retried. */
export const renderScreen = (router: object, session: Session, options?: RenderOptions) =>
  render(
    <SessionContext value={session}>
      <QueryClientProvider client={new PortalQueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <KitProvider>
          <main>
            {/* The app's own router type doesn't fit a smaller tree. */}
            <RouterProvider router={router as never} />
            <Layer />
          </main>
        </KitProvider>
      </QueryClientProvider>
    </SessionContext>,
    options,
  );

type Schemas = components['schemas'];

interface FirstVisit extends RenderOptions {
  /** The first address; the first screen's path by default. */
  at?: string;
  /** The history state at that address. */
  state?: HistoryState;
  /** Replaces a history of only that address. */
  history?: RouterHistory;
  /** Surrounds the screens with what the app would, and shows the current one in its Outlet. */
  frame?: RouteComponent;
}

/** Renders screens by path for a signed-in user. */
export function renderScreens(
  screens: Record<string, RouteComponent>,
  session: Session,
  { at = Object.keys(screens)[0] ?? '/', state, history, frame, ...options }: FirstVisit = {},
) {
  const visits = history ?? createMemoryHistory({ initialEntries: [at] });
  if (state) visits.replace(at, state);
  const root = createRootRoute({ component: frame });
  const routes = Object.entries(screens).map(([path, component]) =>
    createRoute({ getParentRoute: () => root, path, component }),
  );
  const router = createRouter({ routeTree: root.addChildren(routes), history: visits });
  return { router, history: visits, ...renderScreen(router, session, options) };
}

/** From here to the end of the test, time advances with `pass`, and also by itself. */
export function fakeTime() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
}

/** Advances the time by this many milliseconds and runs the timers. */
export const advanceTime = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

export const makeUserRow = (part: Partial<UserRow> = {}): UserRow => ({
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

/** Responds with pages of these rows. Filters search a row's `text`. */
export const replyWithPages =
  <Row,>(rows: readonly Row[], text: (row: Row) => string = JSON.stringify) =>
  (body: unknown) => {
    const { page, pageSize, filters = {} } = (body as { table: PageRequest }).table;
    const found = rows.filter((row) =>
      Object.values(filters).every((typed) => text(row).toLowerCase().includes(typed.trim().toLowerCase())),
    );
    return { body: { rows: found.slice(page * pageSize, (page + 1) * pageSize), count: found.length } };
  };

/** Responds with pages of each TIN's providers. */
export const replyWithProviders = (tins: Record<string, readonly ListedProvider[]>) => (body: unknown) =>
  replyWithPages(
    tins[(body as { ftin: string }).ftin] ?? [],
    ({ prvName, prvId }) => `${prvName} (${prvId})`,
  )(body);

export const makeReason = (part: Partial<Reason>): Reason =>
  makeValue('ReasonCode', { list: 'CARC', code: 'Q1', ...part });

/** The explanations of CO-45, in general and in California. */
export const sampleReasons = [
  makeReason({ code: '45', title: 'The charge is too high.' }),
  makeReason({ code: '45', jurisdiction: 'CA', title: 'In California it is other.' }),
];

/** A sum of open bills; 0 without `part`. */
export const makeSum = (part: Partial<Schemas['OpenBillSum']> = {}) => makeValue('OpenBillSum', part);

/** The totals of an office's open bills; none without `part`. */
export const makeSummary = (part: Partial<Schemas['OpenBillSummary']> = {}) =>
  makeValue('OpenBillSummary', {
    ages: [makeSum(), makeSum(), makeSum(), makeSum()],
    asOf: '2026-05-04T09:00:00Z',
    ...part,
  });
