import { useMemo, useState } from 'react';
import type { OpenBill } from './queries';

/** The selected bills from any page. */
export function useSelection(rows: readonly OpenBill[]) {
  const [selected, setSelected] = useState<ReadonlyMap<string, OpenBill>>(new Map());
  // Updated where this page shows them.
  const bills = useMemo(() => {
    const shown = new Map(rows.map((bill) => [bill.id, bill]));
    return [...selected.values()].map((bill) => shown.get(bill.id) ?? bill);
  }, [selected, rows]);
  return {
    bills,
    ids: new Set(selected.keys()),
    select(ids: ReadonlySet<string>) {
      const known = new Map([...selected, ...rows.map((bill) => [bill.id, bill] as const)]);
      setSelected(new Map([...known].filter(([id]) => ids.has(id))));
    },
    toggle(bill: OpenBill) {
      const next = new Map(selected);
      if (!next.delete(bill.id)) next.set(bill.id, bill);
      setSelected(next);
    },
    remove: (ids: readonly string[]) =>
      setSelected((selected) => new Map([...selected].filter(([id]) => !ids.includes(id)))),
    /** Replaces selected bills, which another page of the list can show. */
    update: (bills: readonly OpenBill[]) =>
      setSelected((selected) => {
        const next = new Map(selected);
        for (const bill of bills) if (next.has(bill.id)) next.set(bill.id, bill);
        return next;
      }),
    clear: () => setSelected(new Map()),
  };
}
