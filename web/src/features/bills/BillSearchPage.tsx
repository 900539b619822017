import { lazy, Suspense, useState } from 'react';
import { type DocumentKind, useDocuments } from '@/shared/billDocuments/useDocuments';
import { OwnTins } from '@/shared/OwnTins';
import { Banner } from '@/ui/Banner';
import { Answer } from '@/ui/form/SearchCard';
import { formatCount } from '@/ui/format';
import { later } from '@/ui/later';
import { retrievalError } from '@/ui/PageState';
import { useStableCallback } from '@/ui/useStableCallback';
import styles from './bills.module.css';
import { useKeptBills } from './kept';
import { type Bill, useBillSearch } from './queries';
import { lostText, type Outcome } from './results';
import { SearchForm } from './SearchForm';
import { SearchHelp } from './SearchHelp';

// The form is ready before the table's code is there, which comes while one fills it in.
const [BillTable, useTableBeforehand] = later(async () => (await import('./BillTable')).BillTable);

// Only a row leads to a dialog: they need not be there before.
const DocumentDialogs = lazy(() => import('@/shared/billDocuments/DocumentDialogs'));
const PaymentDialog = lazy(() => import('./PaymentDialog'));

export default function BillSearchPage() {
  return (
    <div className="page">
      <div className={styles.head}>
        <div>
          <h1>Bill Search</h1>
          <p className="page-lead">Find bills in one of three ways, then open what stands behind them.</p>
        </div>
        <SearchHelp />
      </div>
      <OwnTins ofUsers="Bills are searched by the Tax IDs of a user.">
        {(tins) => <Search tins={tins} />}
      </OwnTins>
    </div>
  );
}

function Search({ tins }: { tins: readonly string[] }) {
  const { search, claimNumber, table, setTable, start, clear } = useKeptBills();
  const outcome = useBillSearch(search);
  const documents = useDocuments();
  const [payment, setPayment] = useState<Bill | null>(null);
  useTableBeforehand();

  const onSearch = useStableCallback(start);
  const onReset = useStableCallback(clear);
  // The table's columns stay the same while what they call changes.
  const onOpen = useStableCallback(
    (bill: Bill, document: DocumentKind) => void documents.open(bill, document),
  );

  return (
    <>
      <SearchForm
        tins={tins}
        kept={search?.criteria ?? null}
        claimNumber={claimNumber}
        searching={outcome.outstanding > 0}
        found={outcome.rows.length > 0}
        onInvalid={onReset}
        onSearch={onSearch}
        onReset={onReset}
      />
      {search && (
        <Answer run={search.run} ready={outcome.rows.length > 0 || outcome.outstanding === 0}>
          {outcome.limitedTo && (
            <Banner kind="info">
              Only the {formatCount(outcome.limitedTo)} bills with the newest service are shown. Search with a
              date for older ones.
            </Banner>
          )}
          {outcome.lost.length > 0 && <Banner kind="warning">{lostText(outcome)}</Banner>}
          <Failures outcome={outcome} />
          {(outcome.outstanding > 0 ||
            outcome.failed.length + outcome.lost.length === 0 ||
            outcome.rows.length > 0) && (
            <BillTable
              outcome={outcome}
              state={table}
              onStateChange={setTable}
              onOpen={onOpen}
              onPayment={setPayment}
            />
          )}
        </Answer>
      )}
      <Suspense>
        {documents.result && (
          <DocumentDialogs result={documents.result} onClose={documents.dismiss} onOpen={onOpen} />
        )}
        {payment && <PaymentDialog bill={payment} onClose={() => setPayment(null)} />}
      </Suspense>
    </>
  );
}

/** Names who did not answer; what the others answered stays. */
function Failures({ outcome }: { outcome: Outcome }) {
  const { failed, failedAtLast, rows, asked, outstanding } = outcome;
  if (failed.length === 0) return null;
  const others =
    rows.length > 0
      ? ' The bills below are those of the others.'
      : outstanding === 0 && failed.length < asked
        ? ' The others found no bills.'
        : '';
  return (
    <Banner kind="error" title={failedAtLast ? retrievalError : undefined}>
      <p>
        No answer from: {failed.join(', ')}.{others}
      </p>
    </Banner>
  );
}
