import { useMemo, useState } from 'react';
import { useSession } from '@/api/session';
import { basisNames, conditionNames, formatPeriod, lineNames } from '@/shared/deadlines';
import { useTableState } from '@/shared/historyState';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatDate } from '@/ui/dates';
import { NotPermitted } from '@/ui/PageState';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { EditRule } from './EditRule';
import { Holidays } from './Holidays';
import { type Rule, useDeskRules } from './queries';
import { Tester } from './Tester';
import { getDeskName } from './wording';

/** The deadlines of payers and offices: rules of the states and of the network contract. */
export default function DeskRulesPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Deadline rules</h1>
        <p className="page-lead">
          Drafts aren't applied, and offices can't see them. Have counsel review a rule before you activate
          it.
        </p>
      </header>
      {can('desk.open') ? <Desk /> : <NotPermitted />}
    </div>
  );
}

type Opened = { rule?: Rule; confirming?: boolean };

function Desk() {
  const { can } = useSession();
  const manages = can('deadlines.manage');
  const desk = useDeskRules();
  const { data, isError } = desk;
  const { table, setTable } = useTableState({ pageSize: 25 });
  const [opened, setOpened] = useState<Opened | null>(null);
  const columns = useMemo(() => getColumns(manages, setOpened), [manages]);
  return (
    <>
      {data?.counting && (
        <Banner kind="info">
          <p>The rules have changed. We're recalculating deadlines for open bills.</p>
        </Banner>
      )}
      <DataTable
        title="Rules"
        columns={columns}
        rows={data?.rules ?? []}
        rowId={({ id }) => id}
        controlled={{ state: table, onChange: setTable }}
        status={isError ? (data ? 'stale' : 'failed') : data ? 'ready' : 'loading'}
        onRetry={() => void desk.refetch()}
        toolbar={
          manages && (
            <Button size="small" onClick={() => setOpened({})}>
              Add rule
            </Button>
          )
        }
      />
      <Tester />
      {data && <Holidays holidays={data.holidays} manages={manages} />}
      {opened && <EditRule {...opened} readOnly={!manages} onClose={() => setOpened(null)} />}
    </>
  );
}

const getColumns = (manages: boolean, onOpen: (opened: Opened) => void): Column<Rule>[] => [
  { id: 'state', header: 'State', value: ({ state }) => state, minWidth: '5rem' },
  {
    id: 'line',
    header: 'Line of business',
    value: ({ line }) => lineNames[line],
    choices: Object.values(lineNames),
  },
  {
    id: 'kind',
    header: 'Deadline',
    lead: true,
    value: ({ kind, condition }) =>
      `${getDeskName(kind)}${condition ? `, ${conditionNames[condition]}` : ''}`,
    wrap: true,
    minWidth: '12rem',
  },
  {
    id: 'amount',
    header: 'Time limit',
    value: ({ amount }) => amount,
    text: (rule) => `${formatPeriod(rule)} from ${basisNames[rule.basis]}`,
    wrap: true,
    minWidth: '12rem',
  },
  {
    id: 'citation',
    header: 'Citation',
    value: ({ citation }) => citation,
    cell: ({ citation, url }) => (
      <a href={url} target="_blank" rel="noopener noreferrer">
        {citation}
      </a>
    ),
    wrap: true,
    minWidth: '9rem',
  },
  {
    id: 'status',
    header: 'Status',
    value: ({ status }) => statusNames[status],
    cell: ({ status }) => (
      <Chip kind={status === 'ACTIVE' ? 'success' : 'neutral'}>{statusNames[status]}</Chip>
    ),
    choices: Object.values(statusNames),
  },
  {
    id: 'effective',
    header: 'Effective',
    value: ({ effective }) => effective,
    text: ({ effective, ended }) =>
      ended ? `${formatDate(effective)} – ${formatDate(ended)}` : `since ${formatDate(effective)}`,
  },
  {
    id: 'reviewed',
    header: 'Reviewed',
    value: ({ reviewedOn }) => reviewedOn,
    text: ({ reviewedBy, reviewedOn }) => (reviewedOn ? `${formatDate(reviewedOn)} by ${reviewedBy}` : ''),
    wrap: true,
    minWidth: '9rem',
  },
  {
    id: 'open',
    header: manages ? 'Edit' : 'View',
    value: () => '',
    sortable: false,
    filterable: false,
    exported: false,
    pinned: true,
    minWidth: manages ? '10rem' : undefined,
    cell: (rule) => (
      <div className="button-row">
        {manages && rule.status === 'DRAFT' && (
          <Button size="small" onClick={() => onOpen({ rule, confirming: true })}>
            Activate<span className="visually-hidden"> {formatName(rule)}</span>
          </Button>
        )}
        <Button size="small" onClick={() => onOpen({ rule })}>
          {manages ? 'Edit' : 'View'}
          <span className="visually-hidden"> {formatName(rule)}</span>
        </Button>
      </div>
    ),
  },
];

const formatName = ({ state, line, kind, condition }: Rule) =>
  [state, lineNames[line], getDeskName(kind), condition && conditionNames[condition]]
    .filter(Boolean)
    .join(', ');

const statusNames = { DRAFT: 'Draft', ACTIVE: 'Active' };
