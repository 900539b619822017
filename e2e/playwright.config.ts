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
// A page lives for seconds, so optimizing its code costs more than it saves: a tenth of the time.
const argsForShortPages = [...args, '--js-flags=--no-opt --max-lazy'];
const headless = '/usr/bin/chromium-headless-shell';

// The real program with its demo data, restarted for each run. Debian's Chromium runs it:
// headless needs a third less time, and only the full browser shows PDF files.
export default defineConfig<object, Settings>({
  testDir: '.',
  outputDir: 'results',
  // Far more than anything needs on a busy machine: only broken tests wait this long.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  fullyParallel: true,
  // On a busy machine, about one of 470 tests may fail from timing. It's retried once, and the
  // summary lists it as flaky.
  retries: 1,
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  globalSetup: './start.ts',
  use: {
    browserName: 'chromium',
    // A test with many states has minutes, but a single click on a missing element doesn't.
    actionTimeout: 60_000,
    // Tracing everything is slow: set TRACE=1 when needed.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
  },
  projects: [
    {
      name: 'accessibility',
      testMatch: 'a11y.spec.ts',
      use: { launchOptions: { executablePath: headless, args } },
    },
    {
      name: 'chromium',
      testIgnore: 'a11y.spec.ts',
      grepInvert: /@pdf|@off/,
      use: { launchOptions: { executablePath: headless, args: argsForShortPages } },
    },
    {
      name: 'chromium without the Workspace',
      grep: /@both|@off/,
      use: { launchOptions: { executablePath: headless, args: argsForShortPages }, workspace: 'off' },
    },
    {
      name: 'chromium with PDF',
      grep: /@pdf/,
      use: { launchOptions: { executablePath: '/usr/bin/chromium', args } },
    },
  ],
});
