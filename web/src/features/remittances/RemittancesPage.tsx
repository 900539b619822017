import { createLink, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useSession } from '@/api/session';
import { useDepositSum } from '@/shared/depositSum';
import { errorMessage } from '@/shared/errorMessage';
import { useSearchState } from '@/shared/historyState';
import { LinkedListContext } from '@/shared/listPosition';
import type { ListRest } from '@/shared/listRest';
import { MyTins } from '@/shared/MyTins';
import { toRequest } from '@/shared/pages';
import * as paths from '@/shared/paths';
import { makeTinColumn, useOfficeNames } from '@/shared/tins';
import { ActionMenu } from '@/ui/ActionMenu';
import { Banner } from '@/ui/Banner';
import { Button, LinkButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatDate } from '@/ui/dates';
import { formatCount, formatMoney } from '@/ui/format';
import { DownloadIcon } from '@/ui/icons';
import { NotPermitted } from '@/ui/PageState';
import { pluralize } from '@/ui/pluralize';
import { toast } from '@/ui/Toasts';
import { DataTable } from '@/ui/table/DataTable';
import type { Column, TableState } from '@/ui/table/state';
import {
  type Criteria,
  duplicateNames,
  formatMethod,
  getDefaultCriteria,
  methods,
  read,
  toQuery,
} from './criteria';
import { PostButton, postedText } from './PostButton';
import { maxExported, type Row, useCanPost, useExport, usePost, useRemittances } from './queries';
import styles from './remittances.module.css';
import { SearchForm } from './SearchForm';
import { ZipDialog } from './ZipDialog';

const ButtonToRoute = createLink(LinkButton);

/** Checks and EFTs to the user's Tax IDs, newest first. */
export default function RemittancesPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header className={styles.head}>
        <div>
          <h1>Remittances</h1>
          <p className="page-lead">
            Checks and electronic payments to your Tax IDs. Open one to see how each bill was paid.
          </p>
        </div>
        {can('remittances.read') && <ButtonToRoute to={paths.deposits}>Match deposits</ButtonToRoute>}
      </header>
      {can('remittances.read') ? (
        <MyTins ofUsers="Remittances are listed by a user's Tax IDs.">
          {(tins) => <Remittances tins={tins} />}
        </MyTins>
      ) : (
        <NotPermitted />
      )}
    </div>
  );
}

/** What the latest list of deposits came to, with the way back to it. */
function DepositSum() {
  const sum = useDepositSum();
  if (!sum) return null;
  const { deposited, matched, search } = sum;
  return (
    <Banner kind={matched < deposited ? 'info' : 'success'}>
      <p>
        {formatMoney(matched)} of {formatMoney(deposited)} in deposits matched.{' '}
        <Link to={paths.deposits} state={(state) => ({ ...state, searchInfo: search })}>
          Show matches
        </Link>
      </p>
    </Banner>
  );
}

function Remittances({ tins }: { tins: readonly string[] }) {
  const { mirroredUser } = useSession();
  const { search, table, setTable, start } = useSearchState<Criteria>(read, { pageSize: 25 });
  const [first] = useState(() => ({ criteria: getDefaultCriteria(), run: 0 }));
  const current = search ?? first;
  const { shown, isFetching } = useRemittances(current, table);
  // The contents of the selected remittances when they were selected, also on other pages.
  const [contents, setContents] = useState<ReadonlyMap<string, string>>(new Map());
  const selected = useMemo(() => new Set(contents.keys()), [contents]);
  const select = (ids: ReadonlySet<string>) => {
    const loaded = new Map(shown.rows?.map(({ id, content }) => [id, content]));
    setContents(new Map([...ids].map((id) => [id, contents.get(id) ?? loaded.get(id) ?? ''])));
  };
  const [exported, setExported] = useState<{ id: number; count: number } | null>(null);
  const { mutate: create, isPending } = useExport();
  const { mutate: post, isPending: posting } = usePost();
  const canPost = useCanPost();
  const offices = useOfficeNames(tins);
  const notes = shown.rows?.some(({ duplicate }) => duplicate) ?? false;
  const columns = useMemo(() => getColumns(canPost, notes, offices), [canPost, notes, offices]);
  const createZip = () =>
    create([...selected], {
      onSuccess: setExported,
      onError: (error) => toast.error(errorMessage(error, "Error: Couldn't create the file. Try again.")),
    });
  const markPosted = () =>
    post(
      { rows: [...contents].map(([id, content]) => ({ id, content })), posted: true },
      {
        onSuccess: (marks) => {
          const changed = marks.filter(({ posted }) => posted?.state !== 'posted').length;
          if (changed < marks.length)
            toast.success(`${pluralize(marks.length - changed, 'remittance')} marked as posted`);
          if (changed > 0)
            toast.error(
              `${pluralize(changed, 'remittance')} changed since you selected them. Check and post again.`,
            );
          setContents(new Map());
        },
        onError: (error) => toast.error(errorMessage(error, "Error: Couldn't mark as posted. Try again.")),
      },
    );
  const tooMany = selected.size > maxExported;
  return (
    <>
      <DepositSum />
      <SearchForm
        tins={tins}
        current={current.criteria}
        searching={isFetching}
        onSearch={(criteria) => {
          setContents(new Map());
          start(criteria);
        }}
      />
      <LinkedListContext
        value={{
          name: 'Remittances',
          to: paths.remittances,
          ids: shown.rows?.map(({ id }) => id) ?? [],
          before: table.page * table.pageSize,
          count: shown.server.count,
          rest: getRest(current.criteria, { ...table, page: table.page + 1 }, shown.server.count),
        }}
      >
        <DataTable
          title="Search results"
          columns={columns}
          {...shown}
          rowId={({ id }) => id}
          controlled={{ state: table, onChange: setTable }}
          empty="No matching remittances. Try earlier dates. To find one with no date, search by number."
          selection={
            // Users who mirror can't export or post.
            mirroredUser
              ? undefined
              : { selected, onChange: select, label: ({ number, payer }) => `${number} from ${payer}` }
          }
          notice={
            tooMany && (
              <Banner kind="warning">
                <p>{`You can mark or download up to ${maxExported} remittances at a time. Select fewer.`}</p>
              </Banner>
            )
          }
          toolbar={
            !mirroredUser && (
              <>
                {canPost && (
                  <Button
                    size="small"
                    busy={posting}
                    disabled={selected.size === 0 || tooMany}
                    onClick={markPosted}
                  >
                    Mark selected as posted
                  </Button>
                )}
                <Button
                  size="small"
                  busy={isPending}
                  disabled={selected.size === 0 || tooMany}
                  onClick={createZip}
                >
                  <DownloadIcon width="1rem" height="1rem" />
                  Download ZIP
                </Button>
              </>
            )
          }
          exportMenu={{ menu: ActionMenu, fileName: 'Remittances' }}
        />
      </LinkedListContext>
      {exported && <ZipDialog {...exported} onClose={() => setExported(null)} />}
    </>
  );
}

/** The remittances from a page on. */
const getRest = (criteria: Criteria, table: TableState, count: number): ListRest | undefined =>
  table.page * table.pageSize < count
    ? { of: 'remittances', request: { ...toQuery(criteria), table: toRequest(table) } }
    : undefined;

const kinds = {
  whole: null,
  shared: {
    word: 'Your share',
    title: 'This payment covers several payees. The amount shown is for your Tax ID.',
  },
  assembled: {
    word: 'Rebuilt',
    title: 'Rebuilt from older payments. Check amount not available.',
  },
  noAmount: {
    word: 'No amount',
    title: "The payer's file doesn't give a payment amount. The amount shown is the total paid on its bills.",
  },
};

const getNote = ({ duplicate }: Row) => (duplicate ? duplicateNames[duplicate] : '');

const getColumns = (
  posts: boolean,
  notes: boolean,
  offices: ReturnType<typeof useOfficeNames>,
): Column<Row>[] => [
  {
    id: 'paidOn',
    header: 'Paid on',
    value: ({ paidOn }) => paidOn,
    text: ({ paidOn }) => formatDate(paidOn),
    filterable: false,
  },
  { id: 'payer', header: 'Payer', value: ({ payer }) => payer, wrap: true, minWidth: '10rem' },
  {
    id: 'number',
    header: 'Number',
    lead: true,
    value: ({ number }) => number,
    cell: ({ id, number }) => <Link {...paths.toRemittance(id)}>{number || 'No number'}</Link>,
  },
  {
    id: 'method',
    header: 'Method',
    value: ({ method }) => formatMethod(method),
    choices: Object.values(methods),
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'end',
    value: ({ amount }) => amount,
    text: ({ amount }) => formatMoney(amount),
    cell: ({ amount, kind, balanced }) => {
      const mark = kinds[kind];
      return (
        <span className={styles.amount}>
          {mark && <Chip title={mark.title}>{mark.word}</Chip>}
          {!balanced && (
            <Chip kind="warning" title="The payer's file doesn't balance. Amounts are shown as sent.">
              Out of balance
            </Chip>
          )}
          {formatMoney(amount)}
        </span>
      );
    },
    filterable: false,
  },
  {
    id: 'bills',
    header: 'Bills',
    align: 'end',
    value: ({ bills }) => bills,
    text: ({ bills }) => formatCount(bills),
    filterable: false,
  },
  ...(notes
    ? [
        {
          id: 'note',
          header: 'Note',
          value: getNote,
          cell: (row: Row) => row.duplicate && <Chip kind="warning">{getNote(row)}</Chip>,
          sortable: false,
          filterable: false,
        },
      ]
    : []),
  makeTinColumn('TIN', ({ ftin }) => ftin, offices),
  {
    id: 'posted',
    header: 'Posted',
    value: ({ posted }) => posted?.at,
    text: ({ posted }) =>
      posted ? `${posted.state === 'posted' ? '' : `${postedText[posted.state]} `}by ${posted.by}` : '',
    cell: (row) => <PostButton row={row} may={posts} />,
    sortable: false,
    filterable: false,
    pinned: true,
  },
];
