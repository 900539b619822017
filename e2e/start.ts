import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const wcpp = join(import.meta.dirname, '../bin/wcpp');

export async function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

export interface Portal {
  url: string;
  /** The portal's data directory. */
  data: string;
  stop: () => Promise<void>;
}

/** Starts the program and waits until it's ready. */
export async function startPortal(
  args: string[],
  env: Record<string, string> = {},
  fixedPort?: number,
): Promise<Portal> {
  const port = fixedPort ?? (await findFreePort());
  const data = mkdtempSync(join(tmpdir(), 'wcpp-e2e-'));
  const program: ChildProcess = spawn(wcpp, [...args, '--listen', `127.0.0.1:${port}`, '--data', data], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // All test users share one address.
    env: {
      ...process.env,
      WCPP_LOG_LEVEL: 'warn',
      // Tests reuse sessions for longer than a re-authentication is valid by default.
      WCPP_PROOF_MINUTES: '600',
      WCPP_STRANGER_MAILS: '1000',
      WCPP_STRANGER_MAILS_AN_HOUR: '1000',
      ...env,
    },
  });
  const ended = new Promise<void>((resolve) => program.once('exit', () => resolve()));
  const url = `http://localhost:${port}`;
  for (let tries = 0; ; tries++) {
    try {
      if ((await fetch(`${url}/readyz`)).ok) break;
    } catch {
      // not listening yet
    }
    if (tries > 300 || program.exitCode !== null) throw new Error('the program did not become ready');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    data,
    stop: async () => {
      program.kill('SIGTERM');
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Imports a file, as a network would, while the portal is running. Returns the report. */
export async function importFile(data: string, kind: string, content: string): Promise<string> {
  const file = join(mkdtempSync(join(data, 'feed-')), kind);
  writeFileSync(file, content);
  const how = kind === 'x12' ? ['x12'] : ['csv', '--kind', kind];
  const { stdout } = await promisify(execFile)(wcpp, ['import', ...how, '--data', data, file]);
  return stdout;
}

/**
 * The portal that the specs share, and a small one without the Workspace, with only the
 * specified screens.
 */
export default async function globalSetup() {
  const [portal, specified] = await Promise.all([
    startPortal(['demo']),
    startPortal(['demo', '--bills', '50'], { WCPP_WORKSPACE: 'off' }),
  ]);
  process.env.PORTAL_URL = portal.url;
  process.env.PORTAL_DATA = portal.data;
  process.env.SPECIFIED_PORTAL_URL = specified.url;
  return () => Promise.all([portal.stop(), specified.stop()]);
}
