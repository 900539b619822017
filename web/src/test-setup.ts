import { cleanup, configure } from '@testing-library/react';
import * as React from 'react';
import { afterAll, afterEach, vi } from 'vitest';

// Runs before each file. Libraries stay loaded from file to file; our own modules, and what they remember, start anew.
vi.resetModules();
vi.useRealTimers();
localStorage.clear();
sessionStorage.clear();
history.replaceState(null, '', '/');

// A channel that this file opens would hear what the next one says.
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

// How long something may take says nothing on a busy machine: the limits only end what would never end.
configure({ asyncUtilTimeout: 40_000 });

// React notes for its warnings where each element was made, which takes a fifth of the time.
const internals = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE';
const { [internals]: shared } = React as unknown as Record<typeof internals, object>;
Object.defineProperty(shared, 'recentlyCreatedOwnerStacks', {
  get: () => Number.POSITIVE_INFINITY,
  set: () => {},
  configurable: true,
});

// No style sheet of ours is read here. Those that Mantine makes hold hundreds of variables, which the document would
// work out for each element that is asked for its style.
Object.defineProperty(HTMLStyleElement.prototype, 'sheet', { get: () => null, configurable: true });

// Dialogs, menus and panels are there before the first press, as they mostly are in a browser.
await (await import('@/ui/useLayers')).loadLayers();

afterEach(cleanup);
