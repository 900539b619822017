import { defineConfig } from '@playwright/test';
import config from './playwright.config';

/** Pictures of every screen in every state, into shots/: npx playwright test --config shots.config.ts */
export default defineConfig({ ...config, testMatch: 'shots.ts' });
