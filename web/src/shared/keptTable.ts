import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '@/api/session';
import { type TableState, tableState } from '@/ui/table/state';
import { ownerOf } from './owner';
import { useKeep } from './visitState';

/**
 * What was done to the table of a screen without a search. Back and Reload find it in the history, and so does the way
 * back from a screen that was handed it.
 */
export function useKeptTable(initial: Partial<TableState>) {
  const router = useRouter();
  const owner = ownerOf(useSession());
  const keep = useKeep();
  const [table, setTable] = useState(() => {
    const { list } = router.history.location.state;
    return tableState(list?.owner === owner ? list.table : initial);
  });
  return {
    table,
    setTable(table: TableState) {
      setTable(table);
      void keep((before) => ({ ...before, list: { owner, table } }));
    },
    /** To be handed to a screen that leads back here. */
    list: { owner, table },
  };
}
