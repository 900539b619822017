import { useRouter } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import { useSession } from '@/api/session';
import { createTableState, type TableState } from '@/ui/table/state';
import type { SavedSearch } from './navigation';
import { useSetNavigationState } from './navigationState';
import { getOwner } from './owner';
import { useSaveOnChange } from './tableState';

/** A started search. Searching the same criteria again is another run. */
export interface SearchRun<Criteria> {
  criteria: Criteria;
  run: number;
}

/** Validates stored criteria with the search schema. */
export const parseCriteria =
  <Criteria>(schema: { safeParse(stored: unknown): { data?: Criteria } }) =>
  (stored: unknown): Criteria | null =>
    schema.safeParse(stored).data ?? null;

/**
 * The visit's search and its table state, which can exist without a search. Back and Reload
 * restore them from the history and repeat the search, and so does returning from a screen that
 * received them. The history can contain entries from an earlier version of the program, so
 * `read` validates them.
 */
export function useSearchState<Criteria>(
  read: (criteria: unknown) => Criteria | null,
  initial: Partial<TableState>,
) {
  const router = useRouter();
  const owner = getOwner(useSession());
  const [stored] = useState(() => {
    const { kept, searchInfo } = router.history.location.state;
    const found = kept ?? searchInfo;
    if (found?.owner !== owner) return null;
    const criteria = found.criteria === null ? null : read(found.criteria);
    return criteria || found.criteria === null ? { criteria, table: createTableState(found.table) } : null;
  });
  const [search, setSearch] = useState<SearchRun<Criteria> | null>(
    stored?.criteria ? { criteria: stored.criteria, run: 0 } : null,
  );
  const [table, setTable] = useState(stored?.table ?? createTableState(initial));
  const setNavigationState = useSetNavigationState();

  const write = useCallback(
    (kept: SavedSearch | undefined) =>
      void setNavigationState(({ searchInfo: _, claim: __, ...state }) => ({ ...state, kept })),
    [setNavigationState],
  );

  const untouched = useRef(table);
  useSaveOnChange(
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
    /** For a screen that returns here. */
    searchInfo: search ? { owner, criteria: search.criteria, table } : undefined,
    table,
    setTable,
    start(criteria: Criteria) {
      setSearch({ criteria, run: (search?.run ?? 0) + 1 });
      setTable((current) => createTableState({ ...initial, pageSize: current.pageSize }));
    },
    clear() {
      setSearch(null);
      untouched.current = createTableState(initial);
      setTable(untouched.current);
      write(undefined);
    },
  };
}
