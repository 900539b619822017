import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useCanWork, useFormatUser } from '@/shared/billWork';
import { useSearchState } from '@/shared/historyState';
import { MyTins } from '@/shared/MyTins';
import * as paths from '@/shared/paths';
import { useShowMore } from '@/shared/useShowMore';
import { Button } from '@/ui/Button';
import { Empty, Failed, Loading } from '@/ui/PageState';
import { CallSheetPayer } from './CallSheetPayer';
import { type SheetBill, useCallSheet } from './callSheet';
import styles from './callSheet.module.css';
import { WithOffices } from './columns';
import { type Criteria, describeFilter, read, toFilter } from './criteria';

const PayerCallDialog = lazy(() => import('@/shared/payerCall/PayerCallDialog'));

/** The bills to call about, by payer: the overdue ones and the due follow-ups, or those of a list. */
export default function CallSheetPage() {
  const { search, clear } = useSearchState(read, { pageSize: 50 });
  const criteria = search?.criteria ?? null;
  return (
    <div className={`page ${styles.page}`}>
      <header className={styles.head}>
        <div>
          <h1>Call sheet</h1>
          <Description criteria={criteria} onClear={clear} />
        </div>
        <Button className={styles.print} onClick={() => window.print()}>
          Print
        </Button>
      </header>
      <MyTins ofUsers="Open bills are listed by a user's Tax IDs.">
        {(tins) => (
          <WithOffices tins={tins}>
            <Sheet criteria={criteria} />
          </WithOffices>
        )}
      </MyTins>
    </div>
  );
}

/** Which bills the sheet has. */
function Description({ criteria, onClear }: { criteria: Criteria | null; onClear: () => void }) {
  const formatUser = useFormatUser();
  if (!criteria)
    return <p className="page-lead">Open bills that are overdue or have a follow-up due, by payer.</p>;
  const chosen = criteria.bills.length > 0 ? 'chosen bills' : describeFilter(toFilter(criteria), formatUser);
  return (
    <p className="page-lead">
      From Open bills: {chosen}.{' '}
      <Button variant="link" size="small" onClick={onClear}>
        Show overdue bills and follow-ups
      </Button>
    </p>
  );
}

function Sheet({ criteria }: { criteria: Criteria | null }) {
  const canWork = useCanWork();
  const [called, setCalled] = useState<readonly SheetBill[] | null>(null);
  const list = useCallSheet(criteria);
  const { data, isPending, refetch, hasNextPage } = list;
  const more = useShowMore(list);
  if (isPending) return <Loading />;
  if (!data) return <Failed onRetry={() => void refetch()} />;
  if (data.length === 0)
    return (
      <div className="card">
        <Empty title="No calls due">
          See all your bills in <Link to={paths.openBills}>Open bills</Link>.
        </Empty>
      </div>
    );
  return (
    <>
      {data.map((payer) => (
        <CallSheetPayer
          key={payer.name.toLowerCase()}
          payer={payer}
          onCall={canWork ? (bills) => setCalled(bills) : undefined}
        />
      ))}
      {hasNextPage && (
        <>
          <p className={styles.rest}>More bills aren't printed. Choose Show more bills, then print.</p>
          <Button {...more} className={styles.more}>
            Show more bills
          </Button>
        </>
      )}
      <Suspense>{called && <PayerCallDialog bills={called} onClose={() => setCalled(null)} />}</Suspense>
    </>
  );
}
