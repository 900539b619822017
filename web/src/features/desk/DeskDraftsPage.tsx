import { useNavigate } from '@tanstack/react-router';
import { useTableState } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { Button } from '@/ui/Button';
import { formatBusinessDate } from '@/ui/dates';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import styles from './desk.module.css';
import { QueuePage, useQueueActions } from './QueuePage';
import { type Draft, useDrafts } from './queries';

/** Draft accounts. */
export default function DeskDraftsPage() {
  return (
    <QueuePage title="Draft accounts" lead="We haven't sent registration emails for these.">
      <Drafts />
    </QueuePage>
  );
}

function Drafts() {
  const navigate = useNavigate();
  const { table, setTable } = useTableState({ pageSize: 25 });
  const { shown } = useDrafts(table);
  const steps = useQueueActions();
  const onContinue = (user: Draft) =>
    void navigate({ to: paths.addUser, state: { user, mode: 'draftUser' } });
  return (
    <>
      <DataTable
        title="Drafts"
        columns={getColumns(onContinue, steps)}
        {...shown}
        rowId={({ id }) => String(id)}
        controlled={{ state: table, onChange: setTable }}
        empty="No draft accounts."
      />
      {steps.dialog}
    </>
  );
}

const formatName = ({ userFirstName, userLastName }: Draft) => `${userFirstName} ${userLastName}`;

const getColumns = (
  onContinue: (draft: Draft) => void,
  { confirm }: ReturnType<typeof useQueueActions>,
): Column<Draft>[] => [
  { id: 'name', header: 'Name', lead: true, sortable: false, filterable: false, value: formatName },
  { id: 'email', header: 'Email', value: ({ emailAddr }) => emailAddr, wrap: true },
  { id: 'type', header: 'Type', value: ({ typeDesc }) => typeDesc },
  {
    id: 'created',
    header: 'Started',
    value: ({ createdDt }) => createdDt,
    text: ({ createdDt }) => formatBusinessDate(createdDt),
  },
  {
    id: 'actions',
    header: 'Action',
    sortable: false,
    filterable: false,
    value: () => '',
    cell: (draft) => (
      <div className={styles.steps}>
        <Button size="small" onClick={() => onContinue(draft)}>
          Continue
          <span className="visually-hidden"> {formatName(draft)}</span>
        </Button>
        <Button
          size="small"
          onClick={() =>
            confirm({
              step: 'delete draft',
              id: draft.id,
              title: `Delete the draft account of ${formatName(draft)}?`,
              about: `${draft.emailAddr} becomes available for another account. User Search will show the draft as terminated.`,
              label: 'Delete',
              done: 'Draft deleted',
            })
          }
        >
          Delete
          <span className="visually-hidden"> {formatName(draft)}</span>
        </Button>
      </div>
    ),
  },
];
