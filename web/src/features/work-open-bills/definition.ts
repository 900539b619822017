import type { TableShape } from '@/ui/table/shape';
import type { Column } from '@/ui/table/state';
import { type Criteria, filterOf } from './criteria';
import type { Definition, OpenBill } from './queries';

/** As a view keeps it. What is not told is left out, as the server leaves it out. */
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

/** The columns that a view shows, and how close its rows are. */
export const shapeOf = (
  { columns, compact = false }: Definition,
  all: readonly Column<OpenBill>[],
): TableShape => ({
  hidden: columns ? all.map(({ id }) => id).filter((id) => !columns.includes(id)) : [],
  compact,
});
