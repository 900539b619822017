import type { TableShape } from '@/ui/table/shape';
import type { Column } from '@/ui/table/state';
import { type Criteria, filterOf } from './criteria';
import type { Definition, OpenBill } from './queries';

/** The definition as saved in a view. Empty values are left out, as on the server. */
export const definitionOf = (
  criteria: Criteria,
  columns: string[] | undefined,
  newest: boolean,
  { compact }: { compact: boolean },
): Definition => ({
  filter: filterOf(criteria),
  ...(columns && { columns }),
  ...(newest && { order: 'newest' as const }),
  ...(compact && { compact }),
});

/** A view's columns and row height. */
export const shapeOf = (
  { columns, compact = false }: Definition,
  all: readonly Column<OpenBill>[],
): TableShape => ({
  hidden: columns ? all.map(({ id }) => id).filter((id) => !columns.includes(id)) : [],
  compact,
});
