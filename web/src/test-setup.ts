import { cleanup, configure } from '@testing-library/react';
import * as React from 'react';
import { afterAll, afterEach, vi } from 'vitest';

// Runs before each file. Libraries stay loaded between files; our own modules reload without
// their state.
vi.resetModules();
vi.useRealTimers();
localStorage.clear();
sessionStorage.clear();
history.replaceState(null, '', '/');

// Closes the file's channels, or they'd receive the next file's messages.
const channels: BroadcastChannel[] = [];
const { BroadcastChannel } = globalThis;
globalThis.BroadcastChannel = class extends BroadcastChannel {
  constructor(name: string) {
    super(name);
    channels.push(this);
  }
};
afterAll(() => {
  for (const channel of channels) channel.close();
  globalThis.BroadcastChannel = BroadcastChannel;
});

// Durations mean nothing on a busy machine. The limits only stop tests that would never finish.
configure({ asyncUtilTimeout: 40_000 });

// React records where each element was created, for its warnings, which takes a fifth of the
// time.
const internals = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE';
const { [internals]: shared } = React as unknown as Record<typeof internals, object>;
Object.defineProperty(shared, 'recentlyCreatedOwnerStacks', {
  get: () => Number.POSITIVE_INFINITY,
  set: () => {},
  configurable: true,
});

// No test reads a style sheet. Mantine's contain hundreds of variables, which the document would
// compute for each element whose style is read.
Object.defineProperty(HTMLStyleElement.prototype, 'sheet', { get: () => null, configurable: true });

// Dialogs, menus and panels are loaded before the first click, as usual in a browser.
await (await import('@/ui/useLayers')).loadLayers();

afterEach(cleanup);
