import { useSession } from '@/api/session';
import { toProblem } from '@/shared/apiError';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { formatBusinessDate, formatDate } from '@/ui/dates';
import { formatMoney, formatTin } from '@/ui/format';
import { Empty, Failed, Loading } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { ShortTable } from '@/ui/table/ShortTable';
import { decisionColumns } from './decisionColumns';
import {
  type Check,
  type Decision,
  type Duplicate,
  useDecide,
  useDecisions,
  useDuplicates,
  useUndoDecision,
} from './queries';
import styles from './unmatchedpayments.module.css';

/** Possible duplicate checks, which don't count until staff decide, and the past decisions. */
export function Duplicates() {
  const undo = useUndoDecision();
  const undoDecision = (id: string) => undo.mutate(id, { onSuccess: () => toast.success('Decision undone') });
  return (
    <>
      <Possible onUndo={undoDecision} />
      <Decisions onUndo={undoDecision} undo={undo} />
    </>
  );
}

function Possible({ onUndo }: { onUndo: (id: string) => void }) {
  const { can } = useSession();
  const list = useDuplicates();
  const decide = useDecide();
  const checks = list.data?.checks ?? [];
  const choose = (id: string, same: boolean) =>
    decide.mutate(
      { id, same },
      {
        onSuccess: (made) =>
          toast.success(same ? 'Counted as the same check' : 'Counted as two checks', {
            label: 'Undo',
            run: () => onUndo(made.id),
          }),
      },
    );
  const renderChoice = (row: Duplicate, same: boolean) => (
    <Button
      size="small"
      busy={decide.isPending && decide.variables.id === row.id && decide.variables.same === same}
      disabled={decide.isPending}
      onClick={() => choose(row.id, same)}
    >
      {same ? 'Same check' : 'Two checks'}
      <span className="visually-hidden">
        {' '}
        {row.check.number} of {row.check.payer}
      </span>
    </Button>
  );
  return (
    <section className="card" aria-labelledby="duplicates">
      <div className={styles.body}>
        <h2 id="duplicates">Possible duplicate checks</h2>
        {decide.isError && <Banner kind="error" title={`Error: ${toProblem(decide.error).message}`} />}
        {list.isPending ? (
          <Loading />
        ) : list.isError ? (
          <Failed onRetry={() => void list.refetch()} />
        ) : checks.length === 0 ? (
          <Empty title="No possible duplicates" />
        ) : (
          <>
            <p className={styles.small}>
              Two checks have the same number and payments. We count only one until you decide.
            </p>
            <ShortTable
              label="Possible duplicate checks"
              rows={checks}
              rowId={({ id }) => id}
              columns={[
                { header: 'Tax ID', cell: ({ ftin }) => formatTin(ftin) },
                { header: 'Not counted', cell: ({ check }) => <CheckFacts check={check} /> },
                { header: 'Counted', cell: ({ counts }) => <CheckFacts check={counts} /> },
                ...(can('feeds.manage')
                  ? [
                      {
                        header: 'Decide',
                        cell: (row: Duplicate) => (
                          <div className="button-row">
                            {renderChoice(row, true)}
                            {renderChoice(row, false)}
                          </div>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
            {list.data.more && (
              <p className={styles.small}>Showing the first {checks.length}. Decide on these to see more.</p>
            )}
          </>
        )}
      </div>
    </section>
  );
}

const CheckFacts = ({ check: { number, amount, paidOn, payer, bills, firstSeen } }: { check: Check }) => (
  <div>
    Check {number}, {formatMoney(amount)} on {formatDate(paidOn)}
    <div className={styles.small}>
      {payer}, {bills === 1 ? '1 bill' : `${bills} bills`}
    </div>
    <div className={styles.small}>Received {formatBusinessDate(firstSeen)}</div>
  </div>
);

function Decisions({
  onUndo,
  undo,
}: {
  onUndo: (id: string) => void;
  undo: ReturnType<typeof useUndoDecision>;
}) {
  const { can } = useSession();
  const list = useDecisions();
  return (
    <section className="card" aria-labelledby="decisions">
      <div className={styles.body}>
        <h2 id="decisions">Duplicate check decisions</h2>
        {undo.isError && <Banner kind="error" title={`Error: ${toProblem(undo.error).message}`} />}
        {list.isPending ? (
          <Loading />
        ) : list.isError ? (
          <Failed onRetry={() => void list.refetch()} />
        ) : list.data.length === 0 ? (
          <Empty title="No decisions yet" />
        ) : (
          <ShortTable
            label="Duplicate check decisions"
            rows={list.data}
            rowId={({ id }) => id}
            muted={({ undoneAt }) => undoneAt !== null}
            columns={[
              { header: 'Tax ID', cell: ({ ftin }) => formatTin(ftin) },
              {
                header: 'Check',
                cell: ({ number, paidOn, payer }) => `Check ${number} on ${formatDate(paidOn)}, ${payer}`,
              },
              { header: 'Decision', cell: ({ same }) => (same ? 'Same check' : 'Two checks') },
              ...decisionColumns,
              ...(can('feeds.manage')
                ? [
                    {
                      header: 'Change',
                      cell: ({ id, number, undoneAt }: Decision) =>
                        undoneAt === null && (
                          <Button
                            size="small"
                            busy={undo.isPending && undo.variables === id}
                            onClick={() => onUndo(id)}
                          >
                            Undo
                            <span className="visually-hidden"> the decision on check {number}</span>
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
