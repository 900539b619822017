import { type RefObject, useEffect, useRef, useState } from 'react';
import { toast } from '@/ui/Toasts';
import { type Done, useChange, type WorkAction } from './change';
import type { OpenBill } from './queries';
import type { useSelection } from './useSelection';

const maxSelected = 500;

/** The group's work on the list's bills. Some actions ask for an assignee or a date first. */
export function useBillActions(
  rows: readonly OpenBill[],
  selection: ReturnType<typeof useSelection>,
  page: RefObject<HTMLElement | null>,
) {
  const [question, setQuestion] = useState<{
    action: 'assign' | 'followUp' | 'park' | 'call';
    bills: readonly OpenBill[];
  } | null>(null);
  // The bills that the latest action removed from the list.
  const [removed, setRemoved] = useState<readonly OpenBill[]>([]);
  const setFocusedBill = useFocusAfterRemoval(rows, page);
  const finish = ({ ids, changed, removed }: Done) => {
    setQuestion(null);
    // Bills that still need follow-up stay selected.
    selection.remove(ids);
    selection.update(changed);
    setRemoved(removed);
  };
  const { change, isPending } = useChange(finish);
  // The work version of each changed bill. The list has the old version until it's refetched.
  const sent = useRef(new Map<string, number>());

  const act = async (action: WorkAction, bills: readonly OpenBill[]) => {
    if (bills.length === 0) return toast.error('Select a bill first.');
    setFocusedBill(bills);
    if (bills.length > maxSelected) return toast.error(`Select up to ${maxSelected} bills.`);
    if (action !== 'done' && action !== 'open') return setQuestion({ action, bills });
    const due = bills.filter(({ id, work }) => sent.current.get(id) !== work.version);
    if (due.length === 0) return;
    for (const { id, work } of due) sent.current.set(id, work.version);
    const problem = await change(due, { marked: action }, action === 'done' ? 'Marked as done' : 'Reopened');
    if (!problem) return;
    for (const { id } of due) sent.current.delete(id);
    toast.error(problem);
  };

  return {
    act: (action: WorkAction, bills: readonly OpenBill[]) => void act(action, bills),
    isPending,
    question,
    cancel: () => setQuestion(null),
    finish,
    removed,
    clearRemoved: () => setRemoved([]),
  };
}

/** After an action on a single bill removed it, the focus moves to the one that took its place. */
function useFocusAfterRemoval(rows: readonly OpenBill[], page: RefObject<HTMLElement | null>) {
  const focused = useRef<{ id: string; at: number } | null>(null);
  useEffect(() => {
    const { current } = focused;
    focused.current = null;
    if (!current || document.activeElement !== document.body) return;
    if (rows.some(({ id }) => id === current.id)) return;
    const left = [...(page.current?.querySelectorAll<HTMLElement>('tbody tr') ?? [])];
    left[Math.min(current.at, left.length - 1)]?.querySelector('a')?.focus();
  }, [rows, page]);
  return (bills: readonly OpenBill[]) => {
    const [bill] = bills;
    focused.current = bill && bills.length === 1 ? { id: bill.id, at: rows.indexOf(bill) } : null;
  };
}
