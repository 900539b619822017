import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SessionContext } from '../api/session';
import { sessionOf, userOf } from '../api/testing';
import type { Session, User } from '../api/types';
import { Bell } from './Bell';

const file = (feeSchedRqstId: number, fileViwed: 'Y' | 'N' = 'N') => ({
  feeSchedRqstId,
  fileName: `Fee_Schedule_${feeSchedRqstId}.xlsx`,
  schedUri: `/feeSchedule/file/${feeSchedRqstId}`,
  fileViwed,
});
const having = (...files: ReturnType<typeof file>[]): Partial<User> => ({
  feeSchedRqstsCnt: files.length,
  feeSchedRqsts: files,
});

let calls: string[];

/** Shows the bell; the server answers a refresh with these files, or with nothing but a refusal. */
async function show(session: Session, answer?: ReturnType<typeof file>[]) {
  calls = [];
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    calls.push(new URL(url).pathname);
    return answer
      ? Response.json({ successCount: answer.length, feeSchedList: answer })
      : Response.json({}, { status: 400 });
  });
  const root = createRootRoute({ component: Outlet });
  const at = (path: string, component: () => React.ReactNode) =>
    createRoute({ getParentRoute: () => root, path, component });
  const router = createRouter({
    routeTree: root.addChildren([at('/', Bell), at('/FeeSchedule', () => <h1>Screen</h1>)]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  render(
    <SessionContext value={session}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        {/* The application's own router type does not fit a smaller tree. */}
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </SessionContext>,
  );
  await passed(1);
}

const passed = (time: number) => act(() => vi.advanceTimersByTimeAsync(time));
const bell = () => screen.getByRole('button', { name: /^Notifications/ });
const items = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
const list = '/api/feeSchedule/getUserFeeSchedRequests/prad.demo';

/** Clicks a link that leads to the server, without going there. */
function follow(link: HTMLElement) {
  link.addEventListener('click', (event) => event.preventDefault());
  fireEvent.click(link);
}

async function openBell() {
  fireEvent.click(bell());
  await passed(1);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the badge', () => {
  it('counts the fee schedules of the session', async () => {
    await show(sessionOf({ user: userOf(having(file(1), file(2, 'Y'))) }));
    expect(bell().textContent).toBe('2');
    expect(bell().getAttribute('aria-label')).toBe('Notifications, 2');
    expect(calls).toEqual([]);
  });

  it('is absent without any, and short with many', async () => {
    await show(sessionOf());
    expect(bell().textContent).toBe('');
    expect(bell().getAttribute('aria-label')).toBe('Notifications');
    await show(sessionOf({ user: userOf({ feeSchedRqstsCnt: 120 }) }));
    expect(screen.getByText('99+')).toBeTruthy();
  });
});

describe('the menu', () => {
  it('says that there are none', async () => {
    await show(sessionOf(), []);
    await openBell();
    expect(screen.getByText('You have no fee schedules.')).toBeTruthy();
  });

  it('lists what there is by now, and tells viewed files apart', async () => {
    await show(sessionOf({ user: userOf(having(file(1))) }), [file(2), file(1, 'Y')]);
    await openBell();
    expect(calls).toEqual([list]);
    expect(items()).toEqual([
      'Fee_Schedule_2.xlsx, opens in a new windowNew',
      'Fee_Schedule_1.xlsx, opens in a new windowViewed',
    ]);
    expect(screen.getAllByRole('listitem').map(({ dataset }) => dataset.viewed)).toEqual([undefined, 'true']);
    expect(bell().textContent).toBe('2');
  });

  it('keeps the list when it cannot be refreshed, says so, and can be asked again', async () => {
    await show(sessionOf({ user: userOf(having(file(1))) }));
    await openBell();
    expect(screen.getByText('The list could not be refreshed.')).toBeTruthy();
    expect(items()).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    await passed(1);
    expect(calls).toEqual([list, list]);
  });

  it('opens a file for the signed-in user, and refreshes 3 seconds afterwards', async () => {
    await show(sessionOf({ user: userOf(having(file(1))) }), [file(1)]);
    await openBell();
    const link = screen.getByRole('link');
    expect(link.getAttribute('href')).toBe('/api/feeSchedule/file/1?usrName=prad.demo&mirrorNm=');
    expect(link.getAttribute('target')).toBe('_blank');
    follow(link);
    await passed(2_900);
    expect(calls).toEqual([list]);
    await passed(200);
    expect(calls).toEqual([list, list]);
  });

  it('of a mirrored user comes with the session alone, and opens files for both', async () => {
    const mirroredUser = userOf({ userNm: 'a&b', ...having(file(1)) });
    await show(sessionOf({ user: userOf({ userNm: 'isad.demo' }), mirroredUser }), []);
    await openBell();
    const link = screen.getByRole('link');
    expect(link.getAttribute('href')).toBe('/api/feeSchedule/file/1?usrName=isad.demo&mirrorNm=a%26b');
    follow(link);
    await passed(10_000);
    expect(calls).toEqual([]);
    expect(items()).toHaveLength(1);
  });

  it('leads those who may ask for fee schedules to their screen', async () => {
    await show(sessionOf(), []);
    await openBell();
    expect(screen.queryByRole('link', { name: 'PPO Fee Schedule' })).toBeNull();
    await show(sessionOf({ permissions: ['feeSchedules.request'] }), []);
    fireEvent.click(screen.getAllByRole('button', { name: /^Notifications/ })[1] as HTMLElement);
    fireEvent.click(screen.getByRole('link', { name: 'PPO Fee Schedule' }));
    await passed(1);
    expect(screen.getByRole('heading', { name: 'Screen' })).toBeTruthy();
  });
});
