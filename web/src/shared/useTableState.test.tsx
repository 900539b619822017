import { createMemoryHistory } from '@tanstack/react-router';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { makeSession, makeUser } from '@/api/testing';
import { useTableState } from './historyState';
import { advanceTime, fakeTime, renderScreens } from './testing';

function List() {
  const { table, setTable } = useTableState({ pageSize: 25 });
  return (
    <>
      <button type="button" onClick={() => setTable({ ...table, page: table.page + 1 })}>
        {`${table.pageSize} rows, page ${table.page}`}
      </button>
      <input
        aria-label="Filter"
        value={table.filters.name ?? ''}
        onChange={({ target }) => setTable({ ...table, filters: { name: target.value } })}
      />
    </>
  );
}

test('a list is restored in place, and for nobody else', async () => {
  const history = createMemoryHistory();
  const visit = (session = makeSession()) => {
    cleanup();
    renderScreens({ '/': List }, session, { history });
  };
  visit();
  fireEvent.click(await screen.findByText('25 rows, page 0'));
  fireEvent.click(screen.getByText('25 rows, page 1'));
  await waitFor(() => expect(history.location.state.list?.table.page).toBe(2));
  visit();
  await screen.findByText('25 rows, page 2');
  visit(makeSession({ user: makeUser({ userNm: 'other' }) }));
  await screen.findByText('25 rows, page 0');
});

// Browsers limit how often the history can be written, and reject more.
test('keystrokes in a filter are collected before the history is written', async () => {
  fakeTime();
  const { history } = renderScreens({ '/': List }, makeSession());
  const filter = await screen.findByLabelText('Filter');
  let writes = 0;
  history.subscribe(() => (writes += 1));
  for (const typed of ['r', 're', 'ree', 'reed']) {
    fireEvent.change(filter, { target: { value: typed } });
    await advanceTime(50);
  }
  await advanceTime(300);
  expect(history.location.state.list?.table.filters).toEqual({ name: 'reed' });
  expect(writes).toBe(1);
});

test('a filter is stored as soon as the user clicks or presses Enter', async () => {
  fakeTime();
  const { history } = renderScreens({ '/': List }, makeSession());
  const filter = await screen.findByLabelText('Filter');
  const kept = () => history.location.state.list?.table.filters;
  fireEvent.change(filter, { target: { value: 'reed' } });
  fireEvent.pointerDown(document.body);
  await advanceTime(1);
  expect(kept()).toEqual({ name: 'reed' });
  fireEvent.change(filter, { target: { value: 'reeds' } });
  fireEvent.keyDown(filter, { key: 'x' });
  await advanceTime(1);
  expect(kept()).toEqual({ name: 'reed' });
  fireEvent.keyDown(filter, { key: 'Enter' });
  await advanceTime(1);
  expect(kept()).toEqual({ name: 'reeds' });
});
