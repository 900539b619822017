import { useEffect, useEffectEvent, useState } from 'react';
import { useStableCallback } from '../useStableCallback';
import type { TableState } from './state';

// Keystrokes are gathered before a server is asked.
const askAfter = 250;

/** The filters as typed, and how they reach the state: at once, or gathered where a server is asked. */
export function useFilters(state: TableState, onStateChange: (state: TableState) => void, onServer: boolean) {
  const [typed, setTyped] = useState<TableState['filters'] | null>(null);
  const filters = typed ?? state.filters;

  const apply = useEffectEvent((filters: TableState['filters']) => {
    setTyped(null);
    onStateChange({ ...state, filters, page: 0 });
  });
  useEffect(() => {
    if (!typed) return;
    const timer = setTimeout(() => apply(typed), askAfter);
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
