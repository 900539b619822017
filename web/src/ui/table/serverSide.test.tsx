import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ActionMenu } from '../ActionMenu';
import { KitProvider } from '../KitProvider';
import { Layer } from '../Layer';
import { DataTable } from './DataTable';
import { saveCsv } from './export';
import { type Column, createTableState, type TableState } from './state';

vi.mock('./export', () => ({ saveCsv: vi.fn(), saveXlsx: vi.fn() }));

interface Line {
  id: string;
  name: string;
}

const columns: Column<Line>[] = [{ id: 'name', header: 'Name', value: ({ name }) => name }];
const all = Array.from({ length: 23 }, (_, i) => ({
  id: `n${i}`,
  name: `Line ${String(i).padStart(2, '0')}`,
}));

const answerTo = ({ filters, sort, page, pageSize }: TableState) => {
  const matching = all.filter(({ name }) => name.includes(filters.name ?? ''));
  if (sort?.desc) matching.reverse();
  return { rows: matching.slice(page * pageSize, (page + 1) * pageSize), count: matching.length, matching };
};

let asked: TableState[];
let answer: (outcome?: 'failed') => void;

/** Requests each state. The test decides when the response arrives. */
function Owner() {
  const [state, setState] = useState(createTableState({ pageSize: 10 }));
  const [found, setFound] = useState({ rows: [] as Line[], count: 0 });
  const [status, setStatus] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [run, setRun] = useState(0);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // biome-ignore lint/correctness/useExhaustiveDependencies: reruns on each retry
  useEffect(() => {
    asked.push(state);
    setStatus('loading');
    answer = (outcome = undefined) =>
      act(() => {
        if (outcome) return setStatus('failed');
        setFound(answerTo(state));
        setStatus('ready');
      });
  }, [state, run]);
  return (
    <KitProvider>
      <main>
        <output>{[...selected].sort().join(' ')}</output>
        <DataTable
          title="Lines"
          columns={columns}
          rows={found.rows}
          rowId={({ id }) => id}
          server={{
            count: found.count,
            exportRows: async function* () {
              const { matching } = answerTo(state);
              yield matching.slice(0, 15);
              yield matching.slice(15);
            },
          }}
          status={status}
          onRetry={() => setRun(run + 1)}
          controlled={{
            state,
            onChange: (next) => {
              setState(next);
              setStatus('loading');
            },
          }}
          selection={{ selected, onChange: setSelected, label: ({ name }) => name }}
          exportMenu={{ menu: ActionMenu, fileName: 'lines' }}
        />
        <Layer />
      </main>
    </KitProvider>
  );
}

const names = () =>
  screen
    .queryAllByRole('row')
    .slice(2)
    .map((row) => within(row).getAllByRole('cell')[1]?.textContent);
const saying = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
const press = (name: string | RegExp) => act(() => screen.getByRole('button', { name }).click());
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
const type = (text: string) => fireEvent.change(filter(), { target: { value: text } });
const filter = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Filter by Name' });

beforeEach(() => {
  asked = [];
  render(<Owner />);
});
afterEach(() => void vi.useRealTimers());

describe('a table whose rows the server pages, sorts and filters', () => {
  it("shows that it's loading, then the page and the total count", () => {
    expect(saying()).toContain('Please wait while we retrieve data.');
    answer();
    expect(names()).toHaveLength(10);
    expect(saying()).toContain('23 found');
    expect(screen.getByText('Page 1 of 3')).toBeTruthy();
  });

  it('requests another page, and shows the old one until it arrives', () => {
    answer();
    press('Last');
    expect(asked.at(-1)).toMatchObject({ page: 2 });
    expect(names()[0]).toBe('Line 00');
    expect(saying()).toContain('Please wait while we retrieve data.');
    expect(screen.getByRole('region', { name: 'Lines' }).getAttribute('aria-busy')).toBe('true');
    answer();
    expect(names()).toEqual(['Line 20', 'Line 21', 'Line 22']);
    expect(saying()).toContain('23 found');
  });

  it("requests the first page of another order, and doesn't sort rows itself", () => {
    answer();
    press('Next');
    answer();
    press('Name');
    expect(asked.at(-1)).toMatchObject({ sort: { id: 'name', desc: false }, page: 0 });
    answer();
    press('Name');
    expect(asked.at(-1)).toMatchObject({ sort: { id: 'name', desc: true }, page: 0 });
    answer();
    expect(names()[0]).toBe('Line 22');
  });

  it('requests a filter typed in one go once, and shows it while typing', () => {
    answer();
    vi.useFakeTimers();
    const before = asked.length;
    type('1');
    act(() => vi.advanceTimersByTime(100));
    type('17');
    expect(filter().value).toBe('17');
    expect(asked).toHaveLength(before);
    act(() => vi.advanceTimersByTime(250));
    expect(asked.slice(before)).toMatchObject([{ filters: { name: '17' }, page: 0 }]);
    answer();
    expect(names()).toEqual(['Line 17']);
    expect(saying()).toContain('1 found');
  });

  it('keeps the filters when nothing matches, and clears them', () => {
    answer();
    vi.useFakeTimers();
    type('zz');
    act(() => vi.advanceTimersByTime(250));
    answer();
    expect(filter().value).toBe('zz');
    expect(screen.getByText('No rows match the filters')).toBeTruthy();
    press('Clear filters');
    expect(asked.at(-1)?.filters).toEqual({});
    answer();
    expect(names()).toHaveLength(10);
  });

  it('keeps the filter and its focus when its last letter is deleted', () => {
    answer();
    vi.useFakeTimers();
    const field = filter();
    field.focus();
    type('z');
    act(() => vi.advanceTimersByTime(250));
    answer();
    type('');
    expect(filter()).toBe(field);
    expect(screen.queryByText('No records found')).toBeNull();
    act(() => vi.advanceTimersByTime(250));
    expect(filter()).toBe(field);
    answer();
    expect(names()).toHaveLength(10);
    expect(document.activeElement).toBe(field);
  });

  it('keeps a selection across pages', () => {
    answer();
    act(() => box('Select Line 03').click());
    press('Next');
    answer();
    expect(box('Select all rows').checked).toBe(false);
    act(() => box('Select all rows').click());
    expect(box('Select all rows').checked).toBe(true);
    expect(document.querySelector('output')?.textContent?.split(' ')).toHaveLength(11);
    act(() => box('Select all rows').click());
    press('Previous');
    answer();
    expect(box('Select Line 03').checked).toBe(true);
    expect(saying()).toContain('23 found, 1 selected');
  });

  it("that can't load a page shows so, keeps the pager and retries", () => {
    answer();
    press('Next');
    answer('failed');
    expect(screen.getByRole('alert').textContent).toContain('error retrieving data');
    expect(names()).toEqual([]);
    press('Try again');
    answer();
    expect(names()[0]).toBe('Line 10');
    press('Next');
    answer('failed');
    press('Previous');
    answer();
    expect(names()[0]).toBe('Line 10');
  });

  it('goes to the last page when there are fewer pages', () => {
    answer();
    press('Last');
    const gone = all.splice(20);
    answer();
    expect(asked.at(-1)).toMatchObject({ page: 1 });
    answer();
    expect(names()[0]).toBe('Line 10');
    all.push(...gone);
  });

  it('exports all matches in batches', async () => {
    answer();
    press('Export');
    await userEvent.click(await screen.findByRole('menuitem', { name: /CSV/ }));
    await vi.waitFor(() => expect(saveCsv).toHaveBeenCalled());
    const [fileName, cells] = vi.mocked(saveCsv).mock.calls[0] ?? [];
    expect(fileName).toBe('lines');
    expect(cells).toEqual([['Name'], ...all.map(({ name }) => [name])]);
  });
});

it('a server without rows shows so', () => {
  const nothing = all.splice(0);
  answer();
  expect(saying()).toContain('No records found');
  expect(screen.queryByRole('table')).toBeNull();
  all.push(...nothing);
});
