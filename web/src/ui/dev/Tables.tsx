import { useEffect, useState } from 'react';
import { ActionMenu } from '../ActionMenu';
import { Button } from '../Button';
import { Chip } from '../Chip';
import { ConfirmDialog } from '../Dialog';
import { formatDate } from '../dates';
import { formatMoney } from '../format';
import { toast } from '../Toasts';
import { ColumnChooser } from '../table/ColumnChooser';
import { DataTable } from '../table/DataTable';
import { useTableShape } from '../table/shape';
import { type Column, createTableState, getColumnText, type TableState } from '../table/state';
import { colors } from './colors';

const names = [
  'Adeyemi, Ada',
  'baker, Hana',
  'Erikson, Bo',
  'Ferrari, Ivo',
  'Hughes, Lena',
  'Ito, Chen',
  'Owens, Gus',
];

const kinds = ['neutral', 'success', 'info', 'warning', 'error'] as const;

interface Line {
  id: string;
  name: string;
  day: string;
  colour: string;
  amount: number | null;
}

/** The address sets the number of rows: /wcpp/dev/kit?rows=5000 */
const lines: Line[] = Array.from(
  { length: Number(new URLSearchParams(location.search).get('rows') ?? 137) },
  (_, i) => ({
    id: String(410_000_000 + i * 137),
    name: names[i % names.length] ?? '',
    day: `2025-${String((i % 12) + 1).padStart(2, '0')}-${String((i % 28) + 1).padStart(2, '0')}`,
    colour: colors[i % colors.length] ?? '',
    amount: i % 9 === 4 ? null : 12.5 + i * 79.19,
  }),
);

const columns: Column<Line>[] = [
  {
    id: 'number',
    header: 'Number',
    value: (line) => line.id,
    cell: (line) => (
      <Button variant="link" onClick={() => toast.success(`Opened ${line.id}`)}>
        {line.id}
      </Button>
    ),
  },
  { id: 'name', header: 'Name', value: (line) => line.name },
  { id: 'day', header: 'Date', value: (line) => line.day, text: (line) => formatDate(line.day) },
  {
    id: 'colour',
    header: 'Colour',
    value: (line) => line.colour,
    filterable: false,
    cell: (line) => <Chip kind={kinds[line.colour.length % kinds.length]}>{line.colour}</Chip>,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'end',
    value: (line) => line.amount,
    text: (line) => formatMoney(line.amount),
  },
];

/** A table in each of its states. */
export function Tables() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<Line | null>(null);
  const [shape, setShape] = useTableShape('kit');
  return (
    <>
      <DataTable
        title="Lines"
        columns={columns}
        rows={lines}
        rowId={(line) => line.id}
        initial={{ sort: { id: 'name', desc: false } }}
        selection={{
          selected,
          onChange: setSelected,
          label: (line) => line.id,
          disabled: (line) => line.colour === 'Amber',
        }}
        layout={{ shape, onChange: setShape, chooser: ColumnChooser }}
        rowMenu={{
          menu: ActionMenu,
          actions: (line) => [
            { label: 'Ask first', onSelect: () => setAsked(line) },
            { label: 'Not now', onSelect: () => undefined, disabled: true, reason: 'Not while mirroring' },
          ],
          label: (line) => line.id,
        }}
        exportMenu={{ menu: ActionMenu, fileName: 'Lines' }}
        pages={{ position: 'both' }}
      />
      <ConfirmDialog
        open={asked !== null}
        title={`Go on with ${asked?.id}?`}
        confirmLabel="CONTINUE"
        cancelLabel="CANCEL"
        onConfirm={() => setAsked(null)}
        onCancel={() => setAsked(null)}
      />
      <DataTable title="Loading" columns={columns} rows={[]} rowId={(line) => line.id} status="loading" />
      <DataTable title="Nothing" columns={columns} rows={[]} rowId={(line) => line.id} />
      <DataTable
        title="Failed"
        columns={columns}
        rows={[]}
        rowId={(line) => line.id}
        status="failed"
        onRetry={() => toast.success('Retrying.')}
      />
      <DataTable
        title="Out of date"
        columns={columns}
        rows={lines.slice(0, 3)}
        rowId={(line) => line.id}
        status="stale"
        onRetry={() => toast.success('Retrying.')}
        pages={{ position: 'none' }}
      />
      <ServerTable />
    </>
  );
}

/** A table with server-side pages. A short delay simulates the server. */
function ServerTable() {
  const [state, setState] = useState(createTableState({ pageSize: 5 }));
  const [shown, setShown] = useState<TableState | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setShown(state), 500);
    return () => clearTimeout(timer);
  }, [state]);
  const { page, pageSize, filters, sort } = shown ?? state;
  const found = lines.filter((line) =>
    columns.every((column) => getColumnText(column, line).includes(filters[column.id] ?? '')),
  );
  if (sort?.desc) found.reverse();
  return (
    <DataTable
      title="From a server"
      columns={columns}
      rows={shown ? found.slice(page * pageSize, (page + 1) * pageSize) : []}
      rowId={(line) => line.id}
      server={{
        count: shown ? found.length : 0,
        exportRows: async function* () {
          yield found;
        },
      }}
      status={shown === state ? 'ready' : 'loading'}
      controlled={{ state, onChange: setState }}
      exportMenu={{ menu: ActionMenu, fileName: 'Lines of a server' }}
    />
  );
}
