import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { ActionMenu } from '../ActionMenu';
import { ConfirmDialog } from '../Dialog';
import { KitProvider } from '../KitProvider';
import { Layer } from '../Layer';
import { ColumnChooser } from './ColumnChooser';
import { DataTable } from './DataTable';
import { useTableShape } from './shape';
import { type Column, createTableState, type TableState } from './state';

interface Line {
  id: string;
  name: string;
  day: string;
  amount: number | null;
}

const names = ['delta', 'Alpha', 'charlie', 'Bravo'];
const lines = (count: number): Line[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `n${i}`,
    name: `${names[i % 4]} ${i}`,
    day: `2025-0${(i % 9) + 1}-15`,
    amount: i === 2 ? null : i * 10,
  }));

const columns: Column<Line>[] = [
  { id: 'name', header: 'Name', value: (line) => line.name },
  {
    id: 'day',
    header: 'Day',
    value: (line) => line.day,
    text: (line) => `${line.day.slice(5, 7)}/${line.day.slice(8)}/${line.day.slice(0, 4)}`,
  },
  { id: 'amount', header: 'Amount', value: (line) => line.amount, align: 'end' },
  { id: 'extra', header: 'Extra', value: () => '', sortable: false, filterable: false },
];

type Props = Partial<Parameters<typeof DataTable<Line>>[0]>;
const Table = (props: Props) => (
  <KitProvider>
    <main>
      <DataTable title="Lines" columns={columns} rows={lines(4)} rowId={(line) => line.id} {...props} />
      <Layer />
    </main>
  </KitProvider>
);

function Owner({ states }: { states: TableState[] }) {
  const [state, setState] = useState(createTableState({ pageSize: 5 }));
  return (
    <Table
      rows={lines(12)}
      controlled={{
        state,
        onChange: (next) => {
          states.push(next);
          setState(next);
        },
      }}
    />
  );
}

function Selecting({ disabled }: { disabled?: (line: Line) => boolean }) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  return (
    <>
      <output>{[...selected].sort().join(' ')}</output>
      <Table
        rows={lines(12)}
        selection={{ selected, onChange: setSelected, label: ({ name }) => name, disabled, allLabel: 'ALL' }}
      />
    </>
  );
}

function WithDialog() {
  const [asked, setAsked] = useState('');
  return (
    <>
      <Table
        rowMenu={{
          menu: ActionMenu,
          actions: (line) =>
            line.id === 'n0'
              ? []
              : [
                  { label: 'Copy', onSelect: () => setAsked('copy'), disabled: true, reason: 'Not now' },
                  { label: 'Remove', onSelect: () => setAsked(line.name) },
                ],
          label: (line) => line.name,
        }}
      />
      <KitProvider>
        <ConfirmDialog
          open={asked !== ''}
          title={`Remove ${asked}?`}
          confirmLabel="YES"
          cancelLabel="NO"
          onConfirm={() => setAsked('')}
          onCancel={() => setAsked('')}
        />
      </KitProvider>
    </>
  );
}

const readCells = (column: number) =>
  screen
    .getAllByRole('row')
    .filter((row) => within(row).queryAllByRole('columnheader').length === 0)
    .map((row) => within(row).queryAllByRole('cell')[column]?.textContent ?? '')
    .slice(1);

it('a selected row leads to the actions on the selection', async () => {
  const selection = { selected: new Set(['n1']), onChange: () => {}, label: ({ name }: Line) => name };
  render(<Table selection={selection} toolbar={<button type="button">Assign</button>} />);
  screen.getByRole('checkbox', { name: 'Select Alpha 1' }).focus();
  await userEvent.tab();
  expect(document.activeElement?.textContent).toBe('Skip to actions');
  await userEvent.keyboard('{Enter}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Assign' }));
  expect(screen.getAllByRole('button', { name: 'Skip to actions' })).toHaveLength(1);
});

describe('sorting', () => {
  it('ignores case and toggles its direction', async () => {
    render(<Table />);
    const head = screen.getByRole('columnheader', { name: 'Name' });
    expect(head.getAttribute('aria-sort')).toBe('none');
    await userEvent.click(within(head).getByRole('button'));
    expect(head.getAttribute('aria-sort')).toBe('ascending');
    expect(readCells(0)).toEqual(['Alpha 1', 'Bravo 3', 'charlie 2', 'delta 0']);
    await userEvent.click(within(head).getByRole('button'));
    expect(head.getAttribute('aria-sort')).toBe('descending');
    expect(readCells(0)).toEqual(['delta 0', 'charlie 2', 'Bravo 3', 'Alpha 1']);
  });

  it('orders numbers by size and puts empty values last both ways', async () => {
    render(<Table />);
    const amount = within(screen.getByRole('columnheader', { name: 'Amount' })).getByRole('button');
    await userEvent.click(amount);
    expect(readCells(2)).toEqual(['0', '10', '30', '']);
    await userEvent.click(amount);
    expect(readCells(2)).toEqual(['30', '10', '0', '']);
  });

  it("isn't offered for a column without values", () => {
    render(<Table />);
    const extra = screen.getByRole('columnheader', { name: 'Extra' });
    expect(within(extra).queryByRole('button')).toBeNull();
    expect(screen.queryByLabelText('Filter by Extra')).toBeNull();
  });
});

describe('filters', () => {
  it('match part of the text as shown, ignoring case', async () => {
    render(<Table />);
    await userEvent.type(screen.getByLabelText('Filter by Name'), ' CHAR');
    expect(readCells(0)).toEqual(['charlie 2']);
    expect(screen.getByText('1 of 4')).toBeTruthy();
    await userEvent.clear(screen.getByLabelText('Filter by Name'));
    await userEvent.type(screen.getByLabelText('Filter by Day'), '02/15');
    expect(readCells(0)).toEqual(['Alpha 1']);
  });

  it('show when nothing matches and can be cleared', async () => {
    render(<Table />);
    await userEvent.type(screen.getByLabelText('Filter by Name'), 'zulu');
    expect(screen.getByText('No rows match the filters')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(readCells(0)).toHaveLength(4);
  });

  it('are a select for a column with few values', async () => {
    const few = columns.map((column) =>
      column.id === 'name' ? { ...column, choices: ['Alpha 1', 'Alpha'] } : column,
    );
    render(<Table columns={few} noMatch="Nothing of the kind" />);
    const choice = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Filter by Name' });
    expect([...choice.options].map(({ text }) => text)).toEqual(['All', 'Alpha 1', 'Alpha']);
    await userEvent.selectOptions(choice, 'Alpha 1');
    expect(screen.getByText('1 of 4')).toBeTruthy();
    expect(screen.queryByRole('cell', { name: 'delta 0' })).toBeNull();
    await userEvent.selectOptions(choice, 'Alpha');
    expect(screen.getByText('Nothing of the kind')).toBeTruthy();
    await userEvent.selectOptions(choice, 'All');
    expect(screen.getByRole('cell', { name: 'delta 0' })).toBeTruthy();
  });
});

it("don't submit the form around them on Enter", async () => {
  const send = vi.fn((event: React.FormEvent) => event.preventDefault());
  render(
    <form onSubmit={send}>
      <input aria-label="A field" />
      <Selecting />
      <button type="submit">SEND</button>
    </form>,
  );
  await userEvent.type(screen.getByLabelText('Filter by Name'), 'alpha{Enter}');
  screen.getByLabelText('Select Alpha 1').focus();
  await userEvent.keyboard('{Enter}');
  expect(send).not.toHaveBeenCalled();
  await userEvent.type(screen.getByLabelText('A field'), '{Enter}');
  expect(send).toHaveBeenCalledOnce();
});

describe('pages', () => {
  const pager = () => within(screen.getByRole('navigation', { name: 'Pages of Lines' }));
  const button = (name: string) => pager().getByRole('button', { name });
  const isHeld = (name: string) => button(name).getAttribute('aria-disabled') === 'true';

  it('have ten rows, and buttons to change the page', async () => {
    render(<Table rows={lines(25)} />);
    expect(readCells(0)).toHaveLength(10);
    expect(pager().getByText('1-10 of 25')).toBeTruthy();
    expect(isHeld('First') && isHeld('Previous')).toBe(true);
    await userEvent.click(button('Last'));
    expect(pager().getByText('21-25 of 25')).toBeTruthy();
    expect(isHeld('Next') && isHeld('Last')).toBe(true);
    expect(document.activeElement).toBe(button('Last'));
    await userEvent.click(button('Next'));
    expect(pager().getByText('21-25 of 25')).toBeTruthy();
    await userEvent.click(button('Previous'));
    expect(pager().getByText('11-20 of 25')).toBeTruthy();
    await userEvent.click(button('First'));
    await userEvent.click(button('Next'));
    expect(pager().getByText('11-20 of 25')).toBeTruthy();
  });

  it('offer the sizes 5 to 200', () => {
    render(<Table />);
    const options = within(pager().getByLabelText('Rows per page:')).getAllByRole('option');
    expect(options.map((option) => option.textContent)).toEqual(['5', '10', '25', '50', '100', '200']);
  });

  it('start over with another size or filter', async () => {
    render(<Table rows={lines(25)} />);
    await userEvent.click(button('Last'));
    await userEvent.selectOptions(pager().getByLabelText('Rows per page:'), '5');
    expect(pager().getByText('1-5 of 25')).toBeTruthy();
    await userEvent.click(button('Last'));
    await userEvent.type(screen.getByLabelText('Filter by Name'), 'a');
    expect(pager().getByText('1-5 of 25')).toBeTruthy();
  });

  it('fall back to the last one when rows disappear', () => {
    const { rerender } = render(<Table rows={lines(25)} initial={{ page: 2 }} />);
    expect(pager().getByText('21-25 of 25')).toBeTruthy();
    rerender(<Table rows={lines(12)} />);
    expect(pager().getByText('11-12 of 12')).toBeTruthy();
  });

  it('render every row of a long page', async () => {
    render(<Table rows={lines(120)} initial={{ pageSize: 100 }} />);
    await waitFor(() => expect(readCells(0)).toHaveLength(100));
    expect(new Set(readCells(0)).size).toBe(100);
  });
});

/** Columns that record their renders, by column name for headers and filters, and by row for cells. */
function noting(drawn: string[]): Column<Line>[] {
  return columns.map((column) => ({
    ...column,
    get header() {
      drawn.push(`head ${column.id}`);
      return column.header;
    },
    cell: (line) => {
      drawn.push(`row ${line.id}`);
      return String(column.value(line));
    },
  }));
}

it('rerenders only the filter being typed, and none of 25 unchanged rows', async () => {
  const drawn: string[] = [];
  const noted = noting(drawn);
  const rows = lines(25);
  const more = (state: Partial<TableState>) => (
    <Table
      columns={noted}
      rows={rows}
      initial={{ pageSize: 25, ...state }}
      selection={{ selected: new Set(), onChange: () => {}, label: ({ name }) => name }}
      rowMenu={{ menu: ActionMenu, actions: () => [{ label: 'Open', onSelect: () => {} }] }}
    />
  );
  render(more({}));
  await waitFor(() => expect(readCells(1)).toHaveLength(25));
  const filter = screen.getByRole('textbox', { name: 'Filter by Name' });
  await userEvent.click(filter);
  drawn.length = 0;
  await userEvent.keyboard('a');
  expect(new Set(drawn)).toEqual(new Set(['head name']));
  drawn.length = 0;
  await userEvent.keyboard('l');
  await waitFor(() => expect(readCells(1)).toHaveLength(6));
  expect(new Set(drawn)).toEqual(new Set(['head name']));
});

it('stores its state in its owner', async () => {
  const states: TableState[] = [];
  render(<Owner states={states} />);
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  await userEvent.click(within(screen.getByRole('columnheader', { name: 'Name' })).getByRole('button'));
  await userEvent.type(screen.getByLabelText('Filter by Name'), 'x');
  expect(states).toEqual([
    { sort: null, filters: {}, page: 1, pageSize: 5 },
    { sort: { id: 'name', desc: false }, filters: {}, page: 0, pageSize: 5 },
    { sort: { id: 'name', desc: false }, filters: { name: 'x' }, page: 0, pageSize: 5 },
  ]);
});

describe('selection', () => {
  const chosen = () => document.querySelector('output')?.textContent;

  it('selects single rows, and all filtered ones', async () => {
    render(<Selecting />);
    const all = screen.getByLabelText('Select all rows') as HTMLInputElement;
    await userEvent.click(screen.getByLabelText('Select Alpha 1'));
    expect(chosen()).toBe('n1');
    expect(all.indeterminate).toBe(true);
    await userEvent.type(screen.getByLabelText('Filter by Name'), 'delta');
    await userEvent.click(all);
    expect(chosen()).toBe('n0 n1 n4 n8');
    await userEvent.click(all);
    expect(chosen()).toBe('n1');
  });

  it('reaches rows on other pages, but no disabled ones', async () => {
    render(<Selecting disabled={(line) => line.id !== 'n11'} />);
    expect((screen.getByLabelText('Select delta 0') as HTMLInputElement).disabled).toBe(true);
    await userEvent.click(screen.getByLabelText('Select all rows'));
    expect(chosen()).toBe('n11');
    expect((screen.getByLabelText('Select all rows') as HTMLInputElement).checked).toBe(true);
  });

  it('selects all filtered rows with its button', async () => {
    render(<Selecting disabled={(line) => line.id === 'n4'} />);
    await userEvent.type(screen.getByLabelText('Filter by Name'), 'delta');
    await userEvent.click(screen.getByRole('button', { name: 'ALL' }));
    expect(chosen()).toBe('n0 n8');
  });
});

it("opens a row's menu, and a dialog from it returns the focus to its button", async () => {
  render(<WithDialog />);
  expect(screen.queryByLabelText('Actions for delta 0')).toBeNull();
  const button = screen.getByLabelText('Actions for Alpha 1');
  await userEvent.click(button);
  expect((await screen.findByRole('menuitem', { name: /Copy/ })).textContent).toContain('Not now');
  await userEvent.click(screen.getByRole('menuitem', { name: 'Remove' }));
  await screen.findByRole('dialog', { name: 'Remove Alpha 1?' });
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Actions for Alpha 1')));
});

it('enters a menu by keyboard when its first action is disabled', async () => {
  render(<WithDialog />);
  screen.getByLabelText('Actions for Alpha 1').focus();
  await userEvent.keyboard('{Enter}');
  const first = await screen.findByRole('menuitem', { name: /Copy/ });
  await waitFor(() => expect(document.activeElement).toBe(first));
  expect(first.getAttribute('aria-disabled')).toBe('true');
  await userEvent.keyboard('{Enter}');
  expect(screen.getByRole('menuitem', { name: /Copy/ })).toBeTruthy();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await screen.findByRole('dialog', { name: 'Remove Alpha 1?' });
});

it("shows a row's details below it, wherever the row is", async () => {
  render(
    <Table
      detail={({ id, name }) => id === 'n1' && `More of ${name}`}
      selection={{ selected: new Set(), onChange: () => {}, label: ({ name }) => name }}
      rowMenu={{ menu: ActionMenu, actions: () => [{ label: 'Copy', onSelect: () => {} }] }}
    />,
  );
  const below = () => screen.getAllByRole('row').map(({ textContent }) => textContent?.slice(0, 16));
  expect(below().slice(2)).toEqual([
    expect.stringContaining('delta 0'),
    expect.stringContaining('Alpha 1'),
    'More of Alpha 1',
    expect.stringContaining('charlie 2'),
    expect.stringContaining('Bravo 3'),
  ]);
  expect(screen.getByText('More of Alpha 1').getAttribute('colspan')).toBe('6');
  const head = screen.getByRole('columnheader', { name: 'Name' });
  await userEvent.click(within(head).getByRole('button'));
  expect(below().slice(2, 4)).toEqual([expect.stringContaining('Alpha 1'), 'More of Alpha 1']);
});

it("names its rows when they aren't search results", async () => {
  render(<Table counted="lines" />);
  expect(screen.getByText('4 lines')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Filter by Name'), 'delta');
  expect(screen.getByText('1 of 4')).toBeTruthy();
});

describe('states', () => {
  it('loading', () => {
    render(<Table rows={[]} status="loading" />);
    expect(screen.getByText('Please wait while we retrieve data.')).toBeTruthy();
  });

  it('empty', () => {
    render(<Table rows={[]} empty="Nothing to see" exportMenu={{ menu: ActionMenu, fileName: 'Lines' }} />);
    expect(screen.getByText('Nothing to see')).toBeTruthy();
    expect((screen.getByRole('button', { name: 'Export' }) as HTMLButtonElement).disabled).toBe(true);
  });

  it('failed, with a retry', async () => {
    const retry = vi.fn();
    render(<Table rows={[]} status="failed" onRetry={retry} />);
    expect(screen.getByRole('alert').textContent).toContain('There was an error retrieving data');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(retry).toHaveBeenCalledOnce();
  });

  it('out of date, with its rows', async () => {
    const retry = vi.fn();
    render(<Table status="stale" onRetry={retry} />);
    expect(readCells(0)).toHaveLength(4);
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(retry).toHaveBeenCalledOnce();
  });
});

function Shaped() {
  const [shape, setShape] = useTableShape('lines');
  return (
    <Table
      layout={{ shape, onChange: setShape, chooser: ColumnChooser }}
      exportMenu={{ menu: ActionMenu, fileName: 'Lines' }}
    />
  );
}

describe('columns', () => {
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);

  it('are hidden and shown again, and hidden ones are stored', async () => {
    localStorage.clear();
    const { unmount } = render(<Shaped />);
    await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Day' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Compact rows' }));
    expect(heads()).toEqual(['Name', 'Amount', 'Extra']);
    expect(screen.getByRole('table').className).toContain('compact');
    unmount();
    render(<Shaped />);
    expect(heads()).toEqual(['Name', 'Amount', 'Extra']);
    await userEvent.click(screen.getByRole('button', { name: 'Columns (3 of 4)' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Show all columns' }));
    expect(heads()).toEqual(['Name', 'Day', 'Amount', 'Extra']);
    expect(screen.getByRole('table').className).not.toContain('compact');
  });

  it('are all shown when the stored shape is damaged', () => {
    localStorage.setItem('table lines', '{"hidden":"x"');
    render(<Shaped />);
    expect(heads()).toEqual(['Name', 'Day', 'Amount', 'Extra']);
  });
});
