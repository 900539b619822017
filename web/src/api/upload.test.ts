import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bearer, Problem } from './client';
import { upload } from './upload';

/** Fakes the browser's request. The test controls the network. */
class FakeRequest {
  static last: FakeRequest;
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  headers: Record<string, string> = {};
  opened: string[] = [];
  sent: unknown;
  status = 0;
  statusText = '';
  responseText = '';
  constructor() {
    FakeRequest.last = this;
  }
  open(...opened: string[]) {
    this.opened = opened;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(sent: unknown) {
    this.sent = sent;
  }
  abort() {
    this.onabort?.();
  }
  answer(status: number, responseText: string) {
    Object.assign(this, { status, responseText });
    this.onload?.();
  }
}

const begin = (signal = new AbortController().signal) => {
  const progress: number[][] = [];
  const form = new FormData();
  const result = upload<{ logId: number }>('/roster/upload', form, {
    signal,
    onProgress: (...now) => void progress.push(now),
  });
  return { result, progress, form, request: FakeRequest.last };
};

const rejected = bearer.reject;
beforeEach(() => {
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  bearer.token = 'token-1';
});
afterEach(() => {
  vi.unstubAllGlobals();
  Object.assign(bearer, { token: '', rejected });
});

describe('an upload', () => {
  it('sends the token, reports progress and returns the body', async () => {
    const { result, progress, form, request } = begin();
    expect(request.opened).toEqual(['POST', '/api/roster/upload']);
    expect(request.headers).toEqual({ Authorization: 'Bearer token-1' });
    expect(request.sent).toBe(form);
    request.upload.onprogress?.({ loaded: 5, total: 10 });
    request.upload.onprogress?.({ loaded: 10, total: 10 });
    request.answer(200, '{"logId":7}');
    expect(await result).toEqual({ logId: 7 });
    expect(progress).toEqual([
      [5, 10],
      [10, 10],
    ]);
  });

  it("that fails throws the server's error", async () => {
    const { result, request } = begin();
    const told = { code: 'ROSTER_ENDS_MANY', message: 'Confirm it.' };
    request.answer(409, JSON.stringify(told));
    await expect(result).rejects.toEqual(new Problem(409, told.code, told.message, [], told));
  });

  it('that a proxy rejects has a status and no code', async () => {
    const { result, request } = begin();
    request.answer(502, '<h1>Bad Gateway</h1>');
    await expect(result).rejects.toMatchObject({ status: 502, code: '' });
  });

  it('with a response from elsewhere fails', async () => {
    const { result, request } = begin();
    request.answer(200, '<h1>Sign in to the network</h1>');
    await expect(result).rejects.toThrow();
  });

  it('with a lost connection fails without a status', async () => {
    const { result, request } = begin();
    request.onerror?.();
    await expect(result).rejects.toMatchObject({ status: 0, code: 'unreachable' });
  });

  it("is canceled by its signal, and doesn't start after that", async () => {
    const leaving = new AbortController();
    const { result } = begin(leaving.signal);
    leaving.abort();
    await expect(result).rejects.toMatchObject({ name: 'AbortError' });
    const before = FakeRequest.last;
    await expect(begin(leaving.signal).result).rejects.toMatchObject({ name: 'AbortError' });
    expect(FakeRequest.last).toBe(before);
  });

  it('ends the session when its token is rejected, but not a newer session', async () => {
    bearer.reject = vi.fn();
    const first = begin();
    bearer.token = 'token-2';
    first.request.answer(401, '{}');
    await expect(first.result).rejects.toMatchObject({ status: 401 });
    expect(bearer.reject).not.toHaveBeenCalled();
    const second = begin();
    second.request.answer(401, '{}');
    await expect(second.result).rejects.toMatchObject({ status: 401 });
    expect(bearer.reject).toHaveBeenCalledTimes(1);
  });
});
