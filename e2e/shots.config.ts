import { defineConfig } from '@playwright/test';
import config from './playwright.config';

/** Screenshots of every screen in every state, saved to shots/: npm run shots */
export default defineConfig({
  ...config,
  projects: config.projects?.slice(0, 1).map((project) => ({ ...project, testMatch: 'shots.ts' })),
});
