import type { components } from '@/api/schema';

/** A user in the lists of administrators. */
export type UserRow = components['schemas']['UserRow'];

/** A user selected for a bulk action. */
export interface ChosenUser {
  id: number;
  userNm: string;
  /** The display name with the username. */
  name: string;
  groupId: number | null;
}

/** The chip style of each account status. */
export const statusChipKinds: Record<UserRow['statusCd'], 'success' | 'info' | 'warning' | 'neutral'> = {
  ACTIV: 'success',
  NEW: 'info',
  DRAFT: 'info',
  INACT: 'warning',
  LOCK: 'warning',
  DISABL: 'warning',
  TERM: 'neutral',
};

/** The account types and their names, for selects. */
export const accountTypes = [
  { value: 'PRAD', label: 'Provider Admin' },
  { value: 'PRUS', label: 'Provider User' },
  { value: 'NNUS', label: 'Non-Network User' },
  { value: 'ROAD', label: 'Roster Admin' },
  { value: 'ROUS', label: 'Roster User' },
  { value: 'IRAD', label: 'Internal Read-Only Admin' },
  { value: 'ISAD', label: 'Internal System Admin' },
];
