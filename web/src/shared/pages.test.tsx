import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { createTableState } from '@/ui/table/state';
import { setZone } from '@/ui/zone';
import { useServerPage } from './pages';

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
);

// Cells show business days, so a filter of the reader's days would miss rows.
test('filters timestamps by the days that the cells show', async () => {
  setZone('America/Chicago');
  const fetchPage = vi.fn(async () => ({ rows: [], count: 0 }));
  const table = createTableState({ filters: { created: '12/15' } });
  renderHook(() => useServerPage({ key: ['users'], table, fetchPage }), { wrapper });
  await waitFor(() => expect(fetchPage).toHaveBeenCalled());
  expect(fetchPage).toHaveBeenCalledWith(
    expect.objectContaining({ filters: { created: '12/15' }, zone: 'America/Chicago' }),
    expect.anything(),
  );
});
