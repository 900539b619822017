import { useMemo } from 'react';
import { Button, IconButton } from '@/ui/Button';
import { RemoveIcon } from '@/ui/icons';
import { onFirstClick } from '@/ui/onFirstClick';
import { LazyTable } from '@/ui/table/LazyTable';
import type { Column, TableState } from '@/ui/table/state';
import type { Source } from './queries';

export const title = 'Roster Hub Sources';

export const pageSizes = [5, 10, 25];

interface Props {
  sources: readonly Source[];
  status: 'ready' | 'stale';
  onRetry: () => void;
  controlled: { state: TableState; onChange: (state: TableState) => void };
  /** Nothing can be removed. */
  fixed: boolean;
  /** The rows rerender when one of these three changes identity. */
  onRemove: (source: Source) => void;
  onView: (source: Source) => void;
}

export function SourceTable({ sources, fixed, onRemove, onView, ...table }: Props) {
  const columns = useMemo(() => getColumns(fixed, onRemove, onView), [fixed, onRemove, onView]);
  return (
    <LazyTable
      title={title}
      columns={columns}
      rows={sources}
      rowId={({ sourceId }) => String(sourceId)}
      empty="No groups have been added yet."
      noMatch="No matching results found. Try adjusting your filters."
      {...table}
      pages={{ position: 'both', sizes: pageSizes }}
    />
  );
}

function getColumns(fixed: boolean, onRemove: Props['onRemove'], onView: Props['onView']): Column<Source>[] {
  const plain = { sortable: false, filterable: false, value: () => '' };
  return [
    { id: 'sourceId', header: 'Roster Hub Source ID', value: ({ sourceId }) => sourceId },
    {
      id: 'sourceName',
      header: 'Roster Hub Source Name',
      value: ({ sourceName }) => sourceName,
      wrap: true,
      minWidth: '7.5rem',
    },
    {
      ...plain,
      id: 'groups',
      header: 'Provider Groups',
      wrap: true,
      minWidth: '6.5rem',
      cell: (source) => (
        <Button variant="link" onClick={() => onView(source)}>
          View Provider Hub Provider Groups
          <span className="visually-hidden"> of {source.sourceName}</span>
        </Button>
      ),
    },
    {
      ...plain,
      id: 'remove',
      header: 'Remove',
      pinned: true,
      cell: (source) => (
        <IconButton
          size="small"
          label={`Remove ${source.sourceName}`}
          disabled={fixed}
          onClick={onFirstClick(() => onRemove(source))}
        >
          <RemoveIcon />
        </IconButton>
      ),
    },
  ];
}
