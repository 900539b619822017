import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';

type Schemas = components['schemas'];

/** Where the rest of a list comes from, after the loaded part. */
export type ListRest =
  | { of: 'bills'; request: Omit<Schemas['OpenBillSearch'], 'skip'> }
  | { of: 'remittances'; request: Schemas['RemittanceSearch'] };

/** Fetches the IDs of the next part, and where the rest after it comes from. */
export async function fetchRest(rest: ListRest): Promise<{ ids: string[]; rest?: ListRest }> {
  if (rest.of === 'bills') {
    const { bills, next } = await unwrap(
      api.POST('/work/bills/search', { body: { ...rest.request, skip: 0 } }),
    );
    return {
      ids: bills.map(({ id }) => id),
      ...(next && { rest: { of: 'bills', request: { ...rest.request, after: next } } }),
    };
  }
  const { table } = rest.request;
  const { rows, count } = await unwrap(api.POST('/remittances/search', { body: rest.request }));
  const page = table.page + 1;
  return {
    ids: rows.map(({ id }) => id),
    ...(page * table.pageSize < count && {
      rest: { of: 'remittances', request: { ...rest.request, table: { ...table, page } } },
    }),
  };
}
