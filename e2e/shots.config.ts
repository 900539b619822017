import { defineConfig } from '@playwright/test';
import config from './playwright.config';

/** Pictures of every screen in every state, into shots/: npm run shots */
export default defineConfig({ ...config, testMatch: 'shots.ts' });
