import { isClientError, type Message, readMessages, wait } from '@/api/eventStream';
import type { Files } from './queries';

const inProcess = 'Request in process';
const firstPause = 1_000;
const maxPause = 30_000;

/**
 * Follows a request until its file is ready. It reconnects after a lost connection and throws if
 * the request failed.
 */
export async function followRequest(
  connect: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
  signal: AbortSignal,
): Promise<Files> {
  for (let delay = firstPause; ; delay = Math.min(2 * delay, maxPause)) {
    const message = await readOutcome(connect, signal);
    if (message) {
      if (message.event === 'failed') throw new Error(message.data);
      return JSON.parse(message.data);
    }
    await wait(delay, signal);
  }
}

/** Returns the message that finishes the request; null if the connection ended first. */
async function readOutcome(
  connect: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
  signal: AbortSignal,
): Promise<Message | null> {
  try {
    for await (const message of readMessages(await connect(signal)))
      if (message.data !== inProcess) return message;
  } catch (error) {
    if (signal.aborted || isClientError(error)) throw error;
  }
  return null;
}
