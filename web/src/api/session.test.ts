import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { api, bearer, unwrap } from './client';
import {
  canBeSignedIn,
  findSession,
  getSession,
  isSignOutPending,
  onSessionChange,
  repeatSignOut,
  restoreSession,
  type SessionChange,
  signIn,
  signOut,
} from './session';
import { type Call, fakeServer, makeSession, type Replies, unreachable } from './testing';

const touching = 'POST /session/touch';
let replies: Replies;
let calls: Call[];
const changes: SessionChange[] = [];
let leave = () => {};

beforeEach(() => {
  localStorage.clear();
  replies = { 'POST /logout': { body: { signOutUrl: null } } };
  calls = fakeServer(replies);
  changes.length = 0;
  leave = onSessionChange((change) => changes.push(change));
});
afterEach(async () => {
  await signOut({ reason: 'signed-out' });
  leave();
});

async function signedIn() {
  replies['POST /authenticate'] = { body: { username: 'x', token: 'token-1' } };
  replies['GET /session'] = { body: makeSession() };
  await signIn({ username: 'checkAuth', password: 'code', state: 'state' });
}

describe('the session', () => {
  test("starts with the sign-in's token and sends it with every request", async () => {
    const authorizations: (string | null)[] = [];
    replies[touching] = (_, { headers }) => {
      authorizations.push(headers.get('Authorization'));
      return { status: 204 };
    };
    await signedIn();
    await unwrap(api.POST('/session/touch'));
    expect(getSession()?.username).toBe('prad.demo');
    expect(changes).toEqual([{ type: 'started' }]);
    expect(authorizations).toEqual(['Bearer token-1']);
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('token-1');
  });

  test('notifies the other tabs when it starts', async () => {
    const otherTab = new BroadcastChannel('wcpp');
    const heard = new Promise((resolve) => {
      otherTab.onmessage = (event) => resolve(event.data);
    });
    await signedIn();
    expect(await heard).toEqual({ type: 'started' });
    otherTab.close();
  });

  test("that ended here isn't found again during its sign-out, but the next one is", async () => {
    await signedIn();
    await signOut({ reason: 'idle', minutes: 30 });
    localStorage.setItem('wcpp.signedIn', 'yes');
    expect(await findSession()).toBeNull();
    replies['GET /session'] = { body: makeSession({ token: 'token-2' }) };
    expect((await findSession())?.token).toBe('token-2');
  });

  test("doesn't exist when the sign-in fails", async () => {
    replies['POST /authenticate'] = { status: 401, body: { message: 'USER_ACCT_LOCKED:12' } };
    await expect(signIn({ username: 'a', password: 'b' })).rejects.toMatchObject({
      status: 401,
      message: 'USER_ACCT_LOCKED:12',
    });
    expect(getSession()).toBeNull();
    expect(changes).toEqual([]);
  });

  test("is unknown while the server doesn't respond, then as the server says", async () => {
    vi.resetModules();
    const page = await import('./session');
    replies['GET /session'] = unreachable;
    await expect(page.restoreSession()).rejects.toMatchObject({ status: 0 });
    replies['GET /session'] = { body: makeSession() };
    expect((await page.restoreSession())?.username).toBe('prad.demo');
  });

  test('is requested once for all waiting callers', async () => {
    vi.resetModules();
    const page = await import('./session');
    replies['GET /session'] = { body: makeSession() };
    const [first, second] = await Promise.all([page.restoreSession(), page.restoreSession()]);
    expect([first?.username, second]).toEqual(['prad.demo', first]);
    expect(calls.filter(({ call }) => call === 'GET /session')).toHaveLength(1);
  });

  test('is null after a reload without one', async () => {
    vi.resetModules();
    const page = await import('./session');
    replies['GET /session'] = { status: 401 };
    expect(await page.restoreSession()).toBeNull();
  });

  test('stays ended on this page although the cookie still works during the sign-out', async () => {
    await signedIn();
    void signOut({ reason: 'signed-out' });
    expect(await restoreSession()).toBeNull();
  });

  test('ends when any request is rejected as signed out', async () => {
    await signedIn();
    replies[touching] = { status: 401, body: { message: 'gone' } };
    await expect(unwrap(api.POST('/session/touch'))).rejects.toMatchObject({ status: 401 });
    expect(getSession()).toBeNull();
    expect(changes.at(-1)).toEqual({ type: 'ended', ending: { reason: 'expired' }, mirroring: false });
  });

  test('can be another one after a reload when a sign-in in another tab ended this one', async () => {
    await signedIn();
    replies[touching] = { status: 401, body: { message: 'gone' } };
    await expect(unwrap(api.POST('/session/touch'))).rejects.toMatchObject({ status: 401 });
    expect(canBeSignedIn()).toBe(true);

    vi.resetModules();
    const page = await import('./session');
    replies['GET /session'] = { status: 401 };
    expect(await page.restoreSession()).toBeNull();
    expect(canBeSignedIn()).toBe(false);
  });

  test("survives an error for an earlier session's request", async () => {
    await signedIn();
    replies[touching] = () => {
      bearer.token = 'token-2';
      return { status: 401 };
    };
    await expect(unwrap(api.POST('/session/touch'))).rejects.toMatchObject({ status: 401 });
    expect(getSession()).not.toBeNull();
  });

  test('ends here immediately, whatever the server says, and notifies the other tabs', async () => {
    await signedIn();
    const otherTab = new BroadcastChannel('wcpp');
    const heard = new Promise((resolve) => {
      otherTab.onmessage = (event) => resolve(event.data);
    });
    let authorization: string | null = null;
    replies['POST /logout'] = (_, { headers }) => {
      authorization = headers.get('Authorization');
      return { status: 500 };
    };
    const ended = signOut({ reason: 'idle', minutes: 30 });
    expect(getSession()).toBeNull();
    await ended;
    expect(calls.at(-1)?.call).toBe('POST /logout');
    expect(authorization).toBe('Bearer token-1');
    expect(await heard).toEqual({ type: 'ended', ending: { reason: 'idle', minutes: 30 } });
    otherTab.close();
  });

  test("that couldn't reach the server shows a warning, and the next page retries", async () => {
    await signedIn();
    replies['POST /logout'] = { status: 503 };
    await signOut({ reason: 'signed-out' });
    expect(isSignOutPending()).toBe(true);
    await expect(repeatSignOut()).rejects.toMatchObject({ status: 503 });
    expect(isSignOutPending()).toBe(true);
    let authorization: string | null = null;
    replies['POST /logout'] = (_, { headers }) => {
      authorization = headers.get('Authorization');
      return { body: { signOutUrl: null } };
    };
    await repeatSignOut();
    expect(authorization).toBe('Bearer token-1');
    expect(isSignOutPending()).toBe(false);
  });

  test("that is ended again doesn't end a newer session", async () => {
    await signedIn();
    replies['POST /logout'] = { status: 503 };
    await signOut({ reason: 'signed-out' });
    // Another tab has signed in and hasn't sent its message yet.
    replies['GET /session'] = { body: makeSession({ token: 'token-2' }) };
    const before = calls.filter(({ call }) => call === 'POST /logout').length;
    await repeatSignOut();
    expect(calls.filter(({ call }) => call === 'POST /logout')).toHaveLength(before);
    expect(isSignOutPending()).toBe(false);
  });

  test("that couldn't reach the server is forgotten with the next sign-in, which ended it", async () => {
    await signedIn();
    replies['POST /logout'] = { status: 503 };
    await signOut({ reason: 'signed-out' });
    await signedIn();
    expect(isSignOutPending()).toBe(false);
  });

  test("continues where an external sign-on ends its own session, but a timeout doesn't", async () => {
    const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
    replies['POST /logout'] = { body: { signOutUrl: 'https://id.example/end' } };
    await signedIn();
    await signOut({ reason: 'idle', minutes: 30 });
    expect(replace).not.toHaveBeenCalled();
    await signedIn();
    await signOut({ reason: 'signed-out' });
    expect(replace).toHaveBeenCalledExactlyOnceWith('https://id.example/end');
  });

  test('continues there also after a retry', async () => {
    const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
    await signedIn();
    replies['POST /logout'] = { status: 503 };
    await signOut({ reason: 'signed-out' });
    replies['POST /logout'] = { body: { signOutUrl: 'https://id.example/end' } };
    await repeatSignOut();
    expect(replace).toHaveBeenCalledExactlyOnceWith('https://id.example/end');
  });
});
