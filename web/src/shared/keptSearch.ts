import { useRouter } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import { useSession } from '@/api/session';
import { type TableState, tableState } from '@/ui/table/state';
import { useWritten } from './keptTable';
import type { KeptSearch } from './navigation';
import { ownerOf } from './owner';
import { useKeep } from './visitState';

/** A search that was started; the same criteria searched again are another run. */
export interface Run<Criteria> {
  criteria: Criteria;
  run: number;
}

/** Checks kept criteria by the schema of those that are searched by. */
export const readAs =
  <Criteria>(schema: { safeParse(kept: unknown): { data?: Criteria } }) =>
  (kept: unknown): Criteria | null =>
    schema.safeParse(kept).data ?? null;

/**
 * The search of this visit, and what was done to its table, which may be there without a search. Back and Reload find
 * them in the history and run the search again, and so does the way back from a screen that was handed it. What the
 * history holds may come from an earlier version of the program, so `read` checks it.
 */
export function useKeptSearch<Criteria>(
  read: (criteria: unknown) => Criteria | null,
  initial: Partial<TableState>,
) {
  const router = useRouter();
  const owner = ownerOf(useSession());
  const [kept] = useState(() => {
    const { kept, searchInfo } = router.history.location.state;
    const found = kept ?? searchInfo;
    if (found?.owner !== owner) return null;
    const criteria = found.criteria === null ? null : read(found.criteria);
    return criteria || found.criteria === null ? { criteria, table: tableState(found.table) } : null;
  });
  const [search, setSearch] = useState<Run<Criteria> | null>(
    kept?.criteria ? { criteria: kept.criteria, run: 0 } : null,
  );
  const [table, setTable] = useState(kept?.table ?? tableState(initial));
  const keep = useKeep();

  const write = useCallback(
    (kept: KeptSearch | undefined) =>
      void keep(({ searchInfo: _, claim: __, ...state }) => ({ ...state, kept })),
    [keep],
  );

  const untouched = useRef(table);
  useWritten(
    table,
    search,
    useCallback(() => {
      if (search || table !== untouched.current)
        write({ owner, criteria: search ? search.criteria : null, table });
    }, [search, table, owner, write]),
  );

  return {
    search,
    owner,
    /** To be handed to a screen that leads back here. */
    searchInfo: search ? { owner, criteria: search.criteria, table } : undefined,
    table,
    setTable,
    start(criteria: Criteria) {
      setSearch({ criteria, run: (search?.run ?? 0) + 1 });
      setTable((current) => tableState({ ...initial, pageSize: current.pageSize }));
    },
    clear() {
      setSearch(null);
      untouched.current = tableState(initial);
      setTable(untouched.current);
      write(undefined);
    },
  };
}
