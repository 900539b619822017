import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
} from '@tanstack/react-router';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { makeSession } from '@/api/testing';
import { useHistoryState, useSetHistoryState } from './historyState';
import { makeUserRow, renderScreen } from './testing';

/** A screen, and a next one that loads until the test lets it arrive. */
function onTheWay(Screen: () => ReactNode, Next: () => ReactNode) {
  const root = createRootRoute({ component: Outlet });
  let arrive = () => {};
  const history = createMemoryHistory();
  history.replace('/', { user: makeUserRow() });
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({ getParentRoute: () => root, path: '/', component: Screen }),
      createRoute({
        getParentRoute: () => root,
        path: '/next',
        loader: () => new Promise<void>((resolve) => (arrive = resolve)),
        component: Next,
      }),
    ]),
    history,
  });
  renderScreen(router, makeSession());
  let left = Promise.resolve();
  return {
    history,
    async leave() {
      await act(async () => {
        left = router.navigate({ to: '/next' } as never);
        await new Promise((resolve) => setTimeout(resolve, 20));
      });
      expect(router.state.location.pathname).toBe('/next');
    },
    arrive: () =>
      act(async () => {
        arrive();
        await left;
      }),
  };
}

test("a screen's navigation state stays while the next one loads", async () => {
  const Screen = () => <p>About {useHistoryState().user?.userNm ?? 'nobody'}</p>;
  const Next = () => <p>Next, about {useHistoryState().user?.userNm ?? 'nobody'}</p>;
  const { leave, arrive } = onTheWay(Screen, Next);
  await screen.findByText('About areed');
  await leave();
  expect(screen.getByText(/^About/).textContent).toBe('About areed');
  await arrive();
  await screen.findByText('Next, about nobody');
});

test('an entry stores changes until the next screen loads', async () => {
  const Screen = () => {
    const keep = useSetHistoryState();
    return ['first', 'second'].map((message) => (
      <button type="button" key={message} onClick={() => void keep((before) => ({ ...before, message }))}>
        {message}
      </button>
    ));
  };
  const { history, leave, arrive } = onTheWay(Screen, () => <p>Next</p>);
  fireEvent.click(await screen.findByText('first'));
  await waitFor(() => expect(history.location.state.message).toBe('first'));
  expect(history.location.state.user?.userNm).toBe('areed');
  await leave();
  fireEvent.click(screen.getByText('second'));
  await arrive();
  await screen.findByText('Next');
  expect(history.location.state.message).toBeUndefined();
  await act(async () => history.back());
  await waitFor(() => expect(history.location.state.message).toBe('first'));
});
