import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useSession } from '../../api/session';
import { type TableState, tableState } from '../../ui/table/state';
import { type Criteria, criteriaSchema } from './criteria';
import type { Run } from './queries';

/** A search and what was done to its table, as the history keeps it: never in the address, and never the results. */
interface Kept {
  /** Whose search it is, in which session: it goes with sign-out, and nobody else's visit finds it. */
  owner: string;
  criteria: Criteria;
  table: TableState;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    billSearch?: Kept;
  }
}

const byClaimant = { sort: { id: 'claimant', desc: false } };
// Keystrokes in a filter are gathered before the history is written.
const writeAfter = 200;

/** The search of this visit. Back and Reload find it in the history and run it again. */
export function useKeptSearch() {
  const router = useRouter();
  const { actingUser, token } = useSession();
  const owner = `${actingUser.userNm} ${fingerprint(token)}`;
  const [kept] = useState(() => valid(router.history.location.state.billSearch, owner));
  const [search, setSearch] = useState<Run | null>(kept && { criteria: kept.criteria, run: 0 });
  const [table, setTable] = useState(kept?.table ?? tableState(byClaimant));

  const write = useCallback(
    (billSearch: Kept | undefined) =>
      router.navigate({
        to: '.',
        replace: true,
        resetScroll: false,
        state: (state) => ({ ...state, billSearch }),
      }),
    [router],
  );

  useEffect(() => {
    if (!search) return;
    const timer = setTimeout(() => void write({ owner, criteria: search.criteria, table }), writeAfter);
    return () => clearTimeout(timer);
  }, [search, table, owner, write]);

  return {
    search,
    table,
    setTable,
    start(criteria: Criteria) {
      setSearch({ criteria, run: (search?.run ?? 0) + 1 });
      setTable((current) => tableState({ ...byClaimant, pageSize: current.pageSize }));
    },
    clear() {
      setSearch(null);
      setTable(tableState(byClaimant));
      void write(undefined);
    },
  };
}

/** What the history holds may come from an earlier version of the program. */
function valid(kept: Kept | undefined, owner: string): Kept | null {
  if (kept?.owner !== owner) return null;
  const criteria = criteriaSchema.safeParse(kept.criteria);
  return criteria.success ? { ...kept, criteria: criteria.data, table: tableState(kept.table) } : null;
}

/** Tells one session from another and gives nothing of its token away (FNV-1a, 32 bits). */
function fingerprint(token: string): string {
  let hash = 0x811c9dc5;
  for (const letter of token) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(36);
}
