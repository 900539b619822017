import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import type { Source, SourceGroup } from './queries';
import { pageSizes } from './SourceTable';

interface Props {
  source: Source;
  groups: readonly SourceGroup[];
  onClose: () => void;
}

/** A source's provider groups. */
export default function SourceGroupsDialog({ source: { sourceId, sourceName }, groups, onClose }: Props) {
  return (
    <Dialog
      open
      size="large"
      title={`Provider Hub Provider Groups of Roster Hub Source ${sourceName}`}
      onClose={onClose}
      keepOnClickOutside
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <DataTable
        title="Provider Hub Provider Groups"
        titleHidden
        headingLevel={3}
        columns={columns}
        rows={groups.filter((group) => group.sourceId === sourceId)}
        rowId={({ sourceGroupId }) => String(sourceGroupId)}
        initial={{ sort: { id: 'grpId', desc: false }, pageSize: 5 }}
        empty="No provider groups found for this source."
        noMatch="No matching results found. Try adjusting your filters."
        pages={{ position: 'both', sizes: pageSizes }}
      />
    </Dialog>
  );
}

const columns: Column<SourceGroup>[] = [
  {
    id: 'grpId',
    header: 'Provider Group ID',
    // Most are numbers.
    value: ({ grpId }) => (/^\d+$/.test(grpId) ? Number(grpId) : grpId),
    text: ({ grpId }) => grpId,
  },
  {
    id: 'grpName',
    header: 'Provider Group Name',
    value: ({ grpName }) => grpName,
    wrap: true,
    minWidth: '7.5rem',
  },
  {
    id: 'adminGroupFlag',
    header: 'Admin Group Flag',
    value: ({ adminGroupFlag }) => (adminGroupFlag === 'Y' ? 'Yes' : 'No'),
    choices: ['Yes', 'No'],
  },
];
