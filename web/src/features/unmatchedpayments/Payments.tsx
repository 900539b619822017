import { useState } from 'react';
import { useSession } from '@/api/session';
import { toProblem } from '@/shared/apiError';
import { useShowMore } from '@/shared/useShowMore';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { formatDate } from '@/ui/dates';
import { formatCount, formatMoney } from '@/ui/format';
import { Empty, Failed, Loading } from '@/ui/PageState';
import { pluralize } from '@/ui/pluralize';
import { Tiles, ToggleTile } from '@/ui/Tiles';
import { toast } from '@/ui/Toasts';
import { ShortTable } from '@/ui/table/ShortTable';
import { Candidates } from './Candidates';
import { type Unmatched, useDismissPayment, useMatchPayment, useUndoMatch, useUnmatched } from './queries';
import styles from './unmatchedpayments.module.css';

/** The payments to match, largest first, each with the bills that it may belong to. */
export function Payments() {
  const [zero, setZero] = useState(false);
  const list = useUnmatched(zero);
  const more = useShowMore(list);
  const actions = usePaymentActions();
  const bills = list.data?.pages.flatMap(({ bills }) => bills) ?? [];
  const sums = list.data?.pages[0]?.sums;
  return (
    <>
      <Tiles label="Payments by amount">
        <ToggleTile pressed={!zero} onToggle={() => setZero(false)}>
          <span>To match</span>
          <strong>{sums ? formatMoney(sums.paid) : '–'}</strong>
          <span className={styles.small}>{sums ? pluralize(sums.payments, 'payment') : 'Loading'}</span>
        </ToggleTile>
        <ToggleTile pressed={zero} onToggle={() => setZero(true)}>
          <span>Denials and $0.00 payments</span>
          <strong>{sums ? formatCount(sums.zero) : '–'}</strong>
          <span className={styles.small}>Without an amount</span>
        </ToggleTile>
      </Tiles>
      {actions.error && (
        <Banner
          kind="error"
          focusOn={toProblem(actions.error).message}
          title={`Error: ${toProblem(actions.error).message}`}
        />
      )}
      <section className="card" aria-labelledby="payments">
        <h2 id="payments" className="visually-hidden">
          Payments to match
        </h2>
        {list.isPending ? (
          <Loading />
        ) : list.isError && !list.data ? (
          <Failed onRetry={() => void list.refetch()} />
        ) : bills.length === 0 ? (
          <Empty title={zero ? 'No $0.00 payments to match' : 'All payments are matched'} />
        ) : (
          <PaymentTable bills={bills} actions={actions} />
        )}
        {list.hasNextPage && (
          <div className={styles.more}>
            <Button {...more}>Show more</Button>
          </div>
        )}
        {list.isError && list.data && (
          <Banner kind="error" title="Error: Couldn't load more payments. Try again." />
        )}
      </section>
    </>
  );
}

/** Matches and dismisses payments, each with Undo in its message. */
function usePaymentActions() {
  const match = useMatchPayment();
  const dismiss = useDismissPayment();
  const undo = useUndoMatch();
  const offerUndo = (text: string) => (made: { ftin: string; payment: string }) =>
    toast.success(text, {
      label: 'Undo',
      run: () => undo.mutate(made, { onSuccess: () => toast.success('Payment match undone') }),
    });
  return {
    isBusy: match.isPending || dismiss.isPending || undo.isPending,
    matching: match.isPending ? match.variables : undefined,
    dismissing: dismiss.isPending ? dismiss.variables : undefined,
    error: match.error ?? dismiss.error ?? undo.error,
    match: (id: string, to: string) => match.mutate({ id, to }, { onSuccess: offerUndo('Payment matched') }),
    dismiss: (id: string) => dismiss.mutate(id, { onSuccess: offerUndo('Payment dismissed') }),
  };
}

function PaymentTable({
  bills,
  actions,
}: {
  bills: Unmatched[];
  actions: ReturnType<typeof usePaymentActions>;
}) {
  const { can } = useSession();
  const manages = can('feeds.manage');
  return (
    <ShortTable
      label="Payments to match"
      rows={bills}
      rowId={({ id }) => id}
      columns={[
        {
          header: 'Paid',
          align: 'end',
          cell: ({ paid }) => <strong>{formatMoney(paid ?? 0)}</strong>,
        },
        { header: 'Payment', cell: (payment) => <PaymentFacts payment={payment} /> },
        {
          header: 'Possible bills',
          cell: (payment) => (
            <Candidates
              payment={payment}
              busy={actions.isBusy}
              matching={actions.matching?.id === payment.id ? actions.matching.to : ''}
              onMatch={manages ? (to) => actions.match(payment.id, to) : undefined}
            />
          ),
        },
        ...(manages
          ? [
              {
                header: 'Dismiss',
                cell: (payment: Unmatched) => (
                  <Button
                    size="small"
                    variant="quiet"
                    disabled={actions.isBusy && actions.dismissing !== payment.id}
                    busy={actions.dismissing === payment.id}
                    onClick={() => actions.dismiss(payment.id)}
                  >
                    Dismiss
                    <span className="visually-hidden">
                      {' '}
                      payment for {payment.claimant}, {payment.account}
                    </span>
                  </Button>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

const PaymentFacts = ({ payment }: { payment: Unmatched }) => (
  <div className={styles.facts}>
    <span>
      <strong>{payment.claimant}</strong>, account <Whole>{payment.account}</Whole>
    </span>
    <span>
      Service {formatDate(payment.serviceOn) || 'date unknown'}, {formatMoney(payment.charges)} in charges
    </span>
    <span className={styles.small}>
      {payment.payer || 'Unnamed payer'}, check <Whole>{payment.check}</Whole> on {formatDate(payment.paidOn)}
    </span>
    <span className={styles.small}>
      {payment.ftin ? (
        <>
          Tax ID <Whole>{payment.ftin}</Whole>
        </>
      ) : (
        `Tax ID unknown, NPI ${payment.npi}. No office sees this payment`
      )}
    </span>
  </div>
);

/** A number that doesn't wrap. */
export const Whole = ({ children }: { children: string }) => <span className={styles.whole}>{children}</span>;
