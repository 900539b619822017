import { Link } from '@tanstack/react-router';
import { useSession } from '@/api/session';
import { BillLink } from '@/shared/BillLink';
import { type ListCriteria, nobody, showOpenBillsBy } from '@/shared/openBills';
import { getOwner } from '@/shared/owner';
import * as paths from '@/shared/paths';
import { Chip } from '@/ui/Chip';
import { formatMoney } from '@/ui/format';
import { pluralize } from '@/ui/pluralize';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { type Member, useTeam } from './queries';

/** Each assignee's open dollars, the bill that waits longest, and what was done this week. */
export function Team() {
  const { data = [], isPending, isError, refetch } = useTeam();
  return (
    <DataTable
      title="Team"
      counted={data.length === 1 ? 'assignee' : 'assignees'}
      columns={columns}
      rows={data}
      rowId={({ userName }) => userName || nobody}
      status={isPending ? 'loading' : !isError ? 'ready' : data.length > 0 ? 'stale' : 'failed'}
      onRetry={() => void refetch()}
      empty="No open bills yet. Bills appear here once they need follow-up."
      pages={{ position: 'none' }}
    />
  );
}

const getName = ({ userName, name }: Member) => (userName ? name : 'Unassigned');

/** A figure that opens its bills in Open bills. */
function Bills({ member, more, children }: { member: Member; more?: ListCriteria; children: string }) {
  const owner = getOwner(useSession());
  const criteria = { assigned: member.userName || nobody, ...more };
  return (
    <Link to={paths.openBills} state={showOpenBillsBy(owner, criteria)}>
      {children}
      <span className="visually-hidden"> for {getName(member)}</span>
    </Link>
  );
}

const plain = { sortable: false, filterable: false } as const;

const columns: Column<Member>[] = [
  {
    id: 'assignee',
    header: 'Assignee',
    lead: true,
    ...plain,
    value: getName,
    cell: (member) => (
      <>
        {getName(member)} {member.former && <Chip kind="warning">Inactive</Chip>}
      </>
    ),
    wrap: true,
  },
  {
    id: 'dollars',
    header: 'Open dollars',
    align: 'end',
    ...plain,
    value: ({ charges }) => charges,
    cell: (member) => member.bills > 0 && <Bills member={member}>{formatMoney(member.charges)}</Bills>,
    brief: 'labeled end',
  },
  {
    id: 'bills',
    header: 'Open bills',
    align: 'end',
    ...plain,
    value: ({ bills }) => bills,
    cell: (member) => member.bills > 0 && <Bills member={member}>{pluralize(member.bills, 'bill')}</Bills>,
    brief: 'labeled below',
  },
  {
    id: 'oldest',
    header: 'Oldest untouched',
    ...plain,
    value: ({ oldest }) => oldest?.days,
    cell: ({ oldest }) =>
      oldest && (
        <>
          {pluralize(oldest.days, 'day')}, bill{' '}
          <BillLink page={oldest.id}>{oldest.billControlNumber}</BillLink>
        </>
      ),
    brief: 'labeled below',
  },
  {
    id: 'done',
    header: 'Done this week',
    align: 'end',
    ...plain,
    value: ({ doneThisWeek }) => doneThisWeek,
    cell: (member) =>
      member.doneThisWeek > 0 && (
        <Bills member={member} more={{ marked: 'done', doneThisWeek: true }}>
          {`${pluralize(member.doneThisWeek, 'bill')} done`}
        </Bills>
      ),
    brief: 'labeled below',
  },
];
