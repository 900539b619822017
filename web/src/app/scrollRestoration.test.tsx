import { RouterProvider } from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type Call,
  fakeServer,
  listCalls,
  makeSession,
  makeUser,
  neverReplies,
  type Replies,
} from '@/api/testing';
import type { Ending, Session } from '@/api/types';

const account = {
  ...makeUser(),
  employeeId: null,
  internalStaffFlag: false,
  affiliationCd: 'OFC_STAFF',
  jobTitle: 'Biller',
  companyNm: 'Lakeside',
  companyUrl: null,
};
const paula = makeSession({ routes: ['home', 'UserProfile', 'ChangePassword'] });
const other = { ...paula, token: 'token-2', username: 'zoe', user: makeUser({ id: 2, userNm: 'zoe' }) };

let held: Session | null;
let key: string;
let calls: Call[];
let app: typeof import('./router') & typeof import('@/api/session');

beforeEach(() => {
  held = paula;
  key = btoa('k'.repeat(32));
  sessionStorage.clear();
  localStorage.clear();
  const replies: Replies = {
    'POST /authenticate': { body: { username: 'x', token: 'token-1' } },
    'POST /logout': { body: { signOutUrl: null } },
    'GET /session': () => (held ? { body: held } : { status: 401 }),
    'PUT /session/form-key': () => ({ body: { key } }),
    'PUT /users/updateUser': { status: 401 },
    'GET /appProperties/property/FE_APP_TIMEOUT': { body: 30 },
    'GET /notifications/events/1': neverReplies,
    'GET /notifications/user/1': { body: [] },
    'GET /notifications/events/2': neverReplies,
    'GET /notifications/user/2': { body: [] },
    'GET /users/needsBackfill/prad.demo': { body: false },
    'GET /users/needsBackfill/zoe': { body: false },
    'GET /users/userByName/prad.demo': { body: account },
    'GET /users/userByName/zoe': { body: account },
  };
  calls = fakeServer(replies);
});
afterEach(async () => {
  await act(() => app.signOut({ reason: 'signed-out' }));
});

/** Loads the page at the browser's current history entry, as a reload does. */
async function load() {
  cleanup();
  vi.resetModules();
  app = { ...(await import('./router')), ...(await import('@/api/session')) };
  render(<RouterProvider router={app.router} />);
}

async function open(path: string) {
  window.history.replaceState(null, '', `/wcpp${path}`);
  await load();
}

const jobTitle = () => screen.findByLabelText<HTMLInputElement>(/^Job Title/);
const typed = () => app.router.history.location.state.typed;

async function change() {
  fireEvent.change(await jobTitle(), { target: { value: 'Chief Biller' } });
  await waitFor(() => expect(Object.keys(typed() ?? {})).toEqual(['profile prad.demo']));
}

const end = (ending: Ending) => act(() => app.signOut(ending));
async function signInAs(session: Session) {
  held = session;
  await act(() => app.signIn({ username: 'checkAuth', password: 'code' }));
  await screen.findAllByRole('link', { name: /Account$/ });
}

test('after an idle timeout, sign-in restores the page and the input, which only its user can read', async () => {
  await open('/UserProfile');
  await change();
  await end({ reason: 'idle', minutes: 30 });
  await screen.findByText(/^You are signed out due to 30 minutes/);
  expect(calls.find(({ call }) => call === 'POST /logout')?.query).toBe('?idle=true');
  await waitFor(() => expect(sessionStorage.getItem('wcpp.initialVisit')).toContain('state'));
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('Chief');
  await signInAs({ ...paula, token: 'token-3' });
  expect(app.router.history.location.pathname).toBe('/wcpp/UserProfile');
  await waitFor(async () => expect((await jobTitle()).value).toBe('Chief Biller'));
  expect(sessionStorage.getItem('wcpp.initialVisit')).toBeNull();
});

test("a signed-out tab also continues with another tab's sign-in", async () => {
  await open('/UserProfile');
  await change();
  await end({ reason: 'idle', minutes: 30 });
  await waitFor(() => expect(sessionStorage.getItem('wcpp.initialVisit')).toContain('state'));
  held = { ...paula, token: 'token-3' };
  localStorage.setItem('wcpp.signedIn', 'yes');
  await load();
  await waitFor(async () => expect((await jobTitle()).value).toBe('Chief Biller'));
  expect(app.router.history.location.pathname).toBe('/wcpp/UserProfile');
});

/** Sends the message of another tab that has signed in. */
function signInElsewhere(session: Session) {
  held = session;
  localStorage.setItem('wcpp.signedIn', 'yes');
  const other = new BroadcastChannel('wcpp');
  other.postMessage({ type: 'started' });
  other.close();
}

test('a waiting tab continues by itself when its user signs in elsewhere', async () => {
  await open('/UserProfile');
  await change();
  await end({ reason: 'idle', minutes: 30 });
  await screen.findByText(/^You are signed out due to 30 minutes/);
  signInElsewhere({ ...paula, token: 'token-3' });
  await waitFor(async () => expect((await jobTitle()).value).toBe('Chief Biller'));
  expect(app.router.history.location.pathname).toBe('/wcpp/UserProfile');
  expect(listCalls(calls)).not.toContain('POST /authenticate');
});

test('a waiting tab preserves its page for its user while another user is signed in', async () => {
  await open('/UserProfile');
  await change();
  await end({ reason: 'idle', minutes: 30 });
  await screen.findByText(/^You are signed out due to 30 minutes/);
  const asked = () => listCalls(calls).filter((call) => call === 'GET /session').length;
  const before = asked();
  key = btoa('z'.repeat(32));
  signInElsewhere(other);
  await waitFor(() => expect(asked()).toBeGreaterThan(before));
  expect(app.getSession()).toBeNull();
  expect(app.router.history.location.pathname).toBe('/wcpp/login');

  key = btoa('k'.repeat(32));
  signInElsewhere({ ...paula, token: 'token-4' });
  await waitFor(async () => expect((await jobTitle()).value).toBe('Chief Biller'));
});

test("SIGN IN continues with another tab's session, and never shows another user's input", async () => {
  await open('/UserProfile');
  await change();
  await end({ reason: 'idle', minutes: 30 });
  await screen.findByText(/^You are signed out due to 30 minutes/);
  key = btoa('z'.repeat(32));
  held = other;
  localStorage.setItem('wcpp.signedIn', 'yes');
  await userEvent.click(screen.getByRole('button', { name: 'SIGN IN' }));
  expect((await jobTitle()).value).toBe('Biller');
  expect(app.getSession()?.username).toBe('zoe');
});

test("an active tab continues in its user's session from another tab, with the input", async () => {
  await open('/UserProfile');
  await change();
  signInElsewhere({ ...paula, token: 'token-3' });
  await waitFor(() => expect(app.getSession()?.token).toBe('token-3'));
  expect((await jobTitle()).value).toBe('Chief Biller');
  expect(app.router.history.location.pathname).toBe('/wcpp/UserProfile');
});

test('an active tab ends when another user signs in elsewhere', async () => {
  await open('/UserProfile');
  await change();
  key = btoa('z'.repeat(32));
  signInElsewhere(other);
  await screen.findByText('Your session ended. Sign in again.');
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('Chief');
});

test('sign-in opens the document that was rejected without a session', async () => {
  held = null;
  await open('/login?document=%2Fapi%2Fresources%2Fa.pdf');
  await screen.findByRole('button', { name: 'SIGN IN' });
  expect(app.router.history.location.href).toBe('/wcpp/login');
  const leave = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
  await signInAs({ ...paula, token: 'token-3' });
  expect(leave).toHaveBeenCalledWith('/api/resources/a.pdf');
});

test('a request rejected as signed out does so too', async () => {
  await open('/UserProfile');
  await change();
  held = null;
  await userEvent.click(screen.getByRole('button', { name: 'SAVE' }));
  await screen.findByText('Your session ended. Sign in again.');
  await signInAs({ ...paula, token: 'token-3' });
  await waitFor(async () => expect((await jobTitle()).value).toBe('Chief Biller'));
});

test('another user finds nothing of it', async () => {
  await open('/UserProfile');
  await change();
  await end({ reason: 'idle', minutes: 30 });
  key = btoa('z'.repeat(32));
  await signInAs(other);
  expect((await jobTitle()).value).toBe('Biller');
  expect(Object.keys({ ...sessionStorage }).filter((name) => name.startsWith('wcpp.initial'))).toEqual([]);
});

test.each([{ reason: 'signed-out' }, { reason: 'refused' }] as const)(
  '$reason deletes it',
  async (ending) => {
    await open('/UserProfile');
    await change();
    await end(ending);
    await waitFor(() => expect(listCalls(calls)).toContain('POST /logout'));
    expect(calls.find(({ call }) => call === 'POST /logout')?.query).toBe(
      ending.reason === 'refused' ? '?idle=true' : undefined,
    );
    await signInAs({ ...paula, token: 'token-3' });
    expect(app.router.history.location.pathname).toBe('/wcpp/home');
  },
);

test("a reload restores the input, until it's unchanged again", async () => {
  await open('/UserProfile');
  await change();
  await load();
  await waitFor(async () => expect((await jobTitle()).value).toBe('Chief Biller'));
  fireEvent.change(await jobTitle(), { target: { value: 'Biller' } });
  await waitFor(() => expect(typed()).toEqual({}));
});

test('stores nothing while mirroring', async () => {
  held = { ...other, routes: paula.routes, mirroredUser: paula.user };
  await open('/UserProfile');
  fireEvent.change(await screen.findByLabelText(/^Phone Number/), { target: { value: '5' } });
  await end({ reason: 'idle', minutes: 30 });
  await signInAs(other);
  expect(app.router.history.location.pathname).toBe('/wcpp/home');
  expect(listCalls(calls)).not.toContain('PUT /session/form-key');
});

test("a changed form asks before it's left, and is left after confirmation", async () => {
  await open('/UserProfile');
  await change();
  expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(false);
  const home = screen.getAllByRole('link', { name: /Provider Portal/ })[0] as HTMLElement;
  await userEvent.click(home);
  await userEvent.click(await screen.findByRole('button', { name: 'Stay' }));
  expect((await jobTitle()).value).toBe('Chief Biller');
  await userEvent.click(home);
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  await screen.findByRole('heading', { level: 1, name: 'Welcome, Paula' });
  expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(true);
});

test("a changed form doesn't block a sign-out", async () => {
  await open('/UserProfile');
  await change();
  await userEvent.click(screen.getByRole('link', { name: 'Sign Out' }));
  await screen.findByRole('heading', { level: 1, name: 'You are logged out' });
});
