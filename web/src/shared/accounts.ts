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

/** The account types by their names, as one chooses among them. */
export const accountTypes = [
  { value: 'PRAD', label: 'Provider Admin' },
  { value: 'PRUS', label: 'Provider User' },
  { value: 'NNUS', label: 'Non-Network User' },
  { value: 'ROAD', label: 'Roster Admin' },
  { value: 'ROUS', label: 'Roster User' },
  { value: 'IRAD', label: 'Internal Read-Only Admin' },
  { value: 'ISAD', label: 'Internal System Admin' },
];
