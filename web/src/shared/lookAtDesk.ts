import { tableState } from '@/ui/table/state';

/** What the service desk is to look for, which it finds as if it had been kept there. */
export const lookAtDesk = (owner: string, q: string) => ({
  kept: { owner, criteria: { q }, table: tableState({}) },
});
