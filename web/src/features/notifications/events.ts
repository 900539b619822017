import { isClientError, readMessages, wait } from '@/api/eventStream';
import { notifyTabs, onTabMessage } from '@/api/tabs';

type Connect = (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;

const firstPause = 1_000;
const maxPause = 60_000;

/**
 * Notifies the bell's menu of updates. A browser's tabs share one connection. The tab with the
 * lock connects and notifies the others. When it closes, another tab gets the lock. Returns a
 * function that stops it.
 */
export function subscribeToUpdates(connect: Connect, onNews: () => void): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  const connectAndNotify = () =>
    receiveMessages(connect, signal, () => {
      notifyTabs({ type: 'news' });
      onNews();
    });
  const unsubscribe = onTabMessage(({ type }) => {
    if (type === 'news') onNews();
  });
  // Without locks, as on a page without TLS, each tab has its own connection.
  const connection = navigator.locks
    ? navigator.locks.request('wcpp.news', { signal }, connectAndNotify)
    : connectAndNotify();
  connection.catch(() => undefined); // stopped, or rejected: the session's own requests report why
  return () => {
    unsubscribe();
    leaving.abort();
  };
}

/** Receives all messages. It reconnects with growing pauses until a message arrives. */
async function receiveMessages(connect: Connect, signal: AbortSignal, onMessage: () => void): Promise<void> {
  for (let delay = firstPause; ; delay = Math.min(2 * delay, maxPause)) {
    try {
      for await (const _ of readMessages(await connect(signal))) {
        signal.throwIfAborted();
        delay = firstPause;
        onMessage();
      }
    } catch (error) {
      if (signal.aborted || isClientError(error)) throw error;
    }
    // Randomized, so that browsers don't all reconnect simultaneously when a server returns.
    await wait(delay * (0.5 + Math.random()), signal);
  }
}
