import { useState } from 'react';
import { useSession } from '@/api/session';
import { toProblem } from '@/shared/apiError';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatDate, formatSince } from '@/ui/dates';
import { formatMoney } from '@/ui/format';
import { Empty, Failed, Loading, NotPermitted } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { ShortTable } from '@/ui/table/ShortTable';
import { Duplicates } from './Duplicates';
import { FindBill } from './FindBill';
import { type MatchDecision, type Unmatched, useMatchHistory, useUndoMatch, useUnmatched } from './queries';
import styles from './unmatchedpayments.module.css';
import { differenceNames } from './wording';

/** Payments without a matching bill on file. */
export default function UnmatchedPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Unmatched payments</h1>
        <p className="page-lead">
          Payments we couldn't match to a bill. Views are logged, and the offices can see the log.
        </p>
      </header>
      {can('feeds.watch') ? (
        <>
          <Payments />
          <MatchHistory />
          <Duplicates />
        </>
      ) : (
        <NotPermitted />
      )}
    </div>
  );
}

function Payments() {
  const list = useUnmatched();
  const [opened, setOpened] = useState<Unmatched | null>(null);
  const bills = list.data?.pages.flatMap(({ bills }) => bills) ?? [];
  return (
    <section className="card" aria-labelledby="payments">
      <div className={styles.body}>
        <h2 id="payments">Payments to match</h2>
        {list.isPending ? (
          <Loading />
        ) : list.isError && !list.data ? (
          <Failed onRetry={() => void list.refetch()} />
        ) : bills.length === 0 ? (
          <Empty title="All payments are matched" />
        ) : (
          <>
            <p className={styles.small}>
              Payments to unconfirmed NPIs come first; no office sees these. The rest are sorted by Tax ID,
              oldest service first.
            </p>
            <ShortTable
              label="Payments to match"
              rows={bills}
              rowId={({ id }) => id}
              columns={[
                { header: 'Tax ID', cell: ({ ftin, npi }) => ftin || `Unknown, NPI ${npi}` },
                { header: 'Claimant', cell: ({ claimant }) => claimant },
                { header: 'Account number', cell: ({ account }) => account },
                { header: 'Service', cell: ({ serviceOn }) => formatDate(serviceOn) },
                { header: 'Charges', align: 'end', cell: ({ charges }) => formatMoney(charges) },
                {
                  header: 'Paid',
                  align: 'end',
                  cell: ({ paid }) => (paid === null ? '' : formatMoney(paid)),
                },
                { header: 'Paid on', cell: ({ paidOn }) => formatDate(paidOn) },
                { header: 'Check', cell: ({ check }) => check },
                { header: 'Payer', cell: ({ payer }) => payer },
                {
                  header: 'Bill',
                  cell: (bill) => (
                    <Button size="small" onClick={() => setOpened(bill)}>
                      Find bill
                      <span className="visually-hidden">
                        {' '}
                        for {bill.claimant}, {bill.account}
                      </span>
                    </Button>
                  ),
                },
              ]}
            />
            {list.hasNextPage && (
              <div>
                <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                  Show more
                </Button>
              </div>
            )}
          </>
        )}
        {list.isError && list.data && (
          <Banner kind="error" title="Error: Couldn't load more payments. Try again." />
        )}
      </div>
      {opened && <FindBill payment={opened} onClose={() => setOpened(null)} />}
    </section>
  );
}

function MatchHistory() {
  const { can } = useSession();
  const manages = can('feeds.manage');
  const history = useMatchHistory();
  const undo = useUndoMatch();
  return (
    <section className="card" aria-labelledby="said">
      <div className={styles.body}>
        <h2 id="said">Match history</h2>
        {undo.isError && <Banner kind="error" title={`Error: ${toProblem(undo.error).message}`} />}
        {history.isPending ? (
          <Loading />
        ) : history.isError ? (
          <Failed onRetry={() => void history.refetch()} />
        ) : history.data.length === 0 ? (
          <Empty title="No matches yet" />
        ) : (
          <ShortTable
            label="Match history"
            rows={history.data}
            rowId={({ payment, at, ftin }) => `${ftin} ${payment} ${at}`}
            muted={({ undoneAt }) => undoneAt !== null}
            columns={[
              { header: 'Tax ID', cell: ({ ftin, npi }) => ftin || `Unknown, NPI ${npi}` },
              {
                header: 'Payment',
                cell: ({ check, paid, paidOn }) =>
                  `Check ${check}, ${formatMoney(paid)} on ${formatDate(paidOn)}`,
              },
              { header: 'Bill', cell: ({ bill }) => bill },
              {
                header: 'Decision',
                cell: ({ left, difference }) =>
                  left
                    ? 'Dismissed'
                    : `Matched; ${difference ? `different ${differenceNames[difference].toLowerCase()}` : 'no differences'}`,
              },
              { header: 'By', cell: ({ by, at }) => `${by}, ${formatSince(at)}` },
              {
                header: 'Status',
                cell: ({ undoneAt, undoneBy }) =>
                  undoneAt ? (
                    <>
                      <Chip>Undone</Chip> {undoneBy}, {formatSince(undoneAt)}
                    </>
                  ) : (
                    <Chip kind="success">Current</Chip>
                  ),
              },
              ...(manages
                ? [
                    {
                      header: 'Change',
                      cell: (one: MatchDecision) =>
                        one.undoneAt === null && (
                          <Button
                            size="small"
                            busy={undo.isPending && undo.variables === one}
                            onClick={() =>
                              undo.mutate(one, {
                                onSuccess: () => toast.success('Payment match undone'),
                              })
                            }
                          >
                            Undo
                            <span className="visually-hidden"> match for check {one.check}</span>
                          </Button>
                        ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </div>
    </section>
  );
}
