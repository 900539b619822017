import { Marked, markDifference } from '@/shared/differences';
import { Button } from '@/ui/Button';
import { formatDate } from '@/ui/dates';
import { formatMoney } from '@/ui/format';
import { type Candidate, type Difference, type Unmatched, useCandidates } from './queries';
import styles from './unmatchedpayments.module.css';
import { differenceNames, formatValue } from './wording';

interface Props {
  payment: Unmatched;
  /** Another decision is being saved. */
  busy: boolean;
  /** The bill that the payment is being matched to. */
  matching: string;
  /** Undefined for users who can't match. */
  onMatch?: (bill: string) => void;
}

/** The bills that a payment may belong to, with what differs. */
export function Candidates({ payment, busy, matching, onMatch }: Props) {
  const others = useCandidates(payment.id);
  const list = others.data?.candidates ?? payment.candidates;
  if (list.length === 0)
    return (
      <span className={styles.small}>
        No similar bills within 7 days of the service date, or with this account number
      </span>
    );
  return (
    <>
      <ul className={styles.candidates}>
        {list.map((candidate) => (
          <li key={candidate.bill.id}>
            <CandidateFacts candidate={candidate} showTin={payment.ftin === ''} />
            {candidate.joinable
              ? onMatch && (
                  <Button
                    size="small"
                    disabled={busy && matching !== candidate.bill.id}
                    busy={matching === candidate.bill.id}
                    onClick={() => onMatch(candidate.bill.id)}
                  >
                    Match
                    <span className="visually-hidden"> to {candidate.bill.number}</span>
                  </Button>
                )
              : onMatch && <span className={styles.small}>Too many differences</span>}
          </li>
        ))}
      </ul>
      {payment.more && !others.data && (
        <Button size="small" variant="link" busy={others.isFetching} onClick={() => void others.refetch()}>
          Show other bills
          <span className="visually-hidden"> for {payment.claimant}</span>
        </Button>
      )}
      {others.isError && <span className={styles.small}>Error: Couldn't load other bills. Try again.</span>}
    </>
  );
}

const CandidateFacts = ({
  candidate: { bill, differences, joinable },
  showTin,
}: {
  candidate: Candidate;
  showTin: boolean;
}) => (
  <div className={styles.facts}>
    <span>
      <strong className={styles.whole}>{bill.number}</strong>
      {showTin && <> under Tax ID {bill.ftin}</>}, {bill.claimant}
    </span>
    {differences.length === 0 ? (
      <span>Everything matches, but more than one bill fits</span>
    ) : (
      differences.map((difference) => <DifferenceLine key={difference.what} difference={difference} />)
    )}
    {bill.paid !== null && (
      <span className={styles.small}>
        Already paid {formatMoney(bill.paid)} on {formatDate(bill.paidOn)}, check {bill.check}.
        {joinable && ' Both payments will count.'}
      </span>
    )}
  </div>
);

function DifferenceLine({ difference }: { difference: Difference }) {
  const paid = formatValue(difference.what, difference.paid);
  const sent = formatValue(difference.what, difference.sent);
  const [marked, markedSent] = markDifference(paid, sent);
  return (
    <span>
      {differenceNames[difference.what]}: <Marked parts={marked} /> on the payment,{' '}
      <Marked parts={markedSent} /> on the bill
    </span>
  );
}
