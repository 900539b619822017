import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSession } from '@/api/session';
import { type TableState, tableState } from '@/ui/table/state';
import { ownerOf } from './owner';
import { useKeep } from './visitState';

// Keystrokes in a filter are gathered before the history is written, which browsers allow only so often.
const writeAfter = 200;

/** Has what was done to a table, and what is kept beside it, written into the history each time it has changed. */
export function useWritten(table: TableState, beside: unknown, write: () => void) {
  const last = useRef({ table, beside });
  useEffect(() => {
    const before = last.current;
    last.current = { table, beside };
    // Who leaves at once for what was found, on whatever page, comes back to it.
    if (beside !== before.beside || (table !== before.table && table.filters === before.table.filters))
      return write();
    const timer = setTimeout(write, writeAfter);
    // A click or Enter can lead to another screen, whose the history is then.
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
  }, [table, beside, write]);
}

/**
 * Results to the table of a screen without a search. Back and Reload find it in the history, and so does the way
 * back from a screen that was handed it.
 */
export function useKeptTable(initial: Partial<TableState>) {
  const router = useRouter();
  const owner = ownerOf(useSession());
  const keep = useKeep();
  const [untouched] = useState(() => {
    const { list } = router.history.location.state;
    return tableState(list?.owner === owner ? list.table : initial);
  });
  const [table, setTable] = useState(untouched);
  const write = useCallback(() => {
    if (table !== untouched) void keep((before) => ({ ...before, list: { owner, table } }));
  }, [table, untouched, owner, keep]);
  useWritten(table, null, write);
  return {
    table,
    setTable,
    /** To be handed to a screen that leads back here. */
    list: { owner, table },
  };
}
