import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * The same function at every drawing, which does what the newest one given does. For handlers that memoised
 * columns and rows call; what an effect calls is useEffectEvent's.
 */
export function useStableCallback<Args extends unknown[], Result>(handler: (...args: Args) => Result) {
  const newest = useRef(handler);
  useLayoutEffect(() => {
    newest.current = handler;
  });
  return useCallback((...args: Args) => newest.current(...args), []);
}
