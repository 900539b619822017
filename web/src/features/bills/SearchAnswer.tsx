import { lazy, Suspense, useState } from 'react';
import { type DocumentKind, useDocuments } from '@/shared/billDocuments/useDocuments';
import { Banner } from '@/ui/Banner';
import { formatCount } from '@/ui/format';
import { retrievalError } from '@/ui/PageState';
import type { TableState } from '@/ui/table/state';
import { useStableCallback } from '@/ui/useStableCallback';
import { BillTable } from './BillTable';
import type { Bill } from './queries';
import { formatLost, type Outcome } from './results';

// Only a click in a row opens these dialogs, so they load lazily.
const DocumentDialogs = lazy(() => import('@/shared/billDocuments/DocumentDialogs'));
const PaymentDialog = lazy(() => import('./PaymentDialog'));

interface Props {
  outcome: Outcome;
  state: TableState;
  onStateChange: (state: TableState) => void;
}

/** A search's bills with their documents, and the failed requests. */
export function SearchAnswer({ outcome, state, onStateChange }: Props) {
  const { limitedTo, lost, failed, outstanding, rows, sourceCount } = outcome;
  const documents = useDocuments();
  const [payment, setPayment] = useState<Bill | null>(null);
  // Stable columns whose handlers can change.
  const onOpen = useStableCallback(
    (bill: Bill, document: DocumentKind) => void documents.open(bill, document),
  );
  return (
    <>
      {limitedTo && (
        <Banner kind="info">
          Showing the {formatCount(limitedTo)} bills with the latest service dates. Search with a date to find
          older ones.
        </Banner>
      )}
      {lost.length > 0 && <Banner kind="warning">{formatLost(outcome)}</Banner>}
      <Failures outcome={outcome} />
      {(outstanding > 0 || rows.length > 0 || (failed.length === 0 && lost.length < sourceCount)) && (
        <BillTable
          outcome={outcome}
          state={state}
          onStateChange={onStateChange}
          onOpen={onOpen}
          onPayment={setPayment}
        />
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

/** Names the sources that failed. The other results stay. */
function Failures({ outcome }: { outcome: Outcome }) {
  const { failed, failedAtLast, rows, sourceCount, outstanding, wait } = outcome;
  if (failed.length === 0) return null;
  const others =
    rows.length > 0
      ? ' The bills below are from the other sources.'
      : outstanding === 0 && failed.length < sourceCount
        ? ' The other sources returned no bills.'
        : '';
  return (
    <Banner kind="error" title={failedAtLast ? retrievalError : undefined}>
      <p>
        No response from: {failed.join(', ')}.{wait}
        {others}
      </p>
    </Banner>
  );
}
