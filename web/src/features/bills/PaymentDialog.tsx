import { addRetryTime, toProblem } from '@/shared/apiError';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { formatDate } from '@/ui/dates';
import { formatMoney } from '@/ui/format';
import { Loading, retrievalError } from '@/ui/PageState';
import styles from './bills.module.css';
import { type Bill, usePayment } from './queries';

interface Props {
  bill: Bill;
  onClose: () => void;
}

export default function PaymentDialog({ bill, onClose }: Props) {
  // The second bill system includes the payment in its bill.
  const found = usePayment(bill.mitchBill ? null : bill);
  const paid = bill.mitchBill ? bill : found.data;
  return (
    <Dialog
      open
      title="Payment Information"
      onClose={onClose}
      actions={
        <Button variant="primary" onClick={onClose} data-autofocus>
          OK
        </Button>
      }
    >
      {found.isLoading ? (
        <Loading />
      ) : found.isError ? (
        <p role="alert">{addRetryTime(retrievalError, toProblem(found.error))}</p>
      ) : !paid || (paid.paidAmount == null && !paid.paidDate && !paid.checkNumber) ? (
        <p role="alert">Payment Information is not available. Please contact Customer Service.</p>
      ) : (
        <dl className={styles.payment}>
          <dt>Paid Amount</dt>
          <dd>{formatMoney(paid.paidAmount)}</dd>
          <dt>Paid Date</dt>
          <dd>{formatDate(paid.paidDate)}</dd>
          <dt>Check Number</dt>
          <dd>{paid.checkNumber}</dd>
        </dl>
      )}
    </Dialog>
  );
}
