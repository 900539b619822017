import type { ReactNode } from 'react';
import { ActionMenu } from '@/ui/ActionMenu';
import { Chip } from '@/ui/Chip';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { formatSummary } from './bulkTins';
import type { Answer, Outcome } from './queries';
import styles from './users.module.css';

/** A change's effect on each user, with what to do about it. */
export const Outcomes = ({
  answer: { outcomes, done },
  children,
}: {
  answer: Answer;
  children: ReactNode;
}) => (
  <DataTable
    title={done ? 'Results' : 'Preview'}
    counted="users"
    columns={done ? doneColumns : previewColumns}
    rows={outcomes}
    rowId={({ userNm }) => userNm}
    initial={{ pageSize: 25 }}
    notice={
      <div className={styles.summary}>
        <p role="status">{formatSummary(outcomes, done)}</p>
        <div className="button-row">{children}</div>
      </div>
    }
    exportMenu={{ menu: ActionMenu, fileName: done ? 'TINs changed' : 'TINs to change' }}
  />
);

const kinds = { done: 'success', nothing: 'neutral', refused: 'error', left: 'warning' } as const;

const makeColumns = (words: Record<Outcome['outcome'], string>): Column<Outcome>[] => [
  { id: 'userName', header: 'Username', value: ({ userNm }) => userNm, lead: true },
  {
    id: 'name',
    header: 'Name',
    value: ({ userFirstName, userLastName }) => `${userFirstName} ${userLastName}`.trim(),
    wrap: true,
  },
  {
    id: 'outcome',
    header: 'Result',
    value: ({ outcome }) => words[outcome],
    cell: ({ outcome }) => <Chip kind={kinds[outcome]}>{words[outcome]}</Chip>,
    choices: Object.values(words),
  },
  makeTinColumn('gains', 'Added'),
  makeTinColumn('loses', 'Removed'),
  { id: 'reason', header: 'Reason', value: ({ reason }) => reason, wrap: true, minWidth: '14rem' },
];

const makeTinColumn = (id: 'gains' | 'loses', header: string): Column<Outcome> => ({
  id,
  header,
  value: (row) => row[id].length,
  text: (row) => row[id].join(' '),
  cell: (row) => (row[id].length > shownTins ? <TinDetails tins={row[id]} /> : row[id].join(' ')),
  wrap: true,
  minWidth: '8rem',
});

const shownTins = 5;

const TinDetails = ({ tins }: { tins: string[] }) => (
  <details>
    <summary>{tins.length} TINs</summary>
    {tins.join(' ')}
  </details>
);

const previewColumns = makeColumns({
  done: 'Will change',
  nothing: 'No change',
  refused: 'Rejected',
  left: 'Not processed',
});
const doneColumns = makeColumns({
  done: 'Done',
  nothing: 'No change',
  refused: 'Rejected',
  left: 'Not processed',
});
