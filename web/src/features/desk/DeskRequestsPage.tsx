import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { DeclineRequest } from '@/shared/DeclineRequest';
import { useTableState } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { Button } from '@/ui/Button';
import { formatBusinessDate } from '@/ui/dates';
import { formatTin } from '@/ui/format';
import { toast } from '@/ui/Toasts';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import styles from './desk.module.css';
import { QueuePage } from './QueuePage';
import { type AccountRequest, useRequests } from './queries';

/** Pending account requests. */
export default function DeskRequestsPage() {
  return (
    <QueuePage title="Account requests" lead="Approve a request to open Add User with its details.">
      <Requests />
    </QueuePage>
  );
}

function Requests() {
  const navigate = useNavigate();
  const { table, setTable } = useTableState({ pageSize: 25 });
  const [refused, setRefused] = useState<AccountRequest | null>(null);
  const { shown } = useRequests(table);
  const columns = useMemo(
    () =>
      getColumns(
        ({ id }) => void navigate({ to: paths.addUser, state: { accountRequest: id, fromQueue: true } }),
        setRefused,
      ),
    [navigate],
  );
  return (
    <>
      <DataTable
        title="Account requests under review"
        columns={columns}
        {...shown}
        rowId={({ id }) => String(id)}
        controlled={{ state: table, onChange: setTable }}
        empty="No pending account requests."
      />
      {refused && (
        <DeclineRequest
          request={refused}
          onDeclined={() => toast.success(`Account request of ${formatName(refused)} declined`)}
          onClose={() => setRefused(null)}
        />
      )}
    </>
  );
}

type Do = (request: AccountRequest) => void;

const formatName = ({ firstName, lastName }: AccountRequest) => `${firstName} ${lastName}`;

const getColumns = (onApprove: Do, onRefuse: Do): Column<AccountRequest>[] => [
  { id: 'name', header: 'Name', lead: true, value: formatName },
  { id: 'email', header: 'Email', value: ({ emailAddress }) => emailAddress, wrap: true },
  { id: 'company', header: 'Company', value: ({ companyName }) => companyName, wrap: true },
  {
    id: 'provider',
    header: 'Provider',
    value: ({ providerList }) => providerList[0]?.providerName ?? '',
    wrap: true,
  },
  {
    id: 'ftin',
    header: 'Tax ID',
    value: ({ providerList }) => providerList[0]?.ftin ?? '',
    text: ({ providerList }) => formatTin(providerList[0]?.ftin),
  },
  {
    id: 'since',
    header: 'Requested on',
    value: ({ submittedDt }) => submittedDt,
    text: ({ submittedDt }) => formatBusinessDate(submittedDt),
  },
  {
    id: 'actions',
    header: 'Action',
    sortable: false,
    filterable: false,
    value: () => '',
    cell: (request) => (
      <div className={styles.steps}>
        <Button size="small" onClick={() => onApprove(request)}>
          Approve
          <span className="visually-hidden"> {formatName(request)}</span>
        </Button>
        <Button size="small" onClick={() => onRefuse(request)}>
          Decline
          <span className="visually-hidden"> {formatName(request)}</span>
        </Button>
      </div>
    ),
  },
];
