import { useState } from 'react';
import { useSession } from '@/api/session';
import { ActionMenu } from '@/ui/ActionMenu';
import { formatDate } from '@/ui/dates';
import { NotPermitted } from '@/ui/PageState';
import { DataTable } from '@/ui/table/DataTable';
import { type Column, createTableState } from '@/ui/table/state';
import { type OverdueGroup, useOverdue } from './queries';

/** The groups with an overdue access review. */
export default function DeskReviewsPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Access reviews</h1>
        <p className="page-lead">Groups with an overdue access review.</p>
      </header>
      {can('reviews.watch') ? <Groups /> : <NotPermitted />}
    </div>
  );
}

function Groups() {
  const [table, setTable] = useState(() => createTableState());
  const { shown } = useOverdue(table);
  return (
    <DataTable
      title="Overdue reviews"
      columns={columns}
      {...shown}
      rowId={({ id }) => String(id)}
      controlled={{ state: table, onChange: setTable }}
      empty="No overdue reviews."
      exportMenu={{ menu: ActionMenu, fileName: 'AccessReviews' }}
    />
  );
}

const counted = { sortable: false, filterable: false, align: 'end' } as const;

const columns: Column<OverdueGroup>[] = [
  {
    id: 'name',
    header: 'Group',
    lead: true,
    value: ({ groupName }) => groupName,
    wrap: true,
    minWidth: '10rem',
  },
  { id: 'group', header: 'Group ID', value: ({ groupId }) => groupId, identifies: true },
  {
    id: 'due',
    header: 'Due',
    value: ({ dueOn }) => dueOn,
    text: ({ dueOn }) => formatDate(dueOn),
    filterable: false,
  },
  { ...counted, id: 'people', header: 'Users', value: ({ people }) => people },
  { ...counted, id: 'unanswered', header: 'To review', value: ({ unanswered }) => unanswered },
];
