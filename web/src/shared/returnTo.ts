import { useRouter } from '@tanstack/react-router';
import { useNavigationState } from './navigationState';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The history position of the list that opened a screen. */
    listAt?: number;
  }
}

/**
 * Returns to the list that opened a screen: the list itself, with its focus, if it's the
 * previous entry; else a new one.
 */
export function useReturnTo() {
  const router = useRouter();
  const { __TSR_index: entry, listAt } = useNavigationState();
  return (list: Parameters<typeof router.navigate>[0]) =>
    listAt === entry - 1 ? router.history.back() : void router.navigate(list);
}
