import { createTableState } from '@/ui/table/state';

/** The navigation state that makes the service desk search for `q`. */
export const openInSupport = (owner: string, q: string) => ({
  kept: { owner, criteria: { q }, table: createTableState({}) },
});
