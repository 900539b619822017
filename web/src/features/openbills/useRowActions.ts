import type { RefObject } from 'react';
import { useCanWork } from '@/shared/billWork';
import type { Criteria } from './criteria';
import type { useListDialogs } from './ListDialogs';
import type { OpenBill } from './queries';
import type { useBillActions } from './useBillActions';
import { useRowKeys } from './useRowKeys';
import type { useSelection } from './useSelection';

interface Options {
  page: RefObject<HTMLElement | null>;
  rows: readonly OpenBill[];
  listed: Criteria['marked'];
  selection: ReturnType<typeof useSelection>;
  act: ReturnType<typeof useBillActions>['act'];
  dialogs: ReturnType<typeof useListDialogs>;
}

/** The actions on a row: in its menu, and by keyboard for the selection or the current row. */
export function useRowActions({ page, rows, listed, selection, act, dialogs }: Options) {
  const canWork = useCanWork();
  const openNotes = (bill: OpenBill) => dialogs.open({ name: 'notes', bill });
  const openPanel = (bill: OpenBill) => dialogs.open({ name: 'panel', bill });
  const getTargets = (at: number) => (selection.bills.length > 0 ? selection.bills : rows.slice(at, at + 1));
  const onRow = (action: (bill: OpenBill) => void) => (at: number) => {
    const bill = rows[at];
    if (bill) action(bill);
  };
  useRowKeys(page, {
    '?': () => dialogs.open({ name: 'shortcuts' }),
    ...(canWork && {
      x: onRow(selection.toggle),
      e: (at) => act(listed === 'open' ? 'done' : 'open', getTargets(at)),
      a: (at) => act('assign', getTargets(at)),
      c: (at) => act('call', getTargets(at)),
      n: onRow(openNotes),
      Enter: onRow(openPanel),
      o: (at) => page.current?.querySelectorAll<HTMLElement>('tbody a')[at]?.click(),
    }),
  });
  return (bill: OpenBill) => [
    { label: 'Work on bill', onSelect: () => openPanel(bill) },
    { label: 'Notes', onSelect: () => openNotes(bill) },
    { label: 'Log payer call', onSelect: () => act('call', [bill]) },
    ...(listed === 'open'
      ? [
          { label: 'Mark as done', onSelect: () => act('done', [bill]) },
          { label: 'Snooze until', onSelect: () => act('park', [bill]) },
        ]
      : [{ label: 'Reopen', onSelect: () => act('open', [bill]) }]),
  ];
}
