import { Problem } from './client';

/** A message of an event stream (text/event-stream). */
export interface Message {
  event: string;
  data: string;
}

// The server tells every 15 seconds that it lives; after such a silence the connection is given up.
const silence = 45_000;

/** The messages of a stream, however it is cut on its way. Comments, and what is cut off at its end, are left out. */
export async function* messagesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const { createParser } = await import('eventsource-parser');
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const messages: Message[] = [];
  const parser = createParser({
    onEvent: ({ event = 'message', data }) => messages.push({ event, data }),
  });
  try {
    for (;;) {
      const deadline = setTimeout(() => void reader.cancel(), silence);
      const { done, value } = await reader.read().finally(() => clearTimeout(deadline));
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* messages.splice(0);
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** The same question would be refused again. */
export const isRefusal = (error: unknown) =>
  error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 429;

/** Waits, and fails when the signal says to stop. */
export const pause = (wait: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, wait);
    signal.addEventListener('abort', stop, { once: true });
  });
