import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSession } from '@/api/session';
import type { SavedSearch } from './historyState';
import { getOwner } from './owner';

/** What the latest list of deposits came to. It's kept in this tab only, and not stored. */
export interface DepositSum {
  /** In dollars. */
  deposited: number;
  matched: number;
  /** Shows the matches again. */
  search: SavedSearch;
}

// Milliseconds. The list itself is kept as long.
export const depositsKept = 15 * 60_000;

const key = (owner: string) => ['deposit-sum', owner];

/** The latest list's sum, or undefined. */
export function useDepositSum(): DepositSum | undefined {
  const owner = getOwner(useSession());
  return useQuery<DepositSum>({ queryKey: key(owner), queryFn: skipToken, gcTime: depositsKept }).data;
}

export function useSetDepositSum() {
  const client = useQueryClient();
  const owner = getOwner(useSession());
  return (sum: DepositSum) => {
    client.setQueryDefaults(key(owner), { gcTime: depositsKept });
    client.setQueryData(key(owner), sum);
  };
}
