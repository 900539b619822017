import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))));
    });
  });
}

export interface Portal {
  url: string;
  stop: () => Promise<void>;
}

/** Starts the program and waits until it is ready. */
export async function startPortal(args: string[], env: Record<string, string> = {}, on?: number): Promise<Portal> {
  const port = on ?? (await freePort());
  const data = mkdtempSync(join(tmpdir(), 'wcpp-e2e-'));
  const program: ChildProcess = spawn(
    join(import.meta.dirname, '../bin/wcpp'),
    [...args, '--listen', `127.0.0.1:${port}`, '--data', data],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...env } },
  );
  const ended = new Promise<void>((resolve) => program.once('exit', () => resolve()));
  const url = `http://localhost:${port}`;
  for (let tries = 0; ; tries++) {
    try {
      if ((await fetch(`${url}/readyz`)).ok) break;
    } catch {
      // not yet listening
    }
    if (tries > 300 || program.exitCode !== null) throw new Error('the program did not become ready');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    stop: async () => {
      program.kill('SIGTERM');
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
  };
}

export default async function globalSetup() {
  const portal = await startPortal(['demo']);
  process.env.PORTAL_URL = portal.url;
  return portal.stop;
}
