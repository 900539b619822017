import { useEffect, useEffectEvent, useState } from 'react';
import { useStableCallback } from '../useStableCallback';
import type { TableState } from './state';

// Milliseconds to collect keystrokes before a server request.
const requestDelay = 250;

/**
 * The typed filters, and how they reach the state: immediately, or debounced for server
 * requests.
 */
export function useFilters(state: TableState, onStateChange: (state: TableState) => void, onServer: boolean) {
  const [typed, setTyped] = useState<TableState['filters'] | null>(null);
  const filters = typed ?? state.filters;

  const apply = useEffectEvent((filters: TableState['filters']) => {
    setTyped(null);
    onStateChange({ ...state, filters, page: 0 });
  });
  useEffect(() => {
    if (!typed) return;
    const timer = setTimeout(() => apply(typed), requestDelay);
    return () => clearTimeout(timer);
  }, [typed]);

  return {
    filters,
    filter: useStableCallback((id: string, value: string) => {
      const { [id]: _, ...others } = filters;
      const next = value === '' ? others : { ...others, [id]: value };
      if (onServer) setTyped(next);
      else onStateChange({ ...state, filters: next, page: 0 });
    }),
    clear() {
      setTyped(null);
      onStateChange({ ...state, filters: {}, page: 0 });
    },
  };
}
