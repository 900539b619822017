import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '@/api/client';
import { makeStream } from '@/api/testing';
import { followRequest } from './stream';

const files = (...ids: number[]) => ({
  successCount: ids.length,
  feeSchedList: ids.map((feeSchedRqstId) => ({
    feeSchedRqstId,
    fileName: `Fée ${feeSchedRqstId} €.xlsx`,
    schedUri: `/feeSchedule/file/${feeSchedRqstId}`,
    fileViwed: 'N',
  })),
});
const done = `data: ${JSON.stringify(files(7))}\n\n`;
const bytes = (text: string) => new TextEncoder().encode(text);

describe('following', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Responds to the connections in order, and records when they were opened. */
  function server(...answers: (() => Promise<ReadableStream<Uint8Array>>)[]) {
    const at: number[] = [];
    const start = Date.now();
    const connect = vi.fn(() => {
      at.push(Date.now() - start);
      const answer = answers[at.length - 1] ?? answers.at(-1);
      if (!answer) throw new Error('no answer');
      return answer();
    });
    return { at, connect };
  }
  const say = (text: string) => async () => makeStream(text);
  const fail = (status: number) => async () => {
    throw new Problem(status, '', 'refused');
  };

  it('ignores progress, and returns the files', async () => {
    const { connect } = server(say(`data: Request in process\n\n: still here\n\n${done}`));
    expect(await followRequest(connect, new AbortController().signal)).toEqual(files(7));
  });

  it('reconnects after 1, 2, 4, then at most 30 seconds', async () => {
    const lost = say('data: Request in process\n\n');
    const broken = fail(0);
    const { connect, at } = server(lost, broken, fail(503), lost, lost, lost, fail(429), say(done));
    const answered = followRequest(connect, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(200_000);
    expect(await answered).toEqual(files(7));
    expect(at.map((time) => time / 1000)).toEqual([0, 1, 3, 7, 15, 31, 61, 91]);
  });

  it('closes a silent connection', async () => {
    const silent = async () =>
      new ReadableStream<Uint8Array>({ start: (to) => to.enqueue(bytes('data: Request in process\n\n')) });
    const { connect, at } = server(silent, say(done));
    const answered = followRequest(connect, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await answered).toEqual(files(7));
    expect(at).toEqual([0, 46_000]);
  });

  it('fails when the request failed', async () => {
    const { connect } = server(say('event: failed\ndata: It could not be made.\n\n'));
    await expect(followRequest(connect, new AbortController().signal)).rejects.toThrow(
      'It could not be made.',
    );
  });

  it.each([401, 403, 404])("doesn't retry after an error (%i)", async (status) => {
    const { connect } = server(fail(status));
    await expect(followRequest(connect, new AbortController().signal)).rejects.toThrow('refused');
    expect(connect).toHaveBeenCalledTimes(1);
  });

  it('can be stopped, also between two connections', async () => {
    const leaving = new AbortController();
    const { connect } = server(fail(0));
    const answered = followRequest(connect, leaving.signal);
    const ended = expect(answered).rejects.toThrow('aborted');
    await vi.advanceTimersByTimeAsync(500);
    leaving.abort();
    await ended;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(connect).toHaveBeenCalledTimes(1);
  });
});
