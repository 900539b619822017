import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { AsOf } from './AsOf';

afterEach(() => vi.unstubAllGlobals());

function show(answer: () => Promise<Response>) {
  vi.stubGlobal('fetch', answer);
  return render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <AsOf data="bills" />
    </QueryClientProvider>,
  );
}

it('says when the last file of such data was taken', async () => {
  show(async () =>
    Response.json([
      { data: 'claims', asOf: '2026-03-01T15:00:00Z' },
      { data: 'bills', asOf: '2026-03-02T15:04:00Z' },
    ]),
  );
  const time = await screen.findByText(/^03\/0[123]\/2026, \d{1,2}:04 [AP]M$/);
  expect(time.getAttribute('datetime')).toBe('2026-03-02T15:04:00Z');
  expect(time.parentElement?.textContent).toMatch(/^Bills as of /);
});

it.each([
  ['nothing was taken', async () => Response.json([])],
  ['it is not known', async () => Promise.reject(new TypeError('no network'))],
])('says nothing where %s', async (_, answer) => {
  const asked = vi.fn(answer);
  const { container } = show(asked);
  await vi.waitFor(() => expect(asked).toHaveBeenCalled());
  await new Promise((resolve) => setTimeout(resolve));
  expect(container.textContent).toBe('');
});
