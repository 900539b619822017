import { type HistoryState, useLocation, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import { createTableState, type TableState } from '@/ui/table/state';
import type { ChosenUser, UserRow } from './accounts';
import { getOwner, ownedKeys } from './owner';

/*
 * What a screen stores in its history entry, so that Back, Reload and the next screen find it:
 * its search, its table's state, and the way back. None of it is in the address.
 */

/** A table's state in the history: never in the address, and never with rows. */
export interface SavedTable {
  /** The user and session it belongs to. It's useless after sign-out and to other users. */
  owner: string;
  table: TableState;
}

/** A search and its table state. */
export interface SavedSearch extends SavedTable {
  /** Null if there was no search and only the table changed. */
  criteria: unknown;
}

/** The data that several screens store or pass on. Features add their own. */
declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The screen's own search. */
    kept?: SavedSearch;
    /** The search to which the screen returns. */
    searchInfo?: SavedSearch;
    /** The table state of the screen's own list, or of the list to which it returns. */
    list?: SavedTable;
    /** The claim to search for, and the session that found it. */
    claim?: { owner: string; claimNumber: string };
    /** The screen's user, and whether they were selected in User Search. */
    user?: UserRow;
    admin?: boolean;
    /** The users selected in this visit's list, and the session. */
    marked?: { owner: string; users: ChosenUser[] };
    /** The users of a bulk change. */
    chosen?: ChosenUser[];
    /** The group with the listed users. */
    groupId?: number | null;
    /** The newly created user, to highlight in the list. */
    createdId?: number;
    /** The success message that the next screen shows. */
    message?: string;
    mode?: string;
    groupInfo?: components['schemas']['GroupInfo'] | null;
    returnPath?: string;
    /** The history position of the list that opened a screen. */
    listAt?: number;
  }
}

/**
 * The state that the screen received from the previous one, or set itself. The location changes
 * when the next screen starts loading, while this one is still visible.
 */
export function useHistoryState() {
  const router = useRouter();
  const [own] = useState(router.state.location.pathname);
  const now = useLocation({ select: ({ pathname, state }) => (pathname === own ? state : undefined) });
  const [latest, setLatest] = useState(now ?? router.state.location.state);
  if (now && now !== latest) setLatest(now);
  return latest;
}

/**
 * Changes only the visit's state for Back and Reload. While the next screen loads, the history
 * entry belongs to that screen, so there is nothing to change. The same applies while the app
 * asks users who clicked Back whether to leave. The browser is then at the previous entry.
 */
export function useSetHistoryState() {
  const router = useRouter();
  const [screen] = useState(() => router.history.location.pathname);
  return useCallback(
    async (change: (before: HistoryState) => HistoryState) => {
      const { pathname, state } = router.history.location;
      const entry: number = window.history.state?.__TSR_index ?? state.__TSR_index;
      if (pathname !== screen || entry !== state.__TSR_index) return;
      await router.navigate({
        to: '.',
        replace: true,
        resetScroll: false,
        // This doesn't leave the screen.
        ignoreBlocker: true,
        state: change,
      });
    },
    [router, screen],
  );
}

/**
 * The state that the visit began with. What belongs to another user or another session is left
 * out.
 */
export function useInitialState(): HistoryState {
  const router = useRouter();
  const owner = getOwner(useSession());
  const [state] = useState(() => {
    const own = { ...router.history.location.state };
    for (const key of ownedKeys) if (own[key]?.owner !== owner) delete own[key];
    return own;
  });
  return state;
}

/**
 * Returns to the list that opened a screen: the list itself, with its focus, if it's the
 * previous entry; else a new one.
 */
export function useReturnTo() {
  const router = useRouter();
  const { __TSR_index: entry, listAt } = useHistoryState();
  return (list: Parameters<typeof router.navigate>[0]) =>
    listAt === entry - 1 ? router.history.back() : void router.navigate(list);
}

// Milliseconds to collect keystrokes before writing to the history, which browsers rate-limit.
const writeDelay = 200;

/** Writes the table state and the search to the history after each change. */
function useSaveOnChange(table: TableState, search: unknown, write: () => void) {
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
  const owner = getOwner(useSession());
  const { list } = useInitialState();
  const setHistoryState = useSetHistoryState();
  const [untouched] = useState(() => createTableState(list ? list.table : initial));
  const [table, setTable] = useState(untouched);
  const write = useCallback(() => {
    if (table !== untouched) void setHistoryState((before) => ({ ...before, list: { owner, table } }));
  }, [table, untouched, owner, setHistoryState]);
  useSaveOnChange(table, null, write);
  return {
    table,
    setTable,
    /** For a screen that returns here. */
    list: { owner, table },
  };
}

/** A search for another screen to start with. */
export const createSearch = (
  owner: string,
  criteria: unknown,
  table: Partial<TableState> = {},
): SavedSearch => ({
  owner,
  criteria,
  table: createTableState(table),
});

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
  const owner = getOwner(useSession());
  const { kept, searchInfo } = useInitialState();
  const [stored] = useState(() => {
    const found = kept ?? searchInfo;
    if (!found) return null;
    const criteria = found.criteria === null ? null : read(found.criteria);
    return criteria || found.criteria === null ? { criteria, table: createTableState(found.table) } : null;
  });
  const [search, setSearch] = useState<SearchRun<Criteria> | null>(
    stored?.criteria ? { criteria: stored.criteria, run: 0 } : null,
  );
  const [table, setTable] = useState(stored?.table ?? createTableState(initial));
  const setHistoryState = useSetHistoryState();

  const write = useCallback(
    (kept: SavedSearch | undefined) =>
      void setHistoryState(({ searchInfo: _, claim: __, ...state }) => ({ ...state, kept })),
    [setHistoryState],
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
