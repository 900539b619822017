import { Problem } from './client';

/** A message of an event stream (text/event-stream). */
export interface Message {
  event: string;
  data: string;
}

// The server sends a heartbeat every 15 seconds. After this silence, in milliseconds, the
// connection is closed.
const maxSilence = 45_000;

/**
 * Yields a stream's messages, however the network splits them. Skips comments and a truncated
 * last message.
 */
export async function* readMessages(stream: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const { createParser } = await import('eventsource-parser');
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const messages: Message[] = [];
  const parser = createParser({
    onEvent: ({ event = 'message', data }) => messages.push({ event, data }),
  });
  try {
    for (;;) {
      const deadline = setTimeout(() => void reader.cancel(), maxSilence);
      const { done, value } = await reader.read().finally(() => clearTimeout(deadline));
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* messages.splice(0);
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** Retrying the same request wouldn't help. */
export const isClientError = (error: unknown) =>
  error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 429;

/** Waits, and throws if the signal aborts. */
export const wait = (delay: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, delay);
    signal.addEventListener('abort', stop, { once: true });
  });
