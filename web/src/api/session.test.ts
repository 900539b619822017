import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answer, api, bearer } from './client';
import {
  currentSession,
  mayBeSignedIn,
  onSessionChange,
  restoreSession,
  type SessionChange,
  signIn,
  signOut,
} from './session';
import { sessionOf } from './testing';

const server = vi.fn<(request: Request) => Response | Promise<Response>>();
const changes: SessionChange[] = [];
let leave = () => {};

beforeEach(() => {
  vi.stubGlobal('fetch', async (request: Request) => server(request));
  changes.length = 0;
  leave = onSessionChange((change) => changes.push(change));
});
afterEach(async () => {
  server.mockImplementation(() => Response.json({ signOutUrl: null }));
  await signOut({ reason: 'signed-out' });
  leave();
  vi.unstubAllGlobals();
});

const path = (request: Request) => `${request.method} ${new URL(request.url).pathname}`;

async function signedIn() {
  server.mockImplementation((request) =>
    Response.json(
      path(request) === 'POST /api/authenticate' ? { username: 'x', token: 'token-1' } : sessionOf(),
    ),
  );
  await signIn({ username: 'checkAuth', password: 'code', state: 'state' });
}

describe('the session', () => {
  test('starts with the token of the sign-in and sends it with every call', async () => {
    await signedIn();
    expect(currentSession()?.username).toBe('prad.demo');
    expect(changes).toEqual([{ type: 'started' }]);
    expect(server.mock.lastCall?.[0].headers.get('Authorization')).toBe('Bearer token-1');
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('token-1');
  });

  test('is not there when the sign-in fails', async () => {
    server.mockReturnValue(Response.json({ message: 'USER_ACCT_LOCKED:12' }, { status: 401 }));
    await expect(signIn({ username: 'a', password: 'b' })).rejects.toMatchObject({
      status: 401,
      message: 'USER_ACCT_LOCKED:12',
    });
    expect(currentSession()).toBeNull();
    expect(changes).toEqual([]);
  });

  test('is unknown while the server does not answer, then what the server says', async () => {
    vi.resetModules();
    const page = await import('./session');
    server.mockReturnValueOnce(Promise.reject(new TypeError('network')));
    await expect(page.restoreSession()).rejects.toMatchObject({ status: 0 });
    server.mockReturnValueOnce(Response.json(sessionOf()));
    expect((await page.restoreSession())?.username).toBe('prad.demo');
  });

  test('is null after a reload without one', async () => {
    vi.resetModules();
    const page = await import('./session');
    server.mockReturnValueOnce(Response.json({}, { status: 401 }));
    expect(await page.restoreSession()).toBeNull();
  });

  test('stays ended on this page although the cookie still works while the sign-out is on its way', async () => {
    await signedIn();
    void signOut({ reason: 'signed-out' });
    server.mockImplementation(() => Response.json(sessionOf()));
    expect(await restoreSession()).toBeNull();
  });

  test('ends when any call is no longer taken', async () => {
    await signedIn();
    server.mockReturnValue(Response.json({ message: 'gone' }, { status: 401 }));
    await expect(answer(api.POST('/session/touch'))).rejects.toMatchObject({ status: 401 });
    expect(currentSession()).toBeNull();
    expect(changes.at(-1)).toEqual({ type: 'ended', ending: { reason: 'expired' } });
  });

  test('may be another one after a reload when a sign-in in another tab ended this one', async () => {
    await signedIn();
    server.mockReturnValue(Response.json({ message: 'gone' }, { status: 401 }));
    await expect(answer(api.POST('/session/touch'))).rejects.toMatchObject({ status: 401 });
    expect(mayBeSignedIn()).toBe(true);

    vi.resetModules();
    const page = await import('./session');
    server.mockReturnValue(Response.json({}, { status: 401 }));
    expect(await page.restoreSession()).toBeNull();
    expect(mayBeSignedIn()).toBe(false);
  });

  test('survives a refusal that answers a call of an earlier session', async () => {
    await signedIn();
    server.mockImplementation(() => {
      bearer.token = 'token-2';
      return Response.json({}, { status: 401 });
    });
    await expect(answer(api.POST('/session/touch'))).rejects.toMatchObject({ status: 401 });
    expect(currentSession()).not.toBeNull();
  });

  test('ends here at once, whatever the server says, and tells the other tabs', async () => {
    await signedIn();
    const otherTab = new BroadcastChannel('wcpp');
    const heard = new Promise((resolve) => {
      otherTab.onmessage = (event) => resolve(event.data);
    });
    server.mockReturnValue(Response.json({}, { status: 500 }));
    const ended = signOut({ reason: 'idle', minutes: 30 });
    expect(currentSession()).toBeNull();
    expect(await ended).toBeNull();
    const call = server.mock.lastCall?.[0] as Request;
    expect(path(call)).toBe('POST /api/logout');
    expect(call.headers.get('Authorization')).toBe('Bearer token-1');
    expect(await heard).toEqual({ type: 'ended', ending: { reason: 'idle', minutes: 30 } });
    otherTab.close();
  });

  test('leads to where an outside sign-on ends its own session', async () => {
    await signedIn();
    server.mockReturnValue(Response.json({ signOutUrl: 'https://id.example/end' }));
    expect(await signOut({ reason: 'signed-out' })).toBe('https://id.example/end');
  });
});
