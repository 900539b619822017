import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
} from '@tanstack/react-router';
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { sessionOf } from '@/api/testing';
import { useHanded } from './handed';
import { renderScreen, userRowOf } from './testing';

test('what a screen was handed stays while the next one is on its way', async () => {
  const root = createRootRoute({ component: Outlet });
  const Screen = () => <p>About {useHanded().user?.userNm ?? 'nobody'}</p>;
  const Next = () => <p>Next, about {useHanded().user?.userNm ?? 'nobody'}</p>;
  let arrive = () => {};
  const history = createMemoryHistory();
  history.replace('/', { user: userRowOf() });
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
  renderScreen(router, sessionOf());
  await screen.findByText('About areed');
  let left = Promise.resolve();
  await act(async () => {
    left = router.navigate({ to: '/next' } as never);
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
  expect(router.state.location.pathname).toBe('/next');
  expect(screen.getByText(/^About/).textContent).toBe('About areed');
  await act(async () => {
    arrive();
    await left;
  });
  await screen.findByText('Next, about nobody');
});
