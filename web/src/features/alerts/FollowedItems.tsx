import { useMemo } from 'react';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import { BillLink } from '@/shared/BillLink';
import { useFollows, useUnfollow } from '@/shared/follows';
import { Button } from '@/ui/Button';
import { formatBusinessDate } from '@/ui/dates';
import { formatTin } from '@/ui/format';
import { onFirstClick } from '@/ui/onFirstClick';
import { toast } from '@/ui/Toasts';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { formatFailure } from './queries';

type Watched = components['schemas']['WatchOf'];

/** The followed bills and claims. Empty without any. */
export function FollowedItems() {
  const { mirroredUser } = useSession();
  const watches = useFollows();
  const { mutate, isPending, variables } = useUnfollow();
  const ending = isPending ? variables : null;
  const readOnly = Boolean(mirroredUser);
  const columns = useMemo(
    () =>
      readOnly
        ? facts
        : [
            ...facts,
            {
              id: 'end',
              header: 'Action',
              sortable: false,
              filterable: false,
              value: () => '',
              cell: ({ id, of, number }) => (
                <Button
                  size="small"
                  busy={ending === id}
                  onClick={onFirstClick(() =>
                    mutate(id, { onError: (error) => toast.error(formatFailure(error)) }),
                  )}
                >
                  Unfollow
                  <span className="visually-hidden">
                    {' '}
                    {of} {number}
                  </span>
                </Button>
              ),
            } satisfies Column<Watched>,
          ],
    [readOnly, ending, mutate],
  );
  if (watches.data?.watches.length === 0) return null;
  return (
    <DataTable
      title="Following"
      counted="followed"
      columns={columns}
      rows={watches.data?.watches ?? none}
      rowId={({ id }) => id}
      status={watches.isPending ? 'loading' : watches.isError ? (watches.data ? 'stale' : 'failed') : 'ready'}
      onRetry={() => void watches.refetch()}
      initial={{ pageSize: 10 }}
    />
  );
}

const none: Watched[] = [];

const names = { bill: 'Bill', claim: 'Claim' };

const facts: Column<Watched>[] = [
  {
    id: 'number',
    header: 'Number',
    lead: true,
    value: ({ number }) => number,
    cell: ({ number, page }) => (page ? <BillLink page={page}>{number}</BillLink> : number),
  },
  { id: 'of', header: 'Type', value: ({ of }) => names[of] },
  {
    id: 'claimant',
    header: 'Claimant',
    value: ({ patientLastName, patientFirstName }) =>
      [patientLastName, patientFirstName].filter(Boolean).join(', '),
    wrap: true,
    minWidth: '8rem',
  },
  { id: 'payer', header: 'Payer', value: ({ payerName }) => payerName, wrap: true, minWidth: '10rem' },
  { id: 'tin', header: 'Tax ID (TIN)', value: ({ ftin }) => ftin, text: ({ ftin }) => formatTin(ftin) },
  { id: 'since', header: 'Since', value: ({ at }) => at, text: ({ at }) => formatBusinessDate(at) },
];
