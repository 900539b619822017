import { lazy, Suspense, useState } from 'react';
import { toFilter } from './criteria';
import type { OpenBill } from './queries';
import type { useBillActions } from './useBillActions';
import type { useBillList } from './useBillList';

// Dialogs that a click opens load lazily.
const WorkDialog = lazy(() => import('./WorkDialog'));
const NotesDialog = lazy(() => import('@/shared/billNotes/NotesDialog'));
const ExportDialog = lazy(() => import('./ExportDialog'));
const ShortcutsDialog = lazy(() => import('./ShortcutsDialog'));

type OpenDialog = { name: 'notes'; bill: OpenBill } | { name: 'export' } | { name: 'shortcuts' };

/** The dialog that is open, besides an action's own. */
export function useListDialogs() {
  const [shown, setShown] = useState<OpenDialog | null>(null);
  return { shown, open: (dialog: OpenDialog) => setShown(dialog), close: () => setShown(null) };
}

interface Props {
  list: ReturnType<typeof useBillList>;
  actions: ReturnType<typeof useBillActions>;
  dialogs: ReturnType<typeof useListDialogs>;
  canWork: boolean;
}

export function ListDialogs({
  list: { sums, criteria, order, shownColumns },
  actions: { question, cancel, finish },
  dialogs: { shown, close },
  canWork,
}: Props) {
  return (
    <Suspense>
      {question && <WorkDialog {...question} onClose={cancel} onDone={finish} />}
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
