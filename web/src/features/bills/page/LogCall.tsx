import { lazy, Suspense, useState } from 'react';
import { useCanWork } from '@/shared/billWork';
import { Button } from '@/ui/Button';
import styles from './answer.module.css';
import type { Page } from './queries';
import { useBillWork } from './work';

const PayerCallDialog = lazy(() => import('@/shared/payerCall/PayerCallDialog'));

interface Props {
  /** The ID of the bill's page. */
  id: string;
  page: Page;
}

/** Logs a call to the payer. Staff and users who mirror can't. */
export const LogCall = (props: Props) => (useCanWork() ? <Shown {...props} /> : null);

function Shown({ id, page: { bill } }: Props) {
  const [open, setOpen] = useState(false);
  const { data } = useBillWork(id);
  return (
    <>
      <p className={styles.call}>
        <Button size="small" disabled={!data} onClick={() => setOpen(true)}>
          Log payer call
        </Button>
      </p>
      <Suspense>
        {open && data && (
          <PayerCallDialog
            bills={[
              {
                id,
                billControlNumber: bill.billControlNumber || bill.documentId,
                payerName: bill.payerName,
                work: data.work,
              },
            ]}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  );
}
