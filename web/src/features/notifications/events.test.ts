// It's loaded with the first stream, which must not wait for it under a fake clock.
import 'eventsource-parser';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '@/api/client';
import { subscribeToUpdates } from './events';

const bytes = (text: string) => new TextEncoder().encode(text);
const otherTab = new BroadcastChannel('wcpp');

/** Fakes browser locks: one holder, others queue. */
class Locks {
  private last: Promise<unknown> = Promise.resolve();

  request(_: string, { signal }: { signal: AbortSignal }, held: () => Promise<void>): Promise<void> {
    const given = this.last.then(() => {
      signal.throwIfAborted();
      return held();
    });
    this.last = given.catch(() => undefined);
    return given;
  }
}

/** A server with connections that the test controls. */
function server(...answers: (() => Promise<ReadableStream<Uint8Array>>)[]) {
  const at: number[] = [];
  const start = Date.now();
  const open: ReadableStreamDefaultController<Uint8Array>[] = [];
  const connect = vi.fn(async (signal: AbortSignal) => {
    at.push(Date.now() - start);
    const answer = answers.shift();
    if (answer) return answer();
    return new ReadableStream<Uint8Array>({
      start(controller) {
        open.push(controller);
        signal.addEventListener('abort', () => controller.error(signal.reason));
      },
    });
  });
  const say = (n: number) => open[n]?.enqueue(bytes('data: changed\n\n'));
  return { at, open, connect, say };
}
const fail = (status: number) => async () => {
  throw new Problem(status, '', 'refused');
};

let stops: (() => void)[] = [];
function tab(connect: Parameters<typeof subscribeToUpdates>[0]) {
  const onNews = vi.fn();
  const stop = subscribeToUpdates(connect, onNews);
  stops.push(stop);
  return { onNews, stop };
}

const passed = (time: number) => vi.advanceTimersByTimeAsync(time);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  Object.defineProperty(navigator, 'locks', { configurable: true, value: new Locks() });
});
afterEach(() => {
  for (const stop of stops) stop();
  stops = [];
  vi.restoreAllMocks();
  vi.useRealTimers();
  Object.defineProperty(navigator, 'locks', { configurable: true, value: undefined });
});

describe('updates', () => {
  it('arrive over one connection for all tabs; when its tab closes, another connects', async () => {
    const { connect, say } = server();
    const first = tab(connect);
    const second = tab(connect);
    await passed(1);
    expect(connect).toHaveBeenCalledTimes(1);
    say(0);
    await passed(1);
    expect(first.onNews).toHaveBeenCalledTimes(1);
    first.stop();
    await passed(1);
    expect(connect).toHaveBeenCalledTimes(2);
    second.onNews.mockClear();
    say(1);
    await passed(1);
    expect(second.onNews).toHaveBeenCalledTimes(1);
  });

  it('are sent to the other tabs, and received from them', async () => {
    const { connect, say } = server();
    const { onNews } = tab(connect);
    await passed(1);
    const heard = new Promise((resolve) => {
      otherTab.onmessage = ({ data }) => resolve(data);
    });
    say(0);
    await passed(1);
    expect(await heard).toEqual({ type: 'news' });
    otherTab.onmessage = null;
    otherTab.postMessage({ type: 'news' });
    await vi.waitFor(() => expect(onNews).toHaveBeenCalledTimes(2));
    otherTab.postMessage({ type: 'activity', at: 0, touchedAt: 0 });
    otherTab.postMessage({ type: 'news' });
    await vi.waitFor(() => expect(onNews).toHaveBeenCalledTimes(3));
  });

  it('arrive over a connection per tab where there are no locks', async () => {
    Object.defineProperty(navigator, 'locks', { configurable: true, value: undefined });
    const { connect } = server();
    tab(connect);
    tab(connect);
    await passed(1);
    expect(connect).toHaveBeenCalledTimes(2);
  });

  it('reconnect with growing pauses, which reset after a message', async () => {
    const lost = [0, 503, 429, 0, 0, 0, 0].map(fail);
    const { connect, at, open, say } = server(...lost);
    const { onNews } = tab(connect);
    await passed(124_000);
    expect(at.map((time) => time / 1000)).toEqual([0, 1, 3, 7, 15, 31, 63, 123]);
    say(0);
    await passed(1);
    expect(onNews).toHaveBeenCalledTimes(1);
    open[0]?.close();
    await passed(1_100);
    expect(at).toHaveLength(9);
  });

  it.each([401, 403])("aren't requested again after an error (%i)", async (status) => {
    const { connect } = server(fail(status));
    tab(connect);
    await passed(300_000);
    expect(connect).toHaveBeenCalledTimes(1);
  });

  it('end with the tab, also between two connections', async () => {
    const { connect } = server(fail(0));
    const { onNews, stop } = tab(connect);
    await passed(500);
    stop();
    await passed(300_000);
    otherTab.postMessage({ type: 'news' });
    await passed(1);
    expect(connect).toHaveBeenCalledTimes(1);
    expect(onNews).not.toHaveBeenCalled();
  });
});
