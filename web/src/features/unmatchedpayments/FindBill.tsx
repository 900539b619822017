import { useState } from 'react';
import { useSession } from '@/api/session';
import { toProblem } from '@/shared/apiError';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { formatDate } from '@/ui/dates';
import { formatMoney } from '@/ui/format';
import { Empty, Failed, Loading } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { ShortTable } from '@/ui/table/ShortTable';
import { type Candidate, type Unmatched, useCandidates, useDismissPayment, useMatchPayment } from './queries';
import styles from './unmatchedpayments.module.css';
import { describeDifference } from './wording';

/** The bills that could match a payment, with the differences that prevent an automatic match. */
export function FindBill({ payment, onClose }: { payment: Unmatched; onClose: () => void }) {
  const { can } = useSession();
  const manages = can('feeds.manage');
  const found = useCandidates(payment.id);
  const join = useMatchPayment();
  const leave = useDismissPayment();
  const [chosen, setChosen] = useState<Candidate | null>(null);
  const busy = join.isPending || leave.isPending;
  const failed = join.error ?? leave.error;
  const finishWith = (text: string) => () => {
    toast.success(text);
    onClose();
  };
  return (
    <Dialog
      open
      size="large"
      title={`${payment.claimant}, ${payment.account}`}
      onClose={busy ? undefined : onClose}
      actions={
        chosen ? (
          <>
            <Button disabled={busy} onClick={() => setChosen(null)}>
              Go back
            </Button>
            <Button
              variant="primary"
              busy={busy}
              onClick={() =>
                join.mutate(
                  { id: payment.id, to: chosen.bill.id },
                  { onSuccess: finishWith('Payment matched'), onError: () => setChosen(null) },
                )
              }
            >
              Match
            </Button>
          </>
        ) : (
          <>
            {manages && (
              <Button
                busy={leave.isPending}
                onClick={() => leave.mutate(payment.id, { onSuccess: finishWith('Payment dismissed') })}
              >
                Dismiss
              </Button>
            )}
            <Button disabled={busy} onClick={onClose}>
              Close
            </Button>
          </>
        )
      }
    >
      <div className={styles.found}>
        {failed && (
          <Banner
            kind="error"
            focusOn={toProblem(failed).message}
            title={`Error: ${toProblem(failed).message}`}
          />
        )}
        <p>
          Paid {payment.paid === null ? '$0' : formatMoney(payment.paid)} on {formatDate(payment.paidOn)} by{' '}
          {payment.payer || 'an unnamed payer'}, check {payment.check}, for {formatMoney(payment.charges)} in
          charges on {formatDate(payment.serviceOn) || 'an unknown date'}.
        </p>
        {chosen ? (
          <Banner kind="warning" title={`Match this payment to bill ${chosen.bill.number}?`}>
            <p>
              {chosen.differences.map(describeDifference).join('; ') ||
                'Everything matches, but more than one bill fits'}
              . The payment will appear on the bill, and we'll notify the office. You can undo this.
            </p>
            {chosen.bill.paid !== null && (
              <p>
                This bill already shows {describePaid(chosen.bill)}. If you match this payment, both count.
                Match it only if the payer paid twice or in installments.
              </p>
            )}
          </Banner>
        ) : found.isPending ? (
          <Loading />
        ) : found.isError ? (
          <Failed message={`Error: ${toProblem(found.error).message}`} onRetry={() => void found.refetch()} />
        ) : found.data.candidates.length === 0 ? (
          <Empty title="No similar bills found">
            <p>
              We checked the claimant's bills within 7 days of the service date and bills with the same
              account number.
            </p>
          </Empty>
        ) : (
          <ShortTable
            label="Possible matches"
            rows={found.data.candidates}
            rowId={({ bill }) => bill.id}
            columns={[
              ...(payment.ftin === ''
                ? [{ header: 'Tax ID', cell: ({ bill }: Candidate) => <NoWrap>{bill.ftin}</NoWrap> }]
                : []),
              { header: 'Bill', cell: ({ bill }) => <NoWrap>{bill.number}</NoWrap> },
              { header: 'Claimant', cell: ({ bill }) => bill.claimant },
              { header: 'Account number', cell: ({ bill }) => <NoWrap>{bill.account}</NoWrap> },
              { header: 'Service', cell: ({ bill }) => <NoWrap>{formatDate(bill.serviceOn)}</NoWrap> },
              { header: 'Charges', align: 'end', cell: ({ bill }) => formatMoney(bill.charges) },
              { header: 'Paid so far', cell: ({ bill }) => describePaid(bill) || '$0' },
              {
                header: 'Differences',
                cell: ({ differences }) =>
                  differences.length === 0 ? (
                    'More than one bill fits'
                  ) : (
                    <ul className={styles.list}>
                      {differences.map((difference) => (
                        <li key={difference.what}>{describeDifference(difference)}</li>
                      ))}
                    </ul>
                  ),
              },
              ...(manages
                ? [
                    {
                      header: 'Match',
                      cell: (candidate: Candidate) =>
                        candidate.joinable ? (
                          <Button size="small" onClick={() => setChosen(candidate)}>
                            <span className={styles.whole}>Match…</span>
                            <span className="visually-hidden"> to {candidate.bill.number}</span>
                          </Button>
                        ) : (
                          <span className={styles.small}>Too many differences</span>
                        ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </div>
    </Dialog>
  );
}

/** Describes a bill's existing payment; empty if there is none. */
const describePaid = ({ paid, paidOn, check }: Candidate['bill']) =>
  paid === null ? '' : `${formatMoney(paid)} on ${formatDate(paidOn)}, check ${check}`;

/** A number or date that doesn't wrap. */
const NoWrap = ({ children }: { children: string }) => <span className={styles.whole}>{children}</span>;
