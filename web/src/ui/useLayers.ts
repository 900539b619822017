import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { toast } from './Toasts';

type Layers = typeof import('./layers');

let layers: Layers | undefined;
let loading: Promise<void> | undefined;
const listeners = new Set<() => void>();

/**
 * Loads the code of dialogs, menus and panels unless it's there. After a failure it can load
 * again.
 */
export function loadLayers(): Promise<void> {
  loading ??= import('./layers').then(
    (loaded) => {
      layers = loaded;
      for (const listener of listeners) listener();
    },
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

const subscribeToNothing = () => () => {};

// Layers that users can't close weren't opened by a click, so a retry can't be a second click.
const retryDelay = 5_000;

/**
 * The code of dialogs, menus and panels. It loads when one opens, if not earlier. If loading
 * fails, a toast says so and `onFailure` reverts the opening; without `onFailure` the layer opens as
 * soon as the code arrives.
 */
export function useLayers(open: boolean, onFailure?: () => void): Layers | undefined {
  // Closed layers don't rerender when the code arrives. A long table has many menus.
  const loaded = useSyncExternalStore(open ? subscribe : subscribeToNothing, () => layers);
  const isWaiting = open && !loaded;
  const fail = useEffectEvent((first: boolean) => {
    if (first) toast.error("Couldn't open this. Try again, or reload the page.");
    onFailure?.();
    return onFailure === undefined;
  });
  useEffect(() => {
    if (!isWaiting) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    const load = (first: boolean) =>
      loadLayers().catch(() => {
        if (!over && fail(first)) timer = setTimeout(() => void load(false), retryDelay);
      });
    void load(true);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [isWaiting]);
  return loaded;
}

/** Loads the code when the browser is idle, so that the first click opens its layer immediately. */
export function usePreloadLayers(): void {
  useEffect(() => {
    const load = () => void loadLayers().catch(() => {}); // it loads again when one opens, which also reports a failure
    // Safari doesn't support idle callbacks.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(load, 1000);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(load);
    return () => cancelIdleCallback(idle);
  }, []);
}
