import { formatDate, today } from '@/ui/dates';
import { formatCount, formatPhone } from '@/ui/format';
import { getExportCells } from '@/ui/table/ExportMenu';
import { saveXlsx } from '@/ui/table/export';
import type { Column } from '@/ui/table/state';
import { type Criteria, linesOfBusiness } from './criteria';
import type { Client, ClientRow } from './queries';

type ClientColumn = Column<ClientRow> & { sheetWidth: number };

const makeColumn = (id: keyof Client, header: string, sheetWidth: number): ClientColumn => ({
  id,
  header,
  sheetWidth,
  value: (client) => client[id],
});
const makeWrappedColumn = (id: keyof Client, header: string, sheetWidth: number): ClientColumn => ({
  ...makeColumn(id, header, sheetWidth),
  wrap: true,
  minWidth: '9rem',
});
const makePhoneColumn = (id: 'ecsPhoneNum' | 'billClmPhoneNum', header: string): ClientColumn => ({
  ...makeColumn(id, header, 22),
  text: (client) => formatPhone(client[id]),
});

/** A client's columns on the screen and in the download, with widths in characters. */
export const clientColumns: ClientColumn[] = [
  makeWrappedColumn('aeName', 'Client', 36),
  makeWrappedColumn('affltdPayorName', 'Affiliated Payor', 32),
  makeWrappedColumn('ecsName', 'Electronic Claims', 28),
  makeWrappedColumn('billClmAttntn', 'Billing Attention', 24),
  makeWrappedColumn('billClmAddr', 'Billing Address', 44),
  makePhoneColumn('ecsPhoneNum', 'Electronic Claims Phone'),
  makePhoneColumn('billClmPhoneNum', 'Billing Phone'),
  makeColumn('ecsPayorId', 'Payor ID', 14),
];

/** The filtered clients for the download. */
export interface Filtered {
  filters: Readonly<Record<string, string>>;
  /** The number of clients found. */
  of: number;
  /** How many the list contains if there are more. */
  limitedTo: number | null;
}

/** Saves the download: the criteria, the filters, then the clients. */
export function saveClientList(
  criteria: Criteria,
  productName: string,
  clients: readonly ClientRow[],
  { filters, of, limitedTo }: Filtered,
) {
  const { lob, tin, providerId, state } = criteria;
  const head = [
    ['Line of Business', linesOfBusiness.find(({ value }) => value === lob)?.label ?? lob],
    ['Tax ID', tin],
    ['Provider ID', providerId],
    ['State', state],
    ['Product', productName],
    ['Date', formatDate(today())],
    ...clientColumns.flatMap(({ id, header }) =>
      filters[id]?.trim() ? [[`Filter: ${header}`, filters[id]]] : [],
    ),
    ...(clients.length < of
      ? [['Filtered', `${formatCount(clients.length)} of ${formatCount(of)} clients`]]
      : []),
    ...(limitedTo ? [['Limited to', `${formatCount(limitedTo)} clients`]] : []),
    [],
  ];
  return saveXlsx('Client_List.xlsx', [...head, ...getExportCells(clientColumns, clients)], {
    columnWidths: clientColumns.map(({ sheetWidth }) => sheetWidth),
    boldRows: [head.length],
  });
}
