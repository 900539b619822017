import { useState } from 'react';
import { useSession } from '@/api/session';
import { refusal } from '@/shared/refusal';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { formatDate } from '@/ui/dates';
import { formatMoney } from '@/ui/format';
import { Empty, Failed, Loading } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { ShortTable } from '@/ui/table/ShortTable';
import { type Candidate, type Unmatched, useCandidates, useJoin, useLeave } from './queries';
import styles from './unmatched.module.css';
import { differenceText } from './wording';

/** The bills that a payment could be meant for, and why nothing ties it to them. */
export function FindBill({ payment, onClose }: { payment: Unmatched; onClose: () => void }) {
  const { can } = useSession();
  const manages = can('feeds.manage');
  const found = useCandidates(payment.id);
  const join = useJoin();
  const leave = useLeave();
  const [chosen, choose] = useState<Candidate | null>(null);
  const busy = join.isPending || leave.isPending;
  const failed = join.error ?? leave.error;
  const done = (text: string) => () => {
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
            <Button disabled={busy} onClick={() => choose(null)}>
              Go back
            </Button>
            <Button
              variant="primary"
              busy={busy}
              onClick={() =>
                join.mutate(
                  { id: payment.id, to: chosen.bill.id },
                  { onSuccess: done('The payment is joined to the bill.'), onError: () => choose(null) },
                )
              }
            >
              Join
            </Button>
          </>
        ) : (
          <>
            {manages && (
              <Button
                busy={leave.isPending}
                onClick={() => leave.mutate(payment.id, { onSuccess: done('The payment is left as it is.') })}
              >
                Leave as it is
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
            focusOn={refusal(failed).message}
            title={`Error: ${refusal(failed).message}`}
          />
        )}
        <p>
          Paid {payment.paid === null ? 'nothing' : formatMoney(payment.paid)} on {formatDate(payment.paidOn)}{' '}
          by {payment.payer || 'an unnamed payer'}, check {payment.check}, for {formatMoney(payment.charges)}{' '}
          of {formatDate(payment.serviceOn) || 'an unknown day'}.
        </p>
        {chosen ? (
          <Banner kind="warning" title={`Join this payment to bill ${chosen.bill.number}?`}>
            <p>
              {chosen.differences.map(differenceText).join('; ') ||
                'They differ in nothing, and several bills do.'}
              . The bill then shows the payment, and its office is told. It can be undone.
            </p>
            {chosen.bill.paid !== null && (
              <p>
                The bill shows {paidText(chosen.bill)} already. Joined, both count: join this one only if the
                payer paid twice, or in parts.
              </p>
            )}
          </Banner>
        ) : found.isPending ? (
          <Loading />
        ) : found.isError ? (
          <Failed message={`Error: ${refusal(found.error).message}`} onRetry={() => void found.refetch()} />
        ) : found.data.candidates.length === 0 ? (
          <Empty title="No bill on file is like it">
            <p>Looked at: bills of the claimant within 7 days of the service, and those of the account.</p>
          </Empty>
        ) : (
          <ShortTable
            label="Bills it could be meant for"
            rows={found.data.candidates}
            rowId={({ bill }) => bill.id}
            columns={[
              ...(payment.ftin === ''
                ? [{ header: 'Tax ID', cell: ({ bill }: Candidate) => <Whole>{bill.ftin}</Whole> }]
                : []),
              { header: 'Bill', cell: ({ bill }) => <Whole>{bill.number}</Whole> },
              { header: 'Claimant', cell: ({ bill }) => bill.claimant },
              { header: 'Account', cell: ({ bill }) => <Whole>{bill.account}</Whole> },
              { header: 'Service', cell: ({ bill }) => <Whole>{formatDate(bill.serviceOn)}</Whole> },
              { header: 'Charges', align: 'end', cell: ({ bill }) => formatMoney(bill.charges) },
              { header: 'Paid so far', cell: ({ bill }) => paidText(bill) || 'Nothing' },
              {
                header: 'Why it was not matched',
                cell: ({ differences }) =>
                  differences.length === 0 ? (
                    'Several bills fit'
                  ) : (
                    <ul className={styles.list}>
                      {differences.map((difference) => (
                        <li key={difference.what}>{differenceText(difference)}</li>
                      ))}
                    </ul>
                  ),
              },
              ...(manages
                ? [
                    {
                      header: 'Join',
                      cell: (candidate: Candidate) =>
                        candidate.joinable ? (
                          <Button size="small" onClick={() => choose(candidate)}>
                            <span className={styles.whole}>Join…</span>
                            <span className="visually-hidden"> to {candidate.bill.number}</span>
                          </Button>
                        ) : (
                          <span className={styles.small}>Differs in too much</span>
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

/** What a bill shows of payments already; empty where there is none. */
const paidText = ({ paid, paidOn, check }: Candidate['bill']) =>
  paid === null ? '' : `${formatMoney(paid)} on ${formatDate(paidOn)}, check ${check}`;

/** A number or day that is not broken into lines. */
const Whole = ({ children }: { children: string }) => <span className={styles.whole}>{children}</span>;
