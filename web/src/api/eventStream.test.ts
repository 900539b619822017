import { describe, expect, it, vi } from 'vitest';
import { type Message, readMessages } from './eventStream';
import { makeStream } from './testing';

const done = `data: ${JSON.stringify({ made: 'Fée 7 €.xlsx' })}\n\n`;
const bytes = (text: string) => new TextEncoder().encode(text);

async function read(...chunks: Uint8Array[]) {
  const messages: Message[] = [];
  for await (const message of readMessages(makeStream(...chunks))) messages.push(message);
  return messages;
}

describe('messages', () => {
  const text = [
    'data: Request in process\n\n',
    ': still here\n\n',
    'id: 4\nretry: 100\ndata:no space\ndata:  one kept\n\n',
    'event: failed\ndata: Fée €\n\n',
    done,
    'data: cut off',
  ].join('');
  const messages = [
    { event: 'message', data: 'Request in process' },
    { event: 'message', data: 'no space\n one kept' },
    { event: 'failed', data: 'Fée €' },
    { event: 'message', data: JSON.stringify({ made: 'Fée 7 €.xlsx' }) },
  ];

  it.each([
    ['LF', text],
    ['CR LF', text.replaceAll('\n', '\r\n')],
  ])('are the same wherever the stream is split (%s)', async (_, text) => {
    const whole = bytes(text);
    expect(await read(whole)).toEqual(messages);
    for (let at = 0; at <= whole.length; at++)
      expect(await read(whole.slice(0, at), whole.slice(at)), `cut at ${at}`).toEqual(messages);
    expect(await read(...Array.from(whole, (byte) => Uint8Array.of(byte)))).toEqual(messages);
  });

  it('without data are skipped', async () => {
    expect(await read(bytes('event: failed\n\n\n\n: comment\n\n'))).toEqual([]);
  });

  it('close the connection when nobody reads them', async () => {
    const cancel = vi.fn();
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes(done)),
      cancel,
    });
    for await (const _ of readMessages(stream)) break;
    expect(cancel).toHaveBeenCalled();
  });
});
