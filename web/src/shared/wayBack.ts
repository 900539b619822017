import { useRouter } from '@tanstack/react-router';
import { useHanded } from './visitState';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The place in the history of the list that a screen was opened from. */
    listAt?: number;
  }
}

/**
 * Leads back to the list that a screen was opened from: to the list itself, with the focus where it was, if it is the
 * visit before; else to one like it.
 */
export function useWayBack() {
  const router = useRouter();
  const { __TSR_index: entry, listAt } = useHanded();
  return (list: Parameters<typeof router.navigate>[0]) =>
    listAt === entry - 1 ? router.history.back() : void router.navigate(list);
}
