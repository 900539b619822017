import { isRefusal, messagesOf, pause } from '@/api/eventStream';
import { hearTabs, tellTabs } from '@/api/tabs';

type Connect = (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;

const firstPause = 1_000;
const longestPause = 60_000;

/**
 * Tells when the bell's menu has news. The tabs of a browser share one connection: the tab that holds the lock has it
 * and tells the others; when that tab goes, another gets the lock. Returns how to stop.
 */
export function hearNews(connect: Connect, onNews: () => void): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  const lead = () =>
    listen(connect, signal, () => {
      tellTabs({ type: 'news' });
      onNews();
    });
  const leaveTabs = hearTabs(({ type }) => {
    if (type === 'news') onNews();
  });
  // Where there are no locks, as on a page without TLS, each tab has a connection of its own.
  const led = navigator.locks ? navigator.locks.request('wcpp.news', { signal }, lead) : lead();
  led.catch(() => undefined); // stopped, or refused: the session's own calls tell why
  return () => {
    leaveTabs();
    leaving.abort();
  };
}

/** Hears every message, and connects anew after pauses that grow until one is heard. */
async function listen(connect: Connect, signal: AbortSignal, onMessage: () => void): Promise<void> {
  for (let wait = firstPause; ; wait = Math.min(2 * wait, longestPause)) {
    try {
      for await (const _ of messagesOf(await connect(signal))) {
        signal.throwIfAborted();
        wait = firstPause;
        onMessage();
      }
    } catch (error) {
      if (signal.aborted || isRefusal(error)) throw error;
    }
    // Not all browsers at once when a server comes back.
    await pause(wait * (0.5 + Math.random()), signal);
  }
}
