import { type ChildProcess, spawn } from 'node:child_process';
import { findFreePort } from '../start';
import type { Driver, Handle } from './driver';

/** Starts a WebDriver server with its browser. */
export async function startClassic(
  server: string,
  args: (port: number) => string[],
  capabilities: object,
  env: Record<string, string> = {},
): Promise<Driver> {
  const port = await findFreePort();
  const program: ChildProcess = spawn(server, args(port), {
    stdio: 'ignore',
    env: { ...process.env, ...env },
  });
  const ended = new Promise<void>((resolve) => program.once('exit', () => resolve()));
  const base = `http://127.0.0.1:${port}`;
  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(base + path, { method, body: body && JSON.stringify(body) });
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`${method} ${path}: ${value?.error} ${value?.message}`);
    return value;
  };
  for (let tries = 0; ; tries++) {
    if (
      await fetch(`${base}/status`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      break;
    if (tries > 100) throw new Error(`${server} did not become ready`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const { sessionId } = await send<{ sessionId: string }>('POST', '/session', {
    capabilities: { alwaysMatch: { ...capabilities, acceptInsecureCerts: false } },
  });
  const session = `/session/${sessionId}`;
  await send('POST', `${session}/window/rect`, { width: 1440, height: 900 });
  const getId = (element: Handle) => String(Object.values(element)[0]);
  return {
    open: (url) => send('POST', `${session}/url`, { url }),
    call: (body, ...args) =>
      send('POST', `${session}/execute/sync`, { script: `return (${body}).apply(null, arguments);`, args }),
    click: (element) => send('POST', `${session}/element/${getId(element)}/click`, {}),
    type: async (text) => {
      const focused = await send<Handle>('GET', `${session}/element/active`);
      await send('POST', `${session}/element/${getId(focused)}/value`, { text });
    },
    choose: (input, file) => send('POST', `${session}/element/${getId(input)}/value`, { text: file }),
    windows: async () => (await send<string[]>('GET', `${session}/window/handles`)).length,
    close: async () => {
      await send('DELETE', session).catch(() => undefined); // a browser that doesn't quit ends with its server
      program.kill('SIGTERM');
      await ended;
    },
  };
}
