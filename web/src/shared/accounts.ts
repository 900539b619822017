import type { UserRow } from './navigation';

/** How the status of an account looks in a table. */
export const statusLooks: Record<UserRow['statusCd'], 'success' | 'info' | 'warning' | 'neutral'> = {
  ACTIV: 'success',
  NEW: 'info',
  DRAFT: 'info',
  INACT: 'warning',
  LOCK: 'warning',
  DISABL: 'warning',
  TERM: 'neutral',
};
