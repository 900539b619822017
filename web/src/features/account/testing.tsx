import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type RouteComponent,
  RouterProvider,
} from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import { StrictMode } from 'react';
import { vi } from 'vitest';
import { loadConfig } from '@/api/config';
import { takeLink } from './link';

/** What the server answers to the calls of a screen. */
export const server = vi.fn<(request: Request) => Promise<Response>>();

export const accept = () => server.mockImplementation(async () => Response.json('success'));

export const refuse = (status: number, message: string, fields: object[] = []) =>
  server.mockImplementation(async () => Response.json({ status, message, fields }, { status }));

/** Never answers. */
export const keepWaiting = () => server.mockImplementation(() => new Promise(() => {}));

/** What was sent with the last call, and where. */
export async function sent() {
  const request = server.mock.lastCall?.[0];
  return { path: request && new URL(request.url).pathname, body: await request?.clone().json() };
}

/** Starts a test under these public settings. */
export async function start(settings: object = {}) {
  vi.stubGlobal('fetch', async () => Response.json({ ssoUrl: '/sso/start', ...settings }));
  await loadConfig();
  server.mockReset();
  vi.stubGlobal('fetch', (request: Request) => server(request));
}

/** Opens a screen at an address, as a mailed link does. */
export async function visit(component: RouteComponent, address = '/screen') {
  const root = createRootRoute();
  const anywhere = createRoute({ getParentRoute: () => root, path: '$', component, beforeLoad: takeLink });
  const router = createRouter({
    routeTree: root.addChildren([anywhere]),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  );
  await screen.findByRole('heading', { level: 1 });
  return router;
}

export const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

/** The message that has the focus. */
export const message = async () => (await screen.findByRole('group', { name: 'Message' })).textContent;
