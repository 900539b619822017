import { Chip } from '@/ui/Chip';
import { formatSince } from '@/ui/dates';
import type { ShortColumn } from '@/ui/table/ShortTable';
import type { Decision } from './queries';

/** Who decided, and whether the decision was undone. */
export const decisionColumns: ShortColumn<Pick<Decision, 'by' | 'at' | 'undoneAt' | 'undoneBy'>>[] = [
  { header: 'By', cell: ({ by, at }) => `${by}, ${formatSince(at)}` },
  {
    header: 'Status',
    cell: ({ undoneAt, undoneBy }) =>
      undoneAt ? (
        <>
          <Chip>Undone</Chip> {undoneBy}, {formatSince(undoneAt)}
        </>
      ) : (
        <Chip kind="success">Current</Chip>
      ),
  },
];
