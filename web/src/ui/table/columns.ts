import { formatMoney } from '../format';
import type { Column } from './state';

/** A column of decimal dollars. */
export const makeMoneyColumn = <Row>(
  id: string,
  header: string,
  amount: (row: Row) => number | null | undefined,
): Column<Row> => ({ id, header, align: 'end', value: amount, text: (row) => formatMoney(amount(row)) });
