import type { GroupTin } from '@/shared/tins';
import { formatBusinessDate } from '@/ui/dates';
import type { Column } from '@/ui/table/state';

/** When a TIN was added. */
export const addedColumn: Column<GroupTin> = {
  id: 'added',
  header: 'Date Added',
  value: ({ addedDate }) => addedDate,
  text: ({ addedDate }) => formatBusinessDate(addedDate),
};

/** A TIN and when it was added. */
export const tinColumns: Column<GroupTin>[] = [
  { id: 'ftin', header: 'TIN', value: ({ ftin }) => ftin },
  addedColumn,
];
