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
import type { Session } from '@/api/types';

const account = {
  ...makeUser(),
  employeeId: null,
  internalStaffFlag: false,
  affiliationCd: 'OFC_STAFF',
  jobTitle: 'Biller',
  companyNm: 'Lakeside',
  companyUrl: null,
};
const own = makeSession({ routes: ['home', 'UserProfile'] });
const julian = makeUser({ id: 2, userNm: 'julian', userFirstName: 'Julian', userLastName: 'Hendricks' });
const mirroring = { ...own, routes: ['home'], mirroredUser: julian };
const covering = "You're mirroring Julian Hendricks in another tab";

let held: Session;
let replies: Replies;
let calls: Call[];
let app: typeof import('./router') & typeof import('@/api/session') & typeof import('@/api/client');

beforeEach(async () => {
  held = own;
  sessionStorage.clear();
  localStorage.clear();
  replies = {
    'POST /logout': { body: { signOutUrl: null } },
    'GET /session': () => ({ body: held }),
    'DELETE /session/mirror': () => ({ body: own }),
    'PUT /session/form-key': { body: { key: btoa('k'.repeat(32)) } },
    'POST /session/touch': { status: 204 },
    'GET /notifications/events/1': neverReplies,
    'GET /notifications/user/1': { body: [] },
    'GET /users/needsBackfill/prad.demo': { body: false },
    'GET /users/userByName/prad.demo': { body: account },
    'PUT /users/updateUser': { body: 'success' },
  };
  calls = fakeServer(replies);
  await open();
  fireEvent.change(await jobTitle(), { target: { value: 'Chief Biller' } });
  await waitFor(() => expect(Object.keys(app.router.history.location.state.typed ?? {})).toHaveLength(1));
});
afterEach(async () => {
  await act(() => app.signOut({ reason: 'signed-out' }));
});

async function open() {
  cleanup();
  vi.resetModules();
  if (window.location.pathname !== '/wcpp/UserProfile')
    window.history.replaceState(null, '', '/wcpp/UserProfile');
  app = {
    ...(await import('./router')),
    ...(await import('@/api/session')),
    ...(await import('@/api/client')),
  };
  render(<RouterProvider router={app.router} />);
}

const jobTitle = () => screen.findByLabelText<HTMLInputElement>(/^Job Title/);

/** Another tab starts or stops mirroring. */
function mirrorElsewhere(session: Session) {
  held = session;
  say({ type: 'mirror' });
}
function say(message: object) {
  const other = new BroadcastChannel('wcpp');
  other.postMessage(message);
  other.close();
}

test('while another tab mirrors, a tab waits without requests and returns with all input', async () => {
  const field = await jobTitle();
  mirrorElsewhere(mirroring);
  const heading = await screen.findByRole('heading', { level: 1, name: covering });
  expect(document.activeElement).toBe(heading);
  expect(field.closest('[inert]')).not.toBeNull();

  const before = calls.length;
  const late = app.unwrap(app.api.PUT('/users/updateUser', { body: {} as never }));
  await app.unwrap(app.api.POST('/session/touch'));
  expect(listCalls(calls.slice(before))).toEqual(['POST /session/touch']);

  mirrorElsewhere(own);
  await waitFor(() => expect(screen.queryByRole('heading', { name: covering })).toBeNull());
  await late;
  expect(await jobTitle()).toBe(field);
  expect(field.closest('[inert]')).toBeNull();
  expect(field.value).toBe('Chief Biller');
  expect(app.router.history.location.pathname).toBe('/wcpp/UserProfile');
});

test('a covered tab can revert itself', async () => {
  mirrorElsewhere(mirroring);
  await userEvent.click(await screen.findByRole('button', { name: 'Revert' }));
  await waitFor(() => expect(screen.queryByRole('heading', { name: covering })).toBeNull());
  expect((await jobTitle()).value).toBe('Chief Biller');
});

test('a covered tab stays covered if Revert fails', async () => {
  mirrorElsewhere(mirroring);
  replies['DELETE /session/mirror'] = { status: 503 };
  await userEvent.click(await screen.findByRole('button', { name: 'Revert' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Error: An error has occurred.');
  expect(screen.getByRole('heading', { level: 1, name: covering })).toBeTruthy();
});

test("a covered tab that is reloaded stays covered on a page that the mirrored user can't open", async () => {
  mirrorElsewhere(mirroring);
  await screen.findByRole('heading', { level: 1, name: covering });
  await open();
  await screen.findByRole('heading', { level: 1, name: covering });
  expect(screen.queryByLabelText(/^Job Title/)).toBeNull();
  expect(listCalls(calls)).not.toContain('POST /logout');
  mirrorElsewhere(own);
  await waitFor(async () => expect((await jobTitle()).value).toBe('Chief Biller'));
  expect(sessionStorage.getItem('wcpp.covered')).toBeNull();
});

test('the end of the session uncovers it, and its user returns to the page', async () => {
  mirrorElsewhere(mirroring);
  await screen.findByRole('heading', { level: 1, name: covering });
  say({ type: 'ended', ending: { reason: 'idle', minutes: 30 } });
  await screen.findByText(/^You are signed out due to 30 minutes/);
  held = { ...own, token: 'token-2' };
  localStorage.setItem('wcpp.signedIn', 'yes');
  say({ type: 'started' });
  await waitFor(async () => expect((await jobTitle()).value).toBe('Chief Biller'));
});

test("a rejected page in another tab doesn't affect this tab", async () => {
  const other = new BroadcastChannel('wcpp');
  const heard: unknown[] = [];
  other.onmessage = ({ data }) => heard.push(data);
  await act(() => app.router.navigate({ to: '/Notifications', ignoreBlocker: true }));
  await screen.findByText(/your account can't open that page/);
  await waitFor(() => expect(heard).toContainEqual({ type: 'ended', ending: { reason: 'expired' } }));
  other.close();
  // The encryption key of the other users' input stays.
  expect(calls.find(({ call }) => call === 'POST /logout')?.query).toBe('?idle=true');
});
