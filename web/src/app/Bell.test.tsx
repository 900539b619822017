import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SessionContext } from '@/api/session';
import { type Answer, type Call, fakeServer, makeSession, makeUser } from '@/api/testing';
import type { Session, User } from '@/api/types';
import type { UserNotification } from '@/features/notifications/bellQueries';
import { toast } from '@/ui/Toasts';
import { Bell } from './Bell';
import './BellLists'; // loaded before the test fakes the timers

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

const notification = (
  wcp_notification_id: number,
  part: Partial<UserNotification> = {},
): UserNotification => ({
  wcp_notification_id,
  name: `Notification ${wcp_notification_id}`,
  notification_link: `https://network.example/${wcp_notification_id}`,
  notification_user_dwnld: 'N',
  ...part,
});

let made: Call[];
/** The bell's requests, without its event stream and the notification requests. */
const calls = () => made.map(({ call }) => call).filter((call) => !call.includes('/notifications/'));
const asked = () => made.filter(({ call }) => call.startsWith('GET /notifications/user/')).length;
const viewed = () => made.filter(({ call }) => call.includes('/notifications/viewed/'));
/** The server's notifications; undefined makes the request fail. */
let announced: UserNotification[] | undefined;
/** The status of the server's response to a mark request. */
let marks: number;
/** Sends the bell an update event. */
let news: () => void;

/** Shows the bell. A refresh returns these files, or an error if there are none. */
async function show(session: Session, answer?: ReturnType<typeof file>[]) {
  news = () => expect.fail('no stream was opened');
  const notifications = (): Answer<UserNotification[]> => (announced ? { body: announced } : { status: 400 });
  const files = (): Answer<{ successCount: number; feeSchedList: ReturnType<typeof file>[] }> =>
    answer ? { body: { successCount: answer.length, feeSchedList: answer } } : { status: 400 };
  const stream = () => ({
    body: new ReadableStream<Uint8Array>({
      start(to) {
        news = () => to.enqueue(new TextEncoder().encode('data: changed\n\n'));
      },
    }),
  });
  made = fakeServer({
    'GET /notifications/events/1': stream,
    'GET /notifications/events/9': stream,
    'GET /notifications/user/1': notifications,
    'GET /notifications/user/9': notifications,
    'PATCH /notifications/viewed/1': () => ({ status: marks }),
    'PATCH /feeSchedule/viewed/prad.demo': () => ({ status: marks }),
    [list]: files,
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
        {/* The app's own router type doesn't fit a smaller tree. */}
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </SessionContext>,
  );
  await passed(1);
}

const passed = (time: number) => act(() => vi.advanceTimersByTimeAsync(time));
const bell = () => screen.getByRole('button', { name: /^Notifications/ });
const items = (title = 'Fee Schedules') =>
  within(screen.getByRole('region', { name: title }))
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent);
const list = 'GET /feeSchedule/getUserFeeSchedRequests/prad.demo';

/** Clicks a link to the server without navigating. */
function follow(link: HTMLElement) {
  link.addEventListener('click', (event) => event.preventDefault());
  fireEvent.click(link);
}

async function openBell() {
  fireEvent.click(bell());
  await passed(1);
}

beforeEach(() => {
  vi.useFakeTimers();
  announced = [];
  marks = 204;
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('the badge', () => {
  it('counts the fee schedules of the session', async () => {
    await show(makeSession({ user: makeUser(having(file(1), file(2, 'Y'))) }));
    expect(bell().textContent).toBe('2');
    expect(bell().getAttribute('aria-label')).toBe('Notifications, 2');
    expect(bell().getAttribute('aria-description')).toBeNull();
    expect(calls()).toEqual([]);
  });

  it('is gray when all are viewed, and still counts them', async () => {
    announced = [notification(1, { notification_user_dwnld: 'Y' })];
    await show(makeSession({ user: makeUser(having(file(2, 'Y'))) }), [file(2, 'Y')]);
    await vi.waitFor(() => expect(bell().textContent).toBe('2'));
    expect(bell().querySelector('[data-viewed]')).not.toBeNull();
    expect(bell().getAttribute('aria-description')).toBe('All viewed');
  });

  it('is absent without any, and exact with many', async () => {
    await show(makeSession());
    expect(bell().textContent).toBe('');
    expect(bell().getAttribute('aria-label')).toBe('Notifications');
    await show(makeSession({ user: makeUser({ feeSchedRqstsCnt: 1120 }) }));
    expect(screen.getByText('1,120')).toBeTruthy();
  });
});

describe('the menu', () => {
  it('shows that there are none', async () => {
    await show(makeSession(), []);
    await openBell();
    expect(screen.getByText('No fee schedules yet.')).toBeTruthy();
  });

  it('lists the current files and marks viewed ones', async () => {
    await show(makeSession({ user: makeUser(having(file(1))) }), [file(2), file(1, 'Y')]);
    await openBell();
    expect(calls()).toEqual([list]);
    expect(items()).toEqual([
      'Fee_Schedule_2.xlsx, opens in a new windowNew',
      'Fee_Schedule_1.xlsx, opens in a new windowViewed',
    ]);
    expect(screen.getAllByRole('listitem').map(({ dataset }) => dataset.viewed)).toEqual([undefined, 'true']);
    expect(bell().textContent).toBe('2');
  });

  it('preserves the list when a refresh fails, shows an error, and can retry', async () => {
    await show(makeSession({ user: makeUser(having(file(1))) }));
    await openBell();
    expect(screen.getByText("Couldn't refresh the list.")).toBeTruthy();
    expect(items()).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    await passed(1);
    expect(calls()).toEqual([list, list]);
  });

  it('opens a file for the signed-in user, and refreshes 3 seconds later', async () => {
    await show(makeSession({ user: makeUser(having(file(1))) }), [file(1)]);
    await openBell();
    const link = screen.getByRole('link');
    expect(link.getAttribute('href')).toBe('/api/feeSchedule/file/1?usrName=prad.demo&mirrorNm=');
    expect(link.getAttribute('target')).toBe('_blank');
    follow(link);
    await passed(2_900);
    expect(calls()).toEqual([list]);
    await passed(200);
    expect(calls()).toEqual([list, list]);
  });

  it('of a mirrored user uses only the session, and opens files for both', async () => {
    const mirroredUser = makeUser({ userNm: 'a&b', ...having(file(1)) });
    await show(makeSession({ user: makeUser({ userNm: 'isad.demo' }), mirroredUser }), []);
    await openBell();
    const link = screen.getByRole('link');
    expect(link.getAttribute('href')).toBe('/api/feeSchedule/file/1?usrName=isad.demo&mirrorNm=a%26b');
    follow(link);
    await passed(10_000);
    expect(calls()).toEqual([]);
    expect(items()).toHaveLength(1);
  });

  it('links to the fee schedule screen for users who can request them', async () => {
    await show(makeSession(), []);
    await openBell();
    expect(screen.queryByRole('link', { name: 'PPO Fee Schedule' })).toBeNull();
    await show(makeSession({ permissions: ['feeSchedules.request'] }), []);
    fireEvent.click(screen.getAllByRole('button', { name: /^Notifications/ })[1] as HTMLElement);
    fireEvent.click(screen.getByRole('link', { name: 'PPO Fee Schedule' }));
    await passed(1);
    expect(screen.getByRole('heading', { name: 'Screen' })).toBeTruthy();
  });
});

describe('new items', () => {
  const mark = (list: string) =>
    within(screen.getByRole('region', { name: list })).queryByRole('button', { name: 'Mark all as viewed' });
  const press = async (list: string) => {
    fireEvent.click(mark(list) as HTMLElement);
    await passed(1);
  };

  it('can be marked as viewed, list by list; the count stays', async () => {
    announced = [notification(1), notification(2, { notification_link: '' })];
    await show(makeSession({ user: makeUser(having(file(1))) }), [file(1)]);
    await openBell();
    announced = announced.map((each) => ({ ...each, notification_user_dwnld: 'Y' }));
    await press('Announcements');
    expect(viewed()).toEqual([{ call: 'PATCH /notifications/viewed/1', body: null }]);
    expect(items('Announcements')).toEqual([
      'Notification 1, opens in a new windowViewed',
      'Notification 2Viewed',
    ]);
    expect(mark('Announcements')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Announcements' }));
    await press('Fee Schedules');
    expect(calls()).toEqual([list, 'PATCH /feeSchedule/viewed/prad.demo', list]);
    expect(bell().getAttribute('aria-label')).toBe('Notifications, 3');
  });

  it("that couldn't be marked stay, with an error", async () => {
    marks = 500;
    announced = [notification(1)];
    await show(makeSession({ user: makeUser(having(file(1))) }), [file(1)]);
    await openBell();
    const said = vi.spyOn(toast, 'error');
    await press('Announcements');
    await press('Fee Schedules');
    expect(said).toHaveBeenCalledTimes(2);
    expect(mark('Announcements')).toBeTruthy();
  });

  it("aren't marked for a mirrored user", async () => {
    announced = [notification(1)];
    await show(
      makeSession({ user: makeUser({ userNm: 'isad.demo' }), mirroredUser: makeUser(having(file(1))) }),
      [],
    );
    await openBell();
    expect([mark('Announcements'), mark('Fee Schedules')]).toEqual([null, null]);
  });
});

describe('notifications', () => {
  const mirroring = () =>
    makeSession({
      user: makeUser({ userNm: 'isad.demo' }),
      mirroredUser: makeUser({ id: 9, userNm: 'prus.demo' }),
    });

  it('are counted with the fee schedules', async () => {
    announced = [notification(1), notification(2, { notification_user_dwnld: 'Y' })];
    await show(makeSession({ user: makeUser(having(file(1))) }), [file(1)]);
    expect(bell().getAttribute('aria-label')).toBe('Notifications, 3');
  });

  it('have their own section, with viewed ones marked', async () => {
    announced = [notification(2), notification(1, { notification_user_dwnld: 'Y' })];
    await show(makeSession(), []);
    await openBell();
    expect(items('Announcements')).toEqual([
      'Notification 2, opens in a new windowNew',
      'Notification 1, opens in a new windowViewed',
    ]);
    expect(screen.getAllByRole('listitem').map(({ dataset }) => dataset.viewed)).toEqual([undefined, 'true']);
    expect(items()).toEqual([]);
  });

  it('can be none, with a message', async () => {
    await show(makeSession(), []);
    await openBell();
    expect(screen.getByText('No notifications yet.')).toBeTruthy();
  });

  it('are also marked as viewed by a middle click', async () => {
    announced = [notification(7)];
    await show(makeSession(), []);
    await openBell();
    const link = screen.getByRole('link', { name: /^Notification 7/ });
    link.addEventListener('auxclick', (event) => event.preventDefault());
    fireEvent(link, new MouseEvent('auxclick', { button: 2, bubbles: true, cancelable: true }));
    await passed(1);
    expect(made.filter(({ call }) => call.startsWith('PATCH'))).toEqual([]);
    fireEvent(link, new MouseEvent('auxclick', { button: 1, bubbles: true, cancelable: true }));
    await passed(1);
    expect(made.filter(({ call }) => call.startsWith('PATCH')).map(({ body }) => body)).toEqual([
      { wcp_notification_id: 7 },
    ]);
  });

  it('open in a new window and are marked as viewed', async () => {
    announced = [notification(7)];
    await show(makeSession(), []);
    await openBell();
    const link = screen.getByRole('link', { name: /^Notification 7/ });
    expect(link.getAttribute('href')).toBe('https://network.example/7');
    expect(link.getAttribute('target')).toBe('_blank');
    expect(link.getAttribute('rel')).toBe('noopener');
    const before = asked();
    announced = [notification(7, { notification_user_dwnld: 'Y' })];
    follow(link);
    await passed(1);
    expect(viewed()).toEqual([{ call: 'PATCH /notifications/viewed/1', body: { wcp_notification_id: 7 } }]);
    expect(asked()).toBe(before + 1);
    expect(items('Announcements')).toEqual(['Notification 7, opens in a new windowViewed']);
    follow(screen.getByRole('link', { name: /^Notification 7/ }));
    await passed(1);
    expect(viewed()).toHaveLength(1);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '/wcpp/home', ''])(
    'with %j as link have no link',
    async (to) => {
      announced = [notification(7, { notification_link: to })];
      await show(makeSession(), []);
      await openBell();
      expect(screen.getByText('Notification 7')).toBeTruthy();
      expect(screen.queryByRole('link')).toBeNull();
    },
  );

  it("that couldn't load can be requested again", async () => {
    announced = undefined;
    await show(makeSession(), []);
    await openBell();
    expect(screen.getByText("Couldn't load notifications.")).toBeTruthy();
    expect(screen.queryByText('No notifications yet.')).toBeNull();
    announced = [notification(1)];
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    await passed(1);
    expect(items('Announcements')).toHaveLength(1);
  });

  it('and fee schedules appear by themselves when new', async () => {
    await show(makeSession(), [file(1)]);
    expect(bell().textContent).toBe('');
    announced = [notification(1), notification(2)];
    news();
    await passed(1);
    expect(bell().getAttribute('aria-label')).toBe('Notifications, 3');
  });

  it("of a mirrored user are those from the start, and aren't marked", async () => {
    announced = [notification(7)];
    await show(mirroring(), []);
    await openBell();
    follow(screen.getByRole('link', { name: /^Notification 7/ }));
    await passed(10_000);
    expect(viewed()).toEqual([]);
    expect(asked()).toBe(1);
    expect(items('Announcements')).toEqual(['Notification 7, opens in a new windowNew']);
    expect(news).toThrow('no stream was opened');
  });
});
