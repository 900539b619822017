import { useSession } from '@/api/session';
import { toProblem } from '@/shared/apiError';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { formatDate } from '@/ui/dates';
import { formatMoney } from '@/ui/format';
import { Empty, Failed, Loading, NotPermitted } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { ShortTable } from '@/ui/table/ShortTable';
import { Duplicates } from './Duplicates';
import { decisionColumns } from './decisionColumns';
import { Payments } from './Payments';
import { type MatchDecision, useMatchHistory, useUndoMatch } from './queries';
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
              ...decisionColumns,
              ...(manages
                ? [
                    {
                      header: 'Change',
                      cell: (one: MatchDecision) =>
                        one.undoneAt === null && (
                          <Button
                            size="small"
                            busy={undo.isPending && undo.variables.payment === one.payment}
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
