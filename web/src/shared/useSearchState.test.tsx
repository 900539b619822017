import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  RouterProvider,
} from '@tanstack/react-router';
import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { SessionContext } from '@/api/session';
import { makeSession } from '@/api/testing';
import { useSearchState } from './historyState';
import { advanceTime, fakeTime } from './testing';

beforeEach(fakeTime);

function First() {
  const { search, table, setTable, start, clear } = useSearchState((criteria) => criteria, {});
  return (
    <>
      <p>{`${search ? 'Searched' : 'Not searched'}, page ${table.page}`}</p>
      <button type="button" onClick={() => setTable((now) => ({ ...now, page: 3 }))}>
        Page 3
      </button>
      <button type="button" onClick={clear}>
        Reset
      </button>
      <button type="button" onClick={() => start({ name: 'Ada' })}>
        Search
      </button>
      <Link to={'/next' as '/'} state={{ claim: { owner: 'ada', claimNumber: 'WC-1' } }}>
        WC-1
      </Link>
    </>
  );
}

function open() {
  let loaded = () => {};
  const root = createRootRoute();
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({ getParentRoute: () => root, path: '/', component: First }),
      createRoute({
        getParentRoute: () => root,
        path: '/next',
        loader: () => new Promise<void>((resolve) => (loaded = resolve)),
        component: () => <p>Next</p>,
      }),
    ]),
    history: createMemoryHistory(),
  });
  render(
    <SessionContext value={makeSession()}>
      <RouterProvider router={router as never} />
    </SessionContext>,
  );
  return { history: router.history, loaded: () => loaded() };
}

it("stores a search in its screen's history", async () => {
  const { history } = open();
  fireEvent.click(await screen.findByText('Search'));
  await advanceTime(400);
  expect(history.location.state.kept?.criteria).toEqual({ name: 'Ada' });
});

it('stores it when the user leaves right away', async () => {
  const { history, loaded } = open();
  fireEvent.click(await screen.findByText('Search'));
  fireEvent.click(screen.getByText('WC-1'));
  await advanceTime(0);
  loaded();
  await screen.findByText('Next');
  history.back();
  await advanceTime(0);
  expect(history.location.state.kept?.criteria).toEqual({ name: 'Ada' });
});

it("doesn't touch the next screen's state while it loads", async () => {
  const { history, loaded } = open();
  fireEvent.click(await screen.findByText('Search'));
  fireEvent.click(screen.getByText('WC-1'));
  await advanceTime(400);
  loaded();
  await screen.findByText('Next');
  expect(history.location.state.claim?.claimNumber).toBe('WC-1');
  expect(history.location.state.kept).toBeUndefined();
});

it('stores the page of a list without a search when the user leaves right away', async () => {
  const { history, loaded } = open();
  fireEvent.click(await screen.findByText('Page 3'));
  fireEvent.click(screen.getByText('WC-1'));
  await advanceTime(0);
  loaded();
  await screen.findByText('Next');
  history.back();
  await screen.findByText('Not searched, page 3');
});

it('stores nothing after clearing', async () => {
  const { history } = open();
  await screen.findByText('Not searched, page 0');
  await advanceTime(400);
  expect(history.location.state.kept).toBeUndefined();
  fireEvent.click(screen.getByText('Search'));
  fireEvent.click(screen.getByText('Page 3'));
  await advanceTime(400);
  expect(history.location.state.kept?.table.page).toBe(3);
  fireEvent.click(screen.getByText('Reset'));
  await advanceTime(400);
  await screen.findByText('Not searched, page 0');
  expect(history.location.state.kept).toBeUndefined();
});
