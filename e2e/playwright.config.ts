import { defineConfig } from '@playwright/test';
import type { Settings } from './portal';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

// The real program with its demo data, started anew for each run. Debian's
// Chromium drives it: without a window it needs a third less time, and only
// the whole browser shows PDF.
export default defineConfig<object, Settings>({
  testDir: '.',
  outputDir: 'results',
  // Far beyond what anything takes on a busy machine: only what is broken waits for them.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  fullyParallel: true,
  // On a busy machine one of 470 may lose a race of its own making: it is tried once more, and the list's end names it as flaky.
  retries: 1,
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  globalSetup: './start.ts',
  use: {
    browserName: 'chromium',
    // A walk through many states has minutes: one press that finds nothing does not.
    actionTimeout: 60_000,
    // A trace of everything costs time: TRACE=1 when one is needed.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
  },
  projects: [
    {
      name: 'chromium',
      grepInvert: /@pdf|@off/,
      use: { launchOptions: { executablePath: '/usr/bin/chromium-headless-shell', args } },
    },
    {
      name: 'chromium without the Workspace',
      grep: /@both|@off/,
      use: { launchOptions: { executablePath: '/usr/bin/chromium-headless-shell', args }, workspace: 'off' },
    },
    {
      name: 'chromium with PDF',
      grep: /@pdf/,
      use: { launchOptions: { executablePath: '/usr/bin/chromium', args } },
    },
  ],
});
