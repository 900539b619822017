import { defineConfig } from '@playwright/test';

// The real program with its demo data, started anew for each run; Debian's
// Chromium drives it.
export default defineConfig({
  testDir: '.',
  outputDir: 'results',
  timeout: 45_000,
  expect: { timeout: 10_000 },
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  globalSetup: './start.ts',
  use: {
    browserName: 'chromium',
    // A trace of everything costs time: TRACE=1 when one is needed.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    launchOptions: {
      executablePath: '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
