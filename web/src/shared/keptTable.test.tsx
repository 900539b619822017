import { createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { sessionOf, userOf } from '@/api/testing';
import { useKeptTable } from './keptTable';
import { renderScreen } from './testing';

function List() {
  const { table, setTable } = useKeptTable({ pageSize: 25 });
  return (
    <button type="button" onClick={() => setTable({ ...table, page: table.page + 1 })}>
      {`${table.pageSize} rows, page ${table.page}`}
    </button>
  );
}

test('a list is found again where it was, by nobody else', async () => {
  const history = createMemoryHistory();
  const visit = (session = sessionOf()) => {
    cleanup();
    renderScreen(createRouter({ routeTree: createRootRoute({ component: List }), history }), session);
  };
  visit();
  fireEvent.click(await screen.findByText('25 rows, page 0'));
  fireEvent.click(screen.getByText('25 rows, page 1'));
  await waitFor(() => expect(history.location.state.list?.table.page).toBe(2));
  visit();
  await screen.findByText('25 rows, page 2');
  visit(sessionOf({ user: userOf({ userNm: 'other' }) }));
  await screen.findByText('25 rows, page 0');
});
