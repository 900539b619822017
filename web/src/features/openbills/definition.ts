import type { TableShape } from '@/ui/table/shape';
import type { Column } from '@/ui/table/state';
import { optionalColumns } from './columns';
import { type Criteria, toFilter } from './criteria';
import type { Order } from './order';
import type { Definition, OpenBill } from './queries';

/** The definition as saved in a view. Empty values are left out, as on the server. */
export const toDefinition = (
  criteria: Criteria,
  columns: string[] | undefined,
  order: Order,
  { compact }: { compact: boolean },
): Definition => ({
  filter: toFilter(criteria),
  ...(columns && { columns }),
  ...(order !== 'oldest' && { order }),
  ...(compact && { compact }),
});

/** A view's columns and row height. */
export const toShape = (
  { columns, compact = false }: Definition,
  all: readonly Column<OpenBill>[],
): TableShape => ({
  hidden: columns ? all.map(({ id }) => id).filter((id) => !columns.includes(id)) : [],
  shown: columns ? optionalColumns.filter((id) => columns.includes(id)) : [],
  compact,
});
