import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  type RouteComponent,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { getSession, isSignOutPending, signIn, signOut } from '@/api/session';
import { type Call, configure, fakeServer, makeSession, type Replies } from '@/api/testing';
import { LoginScreen } from './LoginScreen';

const signingIn = 'POST /authenticate';
let replies: Replies;
let calls: Call[];

beforeEach(async () => {
  await configure({ legacySignIn: true, ssoUrl: '/sso/start', demo: true });
  replies = { 'POST /logout': { body: { signOutUrl: null } } };
  calls = fakeServer(replies);
});
afterEach(async () => {
  await signOut({ reason: 'signed-out' });
});

async function show(component: RouteComponent) {
  const router = createRouter({
    routeTree: createRootRoute({ component }),
    history: createMemoryHistory(),
    defaultNotFoundComponent: () => null,
  });
  render(<RouterProvider router={router} />);
  return screen.findByRole('button', { name: 'SIGN IN' });
}

describe('the sign-in screen', () => {
  test('opens single sign-on once', async () => {
    const leave = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
    const button = await show(() => <LoginScreen />);
    await userEvent.click(button);
    expect(leave).toHaveBeenCalledWith('/sso/start');
    expect(button).toHaveProperty('disabled', true);
  });

  test('shows the configured support contacts', async () => {
    await show(() => <LoginScreen />);
    expect(screen.queryByText(/^Call/)).toBeNull();
    cleanup();
    await configure({ supportPhone: '800-555-0100', supportEmail: 'help@portal.example' });
    await show(() => <LoginScreen />);
    expect(screen.getByText(/^Call/).textContent).toBe('Call 800-555-0100 or email help@portal.example.');
    expect(screen.getByRole('link', { name: '800-555-0100' }).getAttribute('href')).toBe('tel:8005550100');
  });

  test('works again when the browser returns from its cache', async () => {
    vi.spyOn(window.location, 'assign').mockImplementation(() => {});
    const button = await show(() => <LoginScreen />);
    await userEvent.click(button);
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    await vi.waitFor(() => expect(button).toHaveProperty('disabled', false));
  });

  test("retries a sign-out that didn't reach the server", async () => {
    replies[signingIn] = { body: { username: 'x', token: 'token-1' } };
    replies['GET /session'] = { body: makeSession() };
    await signIn({ username: 'x', password: 'x' });
    replies['POST /logout'] = { status: 503 };
    await signOut({ reason: 'signed-out' });
    expect(isSignOutPending()).toBe(true);
    await show(() => <LoginScreen />);
    replies['POST /logout'] = { body: { signOutUrl: null } };
    window.dispatchEvent(new Event('online'));
    await vi.waitFor(() => expect(isSignOutPending()).toBe(false));
  });

  test('ignores clicks while a sign-in completes', async () => {
    expect(await show(() => <LoginScreen signingIn />)).toHaveProperty('disabled', true);
  });

  test('explains a failed sign-in', async () => {
    await show(() => <LoginScreen fail="INACTIVE_CREDENTIALS" />);
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Error: This account is not active. Access denied.',
    );
  });

  test('makes an external sign-on ask for the password for re-authentication', async () => {
    const leave = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
    const button = await show(() => <LoginScreen ending={{ reason: 'proof' }} />);
    expect(screen.getByRole('status').textContent).toMatch(/We'll keep what you entered\.$/);
    await userEvent.click(button);
    expect(leave).toHaveBeenCalledWith('/sso/start?prompt=login');
  });

  test('shows a timeout with the configured minutes, and makes an external sign-on ask for the password', async () => {
    const leave = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
    const button = await show(() => <LoginScreen ending={{ reason: 'idle', minutes: 30 }} />);
    expect(screen.getByRole('status').textContent).toBe(
      'You are signed out due to 30 minutes of inactivity. Please sign in again.',
    );
    await userEvent.click(button);
    expect(leave).toHaveBeenCalledWith('/sso/start?prompt=login');
  });

  test.each([
    ['Forgot Username?', '/forgotusernm'],
    ['Reset Password', '/resetPassword'],
    ['Request an Account', '/requestAccount'],
  ])('links %s', async (name, address) => {
    await show(() => <LoginScreen />);
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(address);
  });
});

describe('the password form', () => {
  test('asks for missing fields and focuses them', async () => {
    await show(() => <LoginScreen />);
    await userEvent.click(screen.getByRole('button', { name: 'Sign in with password' }));
    expect(screen.getByText('Error: Enter Username')).toBeTruthy();
    expect(screen.getByText('Error: Enter Password')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Username'));
    expect(calls).toEqual([]);
  });

  test('explains an error and can be tried again', async () => {
    replies[signingIn] = { status: 401, body: { message: 'USER_ACCT_LOCKED:12' } };
    const button = await show(() => <LoginScreen />);
    await userEvent.type(screen.getByLabelText('Username'), 'prad.demo');
    await userEvent.type(screen.getByLabelText('Password'), 'wrong{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('temporarily locked for 12 minutes');
    expect(button).toHaveProperty('disabled', false);
  });

  test.each([429, 503])("a response %i shows the general text, never the server's", async (status) => {
    replies[signingIn] = { status, body: { message: 'INVALID_CREDENTIALS' } };
    await show(() => <LoginScreen />);
    await userEvent.type(screen.getByLabelText('Username'), 'prad.demo');
    await userEvent.type(screen.getByLabelText('Password'), 'right{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Error: Unable to login. Please contact your Account Administrator',
    );
  });

  test('starts the session', async () => {
    replies[signingIn] = { body: { username: 'x', token: 't' } };
    replies['GET /session'] = { body: makeSession() };
    await show(() => <LoginScreen />);
    await userEvent.type(screen.getByLabelText('Username'), 'prad.demo');
    await userEvent.type(screen.getByLabelText('Password'), 'right{Enter}');
    await vi.waitFor(() => expect(getSession()?.username).toBe('prad.demo'));
  });
});
