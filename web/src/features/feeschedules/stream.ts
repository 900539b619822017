import { Problem } from '../../api/client';
import type { Files } from './queries';

/** A message of an event stream (text/event-stream). */
export interface Message {
  event: string;
  data: string;
}

// The server tells every 15 seconds that it lives; after such a silence the connection is given up.
const silence = 45_000;

/** The messages of a stream, however it is cut on its way. Comments, and what is cut off at its end, are left out. */
export async function* messagesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const message = { event: '', data: [] as string[] };
  let rest = '';
  try {
    for (;;) {
      const deadline = setTimeout(() => void reader.cancel(), silence);
      const { done, value } = await reader.read().finally(() => clearTimeout(deadline));
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r?\n/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [, field, text = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
        if (field === 'event') message.event = text;
        if (field === 'data') message.data.push(text);
        if (line !== '') continue;
        if (message.data.length > 0)
          yield { event: message.event || 'message', data: message.data.join('\n') };
        message.event = '';
        message.data = [];
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

const inProcess = 'Request in process';
const firstPause = 1_000;
const longestPause = 30_000;

/** Follows a request until its file is there, and connects anew when the connection is lost; fails when it failed. */
export async function follow(
  connect: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
  signal: AbortSignal,
): Promise<Files> {
  for (let wait = firstPause; ; wait = Math.min(2 * wait, longestPause)) {
    const told = await settled(connect, signal);
    if (told) {
      if (told.event === 'failed') throw new Error(told.data);
      return JSON.parse(told.data);
    }
    await pause(wait, signal);
  }
}

/** The message that settles the request; null when the connection ended before it came. */
async function settled(
  connect: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
  signal: AbortSignal,
): Promise<Message | null> {
  try {
    for await (const message of messagesOf(await connect(signal)))
      if (message.data !== inProcess) return message;
  } catch (error) {
    if (signal.aborted || isRefusal(error)) throw error;
  }
  return null;
}

/** The same question would be refused again. */
const isRefusal = (error: unknown) =>
  error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 429;

const pause = (wait: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, wait);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
