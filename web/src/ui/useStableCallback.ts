import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * Returns the same function on every render, which calls the latest handler. For handlers in
 * memoized columns and rows; effects use useEffectEvent.
 */
export function useStableCallback<Args extends unknown[], Result>(handler: (...args: Args) => Result) {
  const newest = useRef(handler);
  useLayoutEffect(() => {
    newest.current = handler;
  });
  return useCallback((...args: Args) => newest.current(...args), []);
}
