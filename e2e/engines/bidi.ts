import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';
import { findFreePort } from '../start';
import { type Driver, type Handle, until } from './driver';

interface Reply {
  id?: number;
  type: 'success' | 'error' | 'event';
  result?: unknown;
  error?: string;
  message?: string;
}

/** A value in WebDriver BiDi. */
interface Remote {
  type: string;
  value?: unknown;
  sharedId?: string;
}

/** Firefox, which implements WebDriver BiDi itself. */
export async function startFirefox(program: string): Promise<Driver> {
  const port = await findFreePort();
  const profile = mkdtempSync(join(tmpdir(), 'wcpp-firefox-'));
  const firefox = spawn(
    program,
    [
      '--headless',
      '--no-remote',
      '--profile',
      profile,
      '--remote-debugging-port',
      String(port),
      'about:blank',
    ],
    { stdio: 'ignore', env: { ...process.env, HOME: profile } },
  );
  const ended = new Promise<void>((resolve) => firefox.once('exit', () => resolve()));
  const socket = await until('Firefox', () => connect(`ws://127.0.0.1:${port}/session`));
  const waiting = new Map<number, (reply: Reply) => void>();
  socket.on('message', (data) => {
    const reply: Reply = JSON.parse(String(data));
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  });
  let last = 0;
  const send = async <T>(method: string, params: object): Promise<T> => {
    const id = ++last;
    const replied = new Promise<Reply>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const reply = await replied;
    waiting.delete(id);
    if (reply.type === 'error') throw new Error(`${method}: ${reply.error} ${reply.message}`);
    return reply.result as T;
  };
  await send('session.new', { capabilities: {} });
  const tree = () => send<{ contexts: { context: string }[] }>('browsingContext.getTree', { maxDepth: 0 });
  const context = (await tree()).contexts[0]?.context ?? '';
  await send('browsingContext.setViewport', { context, viewport: { width: 1440, height: 900 } });
  const performActions = (actions: object[]) => send<void>('input.performActions', { context, actions });
  return {
    open: async (url) => {
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    call: async <T>(functionDeclaration: string, ...args: unknown[]) => {
      const { type, result, exceptionDetails } = await send<{
        type: string;
        result: Remote;
        exceptionDetails?: { text: string };
      }>('script.callFunction', {
        functionDeclaration,
        arguments: args.map(toArgument),
        target: { context },
        awaitPromise: true,
      });
      if (type === 'exception') throw new Error(exceptionDetails?.text);
      return read(result) as T;
    },
    click: (element) =>
      performActions([
        {
          type: 'pointer',
          id: 'mouse',
          actions: [
            { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element } },
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
          ],
        },
      ]),
    type: (text) =>
      performActions([
        {
          type: 'key',
          id: 'keys',
          actions: [...text].flatMap((value) => [
            { type: 'keyDown', value },
            { type: 'keyUp', value },
          ]),
        },
      ]),
    choose: (element, file) => send('input.setFiles', { context, element, files: [file] }),
    windows: async () => (await tree()).contexts.length,
    close: async () => {
      socket.close();
      firefox.kill('SIGTERM');
      await ended;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

function connect(address: string): Promise<WebSocket | null> {
  return new Promise((resolve) => {
    const socket = new WebSocket(address);
    socket.once('open', () => resolve(socket));
    socket.once('error', () => resolve(null)); // not listening yet
  });
}

/** Converts an argument for the protocol. */
function toArgument(value: unknown): object {
  if (typeof value === 'object' && value !== null && 'sharedId' in value) return value as Handle;
  return { type: typeof value, value };
}

/** Converts a result. An element stays a protocol reference. */
function read({ type, value, sharedId }: Remote): unknown {
  if (type === 'null' || type === 'undefined') return null;
  return sharedId ? { sharedId } : value;
}
