import { lazy, type RefObject, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { toFilter } from './criteria';
import type { OpenBill } from './queries';
import type { useBillActions } from './useBillActions';
import type { useBillList } from './useBillList';

// Dialogs that a click opens load lazily.
const WorkDialog = lazy(() => import('./WorkDialog'));
const BillPanel = lazy(() => import('./BillPanel'));
const PayerCallDialog = lazy(() => import('@/shared/payerCall/PayerCallDialog'));
const NotesDialog = lazy(() => import('@/shared/billNotes/NotesDialog'));
const ExportDialog = lazy(() => import('./ExportDialog'));
const ShortcutsDialog = lazy(() => import('./ShortcutsDialog'));

type OpenDialog = { name: 'notes' | 'panel'; bill: OpenBill } | { name: 'export' } | { name: 'shortcuts' };

/**
 * The dialog that is open, besides an action's own. When the panel closes, the focus returns to
 * the row of its last bill.
 */
export function useListDialogs(rows: readonly OpenBill[], page: RefObject<HTMLElement | null>) {
  const [shown, setShown] = useState<OpenDialog | null>(null);
  const last = useRef('');
  const inPanel = shown?.name === 'panel' ? shown.bill.id : '';
  const focusRow = useEffectEvent((bill: string) => {
    const at = rows.findIndex(({ id }) => id === bill);
    page.current?.querySelectorAll<HTMLElement>('tbody a')[at]?.focus();
  });
  useEffect(() => {
    if (!inPanel && last.current) focusRow(last.current);
    last.current = inPanel;
  }, [inPanel]);
  return { shown, open: (dialog: OpenDialog) => setShown(dialog), close: () => setShown(null) };
}

interface Props {
  list: ReturnType<typeof useBillList>;
  actions: ReturnType<typeof useBillActions>;
  dialogs: ReturnType<typeof useListDialogs>;
  canWork: boolean;
}

export function ListDialogs({
  list: { rows, sums, criteria, order, shownColumns },
  actions: { question, cancel, finish },
  dialogs: { shown, open, close },
  canWork,
}: Props) {
  const at = shown?.name === 'panel' ? rows.findIndex(({ id }) => id === shown.bill.id) : -1;
  const next = at >= 0 ? rows[at + 1] : undefined;
  return (
    <Suspense>
      {question?.action === 'call' && (
        <PayerCallDialog
          bills={question.bills}
          onClose={cancel}
          onLogged={(ids) => finish({ ids, changed: [], removed: [] })}
        />
      )}
      {question && question.action !== 'call' && (
        <WorkDialog action={question.action} bills={question.bills} onClose={cancel} onDone={finish} />
      )}
      {shown?.name === 'panel' && (
        <BillPanel
          bill={rows[at] ?? shown.bill}
          hasNext={next !== undefined}
          canFinish={criteria.marked === 'open'}
          onClose={close}
          onSaved={(done) => {
            finish(done);
            if (next) open({ name: 'panel', bill: next });
            else close();
          }}
        />
      )}
      {shown?.name === 'notes' && <NotesDialog bill={shown.bill} onClose={close} />}
      {shown?.name === 'export' && (
        <ExportDialog
          bills={sums.data?.all.bills ?? 0}
          filter={toFilter(criteria)}
          order={order}
          columns={shownColumns}
          onClose={close}
        />
      )}
      {shown?.name === 'shortcuts' && <ShortcutsDialog canWork={canWork} onClose={close} />}
    </Suspense>
  );
}
