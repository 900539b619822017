import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { act, type RenderOptions, render } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';
import { SessionContext } from '@/api/session';
import type { Session } from '@/api/types';
import { KitProvider } from '@/ui/KitProvider';
import { Layer } from '@/ui/Layer';
import type { UserRow } from './navigation';
import type { PageRequest } from './pages';
import type { ListedProvider } from './providers';
import type { Reason } from './reasons';

/** Renders the screens of a router as somebody signed in finds them. A call that fails is not made again. */
export const renderScreen = (router: object, session: Session, options?: RenderOptions) =>
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
    options,
  );

/** From here to its end a test's time runs ahead where `pass` says so; otherwise it goes on by itself. */
export function holdTime() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
}

/** Lets at least so many milliseconds pass at once, with whatever falls into them. */
export const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

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

/** Answers pages of these rows; its filters look at what `text` says of a row. */
export const pagesOf =
  <Row,>(rows: readonly Row[], text: (row: Row) => string = JSON.stringify) =>
  (body: unknown) => {
    const { page, pageSize, filters = {} } = (body as { table: PageRequest }).table;
    const found = rows.filter((row) =>
      Object.values(filters).every((typed) => text(row).toLowerCase().includes(typed.trim().toLowerCase())),
    );
    return { body: { rows: found.slice(page * pageSize, (page + 1) * pageSize), count: found.length } };
  };

/** Answers pages of the providers of each TIN. */
export const providersOf = (tins: Record<string, readonly ListedProvider[]>) => (body: unknown) =>
  pagesOf(tins[(body as { ftin: string }).ftin] ?? [], ({ prvName, prvId }) => `${prvName} (${prvId})`)(body);

/** What is told of CO-45, in general and in California. */
export const textsOfStates: Reason[] = [
  { jurisdiction: '', title: 'The charge is too high.' },
  { jurisdiction: 'CA', title: 'In California it is other.' },
].map((text) => ({
  list: 'CARC',
  code: '45',
  plain: '',
  advice: '',
  official: '',
  status: 'ACTIVE',
  ...text,
}));
