import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSession } from '@/api/session';
import { createTableState, type TableState } from '@/ui/table/state';
import { useSetNavigationState } from './navigationState';
import { getOwner } from './owner';

// Milliseconds to collect keystrokes before writing to the history, which browsers rate-limit.
const writeDelay = 200;

/** Writes the table state and the search to the history after each change. */
export function useSaveOnChange(table: TableState, search: unknown, write: () => void) {
  const last = useRef({ table, search });
  useEffect(() => {
    const before = last.current;
    last.current = { table, search };
    // Write other changes immediately: users can leave right after a search and expect to come
    // back to it.
    if (search !== before.search || (table !== before.table && table.filters === before.table.filters))
      return write();
    const timer = setTimeout(write, writeDelay);
    // A click or Enter can open another screen, and then the history belongs to that screen.
    const writeNow = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== 'Enter') return;
      clearTimeout(timer);
      write();
    };
    document.addEventListener('pointerdown', writeNow, true);
    document.addEventListener('keydown', writeNow, true);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerdown', writeNow, true);
      document.removeEventListener('keydown', writeNow, true);
    };
  }, [table, search, write]);
}

/**
 * The table state of a screen without a search. Back and Reload restore it from the history, and
 * so does returning from a screen that received it.
 */
export function useTableState(initial: Partial<TableState>) {
  const router = useRouter();
  const owner = getOwner(useSession());
  const setNavigationState = useSetNavigationState();
  const [untouched] = useState(() => {
    const { list } = router.history.location.state;
    return createTableState(list?.owner === owner ? list.table : initial);
  });
  const [table, setTable] = useState(untouched);
  const write = useCallback(() => {
    if (table !== untouched) void setNavigationState((before) => ({ ...before, list: { owner, table } }));
  }, [table, untouched, owner, setNavigationState]);
  useSaveOnChange(table, null, write);
  return {
    table,
    setTable,
    /** For a screen that returns here. */
    list: { owner, table },
  };
}
