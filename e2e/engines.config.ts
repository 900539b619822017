import { defineConfig } from '@playwright/test';
import type { Engine } from './engines/smoke';
import { zone } from './zone';

process.env.WCPP_TIME_ZONE = zone;

// The few tests that must pass in every engine. Playwright only runs and reports them: the
// browsers come from Debian.
export default defineConfig<object, { engine: Engine }>({
  testDir: './engines',
  testMatch: 'smoke.ts',
  outputDir: 'results',
  timeout: 180_000,
  expect: { timeout: 30_000 },
  workers: 1,
  reporter: [['list']],
  globalSetup: './start.ts',
  projects: (['chromium', 'firefox', 'webkitgtk'] as const).map((engine) => ({
    name: engine,
    use: { engine },
  })),
});
