import { RouterProvider } from '@tanstack/react-router';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type Answer,
  type Call,
  fakeServer,
  makeSession,
  makeUser,
  neverReplies,
  type Replies,
  unreachable,
} from '@/api/testing';
import type { Session } from '@/api/types';

const ordinary = makeSession({
  routes: ['home', 'UserProfile', 'billSearch'],
  menu: [{ label: 'Bill Search', to: 'billSearch' }],
});

const internal = makeSession({
  username: 'isad.demo',
  user: makeUser({ userNm: 'isad.demo', userFirstName: 'Olivia', userLastName: 'Stone', typeCd: 'ISAD' }),
  routes: ['home', 'UserProfile', 'UserSearch', 'Notifications'],
});

let calls: Call[];
const called = () => calls.map(({ call }) => call);
/** The server's session for this browser. */
let held: Session | null = null;
let replies: Replies;
let app: typeof import('./router') & typeof import('@/api/session') & typeof import('@/api/signedIn');

/** Loads the page at this path, as a browser does. */
async function open(path: string) {
  vi.resetModules();
  window.history.replaceState(null, '', `/wcpp${path}`);
  app = {
    ...(await import('./router')),
    ...(await import('@/api/session')),
    ...(await import('@/api/signedIn')),
  };
  render(<RouterProvider router={app.router} />);
}

beforeEach(() => {
  held = null;
  sessionStorage.clear();
  localStorage.clear();
  const session = (): Answer<Session> => (held ? { body: held } : { status: 401 });
  replies = {
    'POST /authenticate': { body: { username: 'x', token: 'token-1' } },
    'POST /logout': { body: { signOutUrl: null } },
    'POST /session/mirror': session,
    'GET /session': session,
    // Requests of the shell and the screens, which these tests don't check.
    'GET /notifications/events/1': neverReplies,
    'GET /notifications/user/1': { body: [] },
    'GET /users/needsBackfill/prad.demo': { body: false },
    'GET /users/needsBackfill/isad.demo': { body: false },
    'GET /users/userByName/prad.demo': { status: 404 },
  };
  calls = fakeServer(replies);
});
afterEach(async () => {
  await act(() => app.signOut({ reason: 'signed-out' }));
});

const signIn = () => {
  held = ordinary;
  return act(() => app.signIn({ username: 'checkAuth', password: 'code' }));
};
const visit = (to: string) => act(() => app.router.navigate({ to }));
const heading = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name });
const address = () => app.router.history.location.pathname;

describe('a signed-out user', () => {
  test('is sent to sign-in and afterwards to the requested page', async () => {
    await open('/UserProfile');
    await heading(/^Sign in to/);
    expect(address()).toBe('/wcpp/login');
    expect(screen.queryByRole('link', { name: 'Sign Out' })).toBeNull();
    await signIn();
    await heading('User Profile');
    expect(address()).toBe('/wcpp/UserProfile');
  });

  test.each(['/', '/nowhere', '/logout'])('is sent to sign-in from %s', async (path) => {
    await open(path);
    await heading(/^Sign in to/);
    expect(address()).toBe('/wcpp/login');
  });

  test('sees why a sign-in failed, and the address drops it', async () => {
    await open('/login?fail=INACTIVE_CREDENTIALS');
    expect((await screen.findByRole('alert')).textContent).toContain('This account is not active.');
    expect(app.router.history.location.href).toBe('/wcpp/login');
  });

  test("opens sign-in without requesting a session that can't exist", async () => {
    await open('/login');
    await heading(/^Sign in to/);
    expect(called()).toEqual([]);
  });
});

describe('a signed-in user', () => {
  beforeEach(async () => {
    held = ordinary;
    await open('/');
    await heading('Welcome, Paula');
  });

  test("has the header, the server's menu and the account", async () => {
    const [account] = screen.getAllByRole('link', { name: "Paula Reyes's Account" });
    expect(account?.getAttribute('href')).toBe('/wcpp/UserProfile');
    expect(screen.getByText('Admin User')).toBeTruthy();
    const menu = screen.getByRole('navigation', { name: 'Main' });
    expect(menu.querySelector('a')?.textContent).toBe('Bill Search');
    expect(screen.getByText('Version 2.3.35')).toBeTruthy();
    expect(document.title).toBe('Home · Provider Portal');
  });

  test('gets Page Not Found on an unknown path', async () => {
    await visit('/nowhere');
    await heading("We're sorry, but we could not locate that page");
    expect(address()).toBe('/wcpp/PageNotFound');
  });

  test('finds a screen by its address in another case, which is corrected', async () => {
    await visit('/newS?a=1');
    await heading('News');
    expect(app.router.history.location.href).toBe('/wcpp/News?a=1');
  });

  test('starts a new screen at its heading', async () => {
    await visit('/News');
    const news = await heading('News');
    await waitFor(() => expect(document.activeElement).toBe(news));
  });

  test("loses the session on a screen that the account can't open", async () => {
    await visit('/UserSearch');
    await heading(/^Sign in to/);
    expect(called()).toContain('POST /logout');
    expect(screen.getByText(/your account can't open that page/)).toBeTruthy();
  });

  test('sees a timeout on the sign-in screen', async () => {
    await act(() => app.signOut({ reason: 'idle', minutes: 30 }));
    await heading(/^Sign in to/);
    expect(
      screen.getByText('You are signed out due to 30 minutes of inactivity. Please sign in again.'),
    ).toBeTruthy();
  });

  test('continues at the page and state after another tab signed in, even if two events report it', async () => {
    const formKey = { body: { key: btoa('0123456789abcdef') } };
    replies['PUT /session/form-key'] = formKey;
    await (await import('@/api/formKey')).getFormKey();
    await act(() => app.router.navigate({ to: '/UserProfile', state: { scroll: 1 } as object }));
    await heading('User Profile');
    await act(async () => app.dropSession());
    await heading(/^Sign in to/);
    await waitFor(() => expect(sessionStorage.getItem('wcpp.initialVisit')).toContain('state'));
    held = { ...ordinary, token: 'token-2' };
    let sendKey = () => {};
    replies['PUT /session/form-key'] = () =>
      new Promise((resolve) => {
        sendKey = () => resolve(formKey);
      });
    const keys = () => called().filter((call) => call === 'PUT /session/form-key').length;
    const before = keys();
    window.dispatchEvent(new Event('focus'));
    await waitFor(() => expect(keys()).toBe(before + 1));
    window.dispatchEvent(new Event('focus'));
    await act(async () => sendKey());
    await heading('User Profile');
    expect(address()).toBe('/wcpp/UserProfile');
    expect(app.router.history.location.state).toMatchObject({ scroll: 1 });
    // The next sign-in starts at home again.
    await waitFor(() => expect(sessionStorage.getItem('wcpp.initialUrl')).toBeNull());
  });

  test('sees the logout page after signing out, and sign-in on the next visit to it', async () => {
    await userEvent.click(screen.getByRole('link', { name: 'Sign Out' }));
    await heading('You are logged out');
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Sign Out' })).toBeNull());
    expect(screen.getByText('Thank you for using the Provider Portal.')).toBeTruthy();
    expect(called()).toContain('POST /logout');
    await visit('/login');
    await heading(/^Sign in to/);
    await visit('/logout');
    await waitFor(() => expect(address()).toBe('/wcpp/login'));
  });

  test("keeps a session that started after the logout page was left open, and Back doesn't end it", async () => {
    await userEvent.click(screen.getByRole('link', { name: 'Sign Out' }));
    await heading('You are logged out');
    await waitFor(() => expect(app.router.history.location.state.signedOut).toBe(true));
    const before = called().filter((call) => call === 'POST /logout').length;
    await visit('/login');
    await signIn();
    await heading('Welcome, Paula');
    await act(async () => app.router.history.back());
    await waitFor(() => expect(address()).toBe('/wcpp/home'));
    expect(called().filter((call) => call === 'POST /logout')).toHaveLength(before);
  });

  test("sees when a sign-out hasn't reached the server, until it has", async () => {
    replies['POST /logout'] = { status: 503 };
    await userEvent.click(screen.getByRole('link', { name: 'Sign Out' }));
    await heading('Sign-out incomplete');
    replies['POST /logout'] = { body: { signOutUrl: null } };
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await heading('You are logged out');
  });

  test('finds support in the dialog', async () => {
    await userEvent.click(screen.getAllByRole('button', { name: 'Contact Us' })[0] as HTMLElement);
    expect(await screen.findByText('For Provider Portal support')).toBeTruthy();
  });
});

test("mirroring goes home, and Back doesn't end the session at a screen that the mirrored user can't open", async () => {
  held = internal;
  await open('/');
  await heading('Welcome, Olivia');
  await visit('/Notifications');
  await visit('/UserSearch');
  held = { ...ordinary, user: internal.user, mirroredUser: ordinary.user };
  await act(() => app.startMirror({ userNm: 'prad.demo' }));
  await heading('Welcome, Paula');
  expect(await screen.findByText('Mirroring (Paula Reyes)')).toBeTruthy();
  await act(async () => app.router.history.back());
  await waitFor(() => expect(address()).toBe('/wcpp/home'));
  expect(called()).not.toContain('POST /logout');
  await visit('/Notifications');
  await heading(/^Sign in to/);
  expect(called()).toContain('POST /logout');
});

test('a typed address is a new visit, wherever mirroring started', async () => {
  sessionStorage.setItem('wcpp.mirrorAt', '2');
  held = { ...ordinary, user: internal.user, mirroredUser: ordinary.user };
  await open('/UserSearch');
  await heading(/^Sign in to/);
  expect(called()).toContain('POST /logout');
});

test('while mirroring the account link is labeled with the mirrored user', async () => {
  held = { ...ordinary, user: internal.user, mirroredUser: ordinary.user };
  await open('/home');
  await heading('Welcome, Paula');
  const [account] = screen.getAllByRole('link', { name: "Paula Reyes's Account" });
  expect(account?.getAttribute('href')).toBe('/wcpp/UserProfile');
  expect(screen.queryByRole('link', { name: "Olivia Stone's Account" })).toBeNull();
});

test('Home starts at its top when the acting user changes', async () => {
  held = { ...ordinary, user: internal.user, mirroredUser: ordinary.user };
  await open('/home');
  await heading('Welcome, Paula');
  replies['DELETE /session/mirror'] = { body: internal };
  await userEvent.click(await screen.findByRole('button', { name: 'Revert' }));
  await userEvent.click(await screen.findByRole('button', { name: 'YES' }));
  const welcome = await heading('Welcome, Olivia');
  await waitFor(() => expect(document.activeElement).toBe(welcome));
});

test('the end of an expired mirroring must be confirmed before anything else', async () => {
  held = { ...ordinary, user: internal.user, mirroredUser: ordinary.user };
  await open('/');
  await heading('Welcome, Paula');
  held = { ...internal, mirrorEnded: 'Paula Reyes' };
  replies['GET /users/userByName/prad.demo'] = {
    status: 409,
    body: { code: 'MIRROR_ENDED', message: 'MIRROR_ENDED' },
  };
  await visit('/UserProfile');
  await heading("You're no longer mirroring Paula Reyes");
  expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
  await visit('/UserSearch');
  await heading("You're no longer mirroring Paula Reyes");
  expect(called().filter((call) => call.startsWith('POST /admin'))).toEqual([]);

  held = internal;
  replies['DELETE /session/mirror'] = { body: internal };
  await userEvent.click(screen.getByRole('button', { name: 'Return to your account' }));
  await heading('Welcome, Olivia');
  expect(address()).toBe('/wcpp/home');
});

test('without a connection the frame stays with a message, and continues by itself', async () => {
  held = ordinary;
  await open('/');
  await heading('Welcome, Paula');
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(screen.getByText(/^You're offline/)).toBeTruthy();
  replies['GET /js/config.json'] = unreachable;
  replies['GET /feeds/intakes'] = { body: [] };
  vi.doMock('@/features/bills/BillSearchPage', () => {
    throw new TypeError('not fetched');
  });
  await visit('/billSearch');
  await screen.findByText("Couldn't reach the portal.");
  expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy();

  vi.doMock('@/features/bills/BillSearchPage', () => ({ default: () => <h1>Bill Search</h1> }));
  online.mockRestore();
  act(() => void window.dispatchEvent(new Event('online')));
  await heading('Bill Search');
  expect(screen.queryByText(/^You're offline/)).toBeNull();
  vi.doUnmock('@/features/bills/BillSearchPage');
});

test('a new screen takes the focus, but not out of a dialog that opened before it was ready', async () => {
  held = ordinary;
  await open('/');
  await heading('Welcome, Paula');
  await visit('/UserProfile');
  const profile = await heading(/^User Profile/);
  await waitFor(() => expect(document.activeElement).toBe(profile));

  document.body.insertAdjacentHTML('beforeend', '<div aria-modal="true"><input></div>');
  const field = document.querySelector<HTMLElement>('[aria-modal] input');
  field?.focus();
  await visit('/home');
  await heading('Welcome, Paula');
  expect(document.activeElement).toBe(field);
  field?.parentElement?.remove();
});
