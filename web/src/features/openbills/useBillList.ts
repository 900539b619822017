import { useMemo, useState } from 'react';
import { useCanWork } from '@/shared/billWork';
import { useSearchState } from '@/shared/historyState';
import type { View } from '@/shared/savedViews';
import { hideEmpty, keepChosen, type TableShape, useTableShape } from '@/ui/table/shape';
import { type Column, getColumnText } from '@/ui/table/state';
import { billColumns, dueColumns, optionalColumns, workColumns } from './columns';
import { type Criteria, noFilters, read, toCriteria, toFilter } from './criteria';
import { toDefinition, toShape } from './definition';
import { getOrder, toOrder, toSort } from './order';
import { type OpenBill, useOpenBills, useRefetch, useSummary } from './queries';

/** The list's filters, columns and bills. It starts with the open view. */
export function useBillList(opened: View | undefined) {
  // Changes by other users don't replace the version on which this list is based.
  const [view, setView] = useState(opened);
  const canWork = useCanWork();
  const columns = useMemo(() => [...billColumns, ...dueColumns, ...(canWork ? workColumns : [])], [canWork]);
  const initialCriteria = useMemo(() => (view ? toCriteria(view.definition.filter) : noFilters), [view]);
  const { search, table, setTable, start } = useSearchState(read, {
    pageSize: 50,
    sort: toSort(view ? getOrder(view.definition) : 'due'),
  });
  const current = search ?? { criteria: initialCriteria, run: 0 };
  const { criteria, run } = current;
  const [ownShape, setOwnShape] = useTableShape('open bills');
  const [viewShape, setViewShape] = useState(() => view && toShape(view.definition, columns));
  const shape = viewShape ?? ownShape;
  const results = useOpenBills(current, table);
  const rows = results.data?.bills ?? noBills;
  const next = results.data?.next;
  const empty = useMemo(
    () => [...new Set([...findEmpty(columns, rows), ...optionalColumns])],
    [columns, rows],
  );
  const setOwn = viewShape ? setViewShape : setOwnShape;
  const order = toOrder(table.sort);
  const shownColumns = useMemo(() => {
    const ids = columns.map(({ id }) => id);
    const shown = ids.filter(
      (id) => !shape.hidden.includes(id) && (!optionalColumns.includes(id) || shape.shown?.includes(id)),
    );
    const isDefault = ids.every((id) => shown.includes(id) !== optionalColumns.includes(id));
    return isDefault ? undefined : shown;
  }, [columns, shape]);
  const definition = useMemo(
    () =>
      criteria.bills.length === 0 && criteria.lost === null
        ? toDefinition(criteria, shownColumns, order, shape)
        : null,
    [criteria, shownColumns, order, shape],
  );
  const refetch = useRefetch();
  const sums = useSummary(toFilter(criteria), run);
  return {
    /** The open view, as opened or last saved here. */
    view,
    setView,
    columns,
    initialCriteria,
    criteria,
    run,
    /** Starts with other filters, in the same order. */
    start(criteria: Criteria) {
      start(criteria);
      setTable((reset) => ({ ...reset, sort: table.sort }));
    },
    table,
    setTable,
    /** The columns and row height to show: empty and optional columns are hidden unless the user chose them. */
    shape: useMemo(() => hideEmpty(shape, empty), [shape, empty]),
    setShape: (next: TableShape) => setOwn(keepChosen(shape, next, empty)),
    /** The IDs of the visible columns; undefined for the default ones. */
    shownColumns,
    order,
    results,
    rows,
    /** The bills after this page. */
    rest: next
      ? {
          of: 'bills' as const,
          request: { filter: toFilter(criteria), after: next, limit: table.pageSize, order },
        }
      : undefined,
    sums,
    refetch,
    /** The list as a view saves it; null if a view can't. */
    definition,
    /** It differs from the open view. */
    changed: view !== undefined && JSON.stringify(definition) !== JSON.stringify(getSavedDefinition(view)),
  };
}

const noBills: OpenBill[] = [];

/** The columns without a value in any of the rows. */
const findEmpty = (columns: readonly Column<OpenBill>[], rows: readonly OpenBill[]) =>
  rows.length === 0
    ? []
    : columns.filter((column) => rows.every((row) => getColumnText(column, row) === '')).map(({ id }) => id);

/** Returns the view's definition as this version of the program would save it. */
const getSavedDefinition = ({ definition }: View) =>
  toDefinition(toCriteria(definition.filter), definition.columns, getOrder(definition), {
    compact: definition.compact ?? false,
  });
