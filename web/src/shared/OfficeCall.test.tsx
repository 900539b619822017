import { createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeServer, makeSession } from '@/api/testing';
import { OfficeCall } from './OfficeCall';
import { renderScreen } from './testing';

test('a call that is sent again after a lost response is the same call', async () => {
  let lost = true;
  const calls = fakeServer({
    'POST /desk/calls': () => {
      if (!lost) return { body: { number: 'C-4K7Q-29MX', entry: 1, offices: [] } };
      lost = false;
      return { status: 503 };
    },
  });
  const routeTree = createRootRoute({ component: () => <OfficeCall id="page-1" ftin="111111111" /> });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  renderScreen(router, makeSession({ permissions: ['cases.work'] }));
  await userEvent.click(await screen.findByRole('button', { name: 'Log call' }));
  expect(await screen.findByText("Error: Couldn't log the call. Try again.")).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Log call' }));
  expect(await screen.findByRole('link', { name: 'C-4K7Q-29MX' })).toBeTruthy();
  const [first, second] = calls.map(({ body }) => body);
  expect(first).toEqual({ requestKey: expect.any(String), bills: ['page-1'] });
  expect(second).toEqual(first);
});
