import type { GroupTin } from '@/shared/tins';
import { formatInstant } from '@/ui/dates';
import type { Column } from '@/ui/table/state';

/** Since when a TIN is there. */
export const addedColumn: Column<GroupTin> = {
  id: 'added',
  header: 'Date Added',
  value: ({ addedDate }) => addedDate,
  text: ({ addedDate }) => formatInstant(addedDate),
};

/** A TIN and since when it is there. */
export const tinColumns: Column<GroupTin>[] = [
  { id: 'ftin', header: 'TIN', value: ({ ftin }) => ftin },
  addedColumn,
];
