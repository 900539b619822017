import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeServer, type Replies, unreachable } from '@/api/testing';
import { DataAsOf } from './DataAsOf';

function show(taken: Replies['GET /feeds/intakes']) {
  fakeServer({ 'GET /feeds/intakes': taken });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { container } = render(
    <QueryClientProvider client={client}>
      <DataAsOf data="bills" />
    </QueryClientProvider>,
  );
  return { client, container };
}

it('shows when the last file with such data was imported', async () => {
  show({
    body: [
      { data: 'claims', asOf: '2026-03-01T15:00:00Z' },
      { data: 'bills', asOf: '2026-03-02T15:04:00Z' },
    ],
  });
  const time = await screen.findByText(/^03\/0[123]\/2026, \d{1,2}:04 [AP]M$/);
  expect(time.getAttribute('datetime')).toBe('2026-03-02T15:04:00Z');
  expect(time.parentElement?.textContent).toMatch(/^Bills as of /);
});

it.each<[string, Replies['GET /feeds/intakes']]>([
  ['nothing was taken', { body: [] }],
  ['it is not known', unreachable],
])('shows nothing when %s', async (_, taken) => {
  const { client, container } = show(taken);
  await waitFor(() => expect(client.getQueryCache().getAll()[0]?.state.status).not.toBe('pending'));
  expect(container.textContent).toBe('');
});
