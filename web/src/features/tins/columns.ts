import type { GroupTin } from '@/shared/tins';
import { formatInstant } from '@/ui/dates';
import type { Column } from '@/ui/table/state';

/** A TIN and since when it is there. */
export const tinColumns: Column<GroupTin>[] = [
  { id: 'ftin', header: 'TIN', value: ({ ftin }) => ftin },
  {
    id: 'added',
    header: 'Date Added',
    value: ({ addedDate }) => addedDate,
    text: ({ addedDate }) => formatInstant(addedDate),
  },
];
