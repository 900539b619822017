import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { toast } from './Toasts';

type Layers = typeof import('./layers');

let layers: Layers | undefined;
let asked: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** Fetches what dialogs, menus and panels are made of, unless it is there. After a failure it is asked for anew. */
export function loadLayers(): Promise<void> {
  asked ??= import('./layers').then(
    (loaded) => {
      layers = loaded;
      for (const tell of listeners) tell();
    },
    (error) => {
      asked = undefined;
      throw error;
    },
  );
  return asked;
}

function subscribe(tell: () => void) {
  listeners.add(tell);
  return () => {
    listeners.delete(tell);
  };
}

const never = () => () => {};

// What nobody can close was not opened by a press that could be repeated.
const againAfter = 5_000;

/**
 * What dialogs, menus and panels are made of, once it is there; it comes when one is to open, if not before. Where it
 * cannot be had that is told, and `giveUp` takes the opening back; without it the layer opens as soon as it can.
 */
export function useLayers(open: boolean, giveUp?: () => void): Layers | undefined {
  // What is closed is not drawn again as they come: a long table has many menus.
  const there = useSyncExternalStore(open ? subscribe : never, () => layers);
  const waits = open && !there;
  const fail = useEffectEvent((first: boolean) => {
    if (first) toast.error("Couldn't open this. Try again, or reload the page.");
    giveUp?.();
    return giveUp === undefined;
  });
  useEffect(() => {
    if (!waits) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    const load = (first: boolean) =>
      loadLayers().catch(() => {
        if (!over && fail(first)) timer = setTimeout(() => void load(false), againAfter);
      });
    void load(true);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [waits]);
  return there;
}

/** Fetches them when the browser has nothing else to do: the first press then opens what it should at once. */
export function useLayersBeforehand(): void {
  useEffect(() => {
    const load = () => void loadLayers().catch(() => {}); // asked for again where one opens, and its failure told
    // Safari has no idle callbacks.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(load, 1000);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(load);
    return () => cancelIdleCallback(idle);
  }, []);
}
