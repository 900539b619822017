import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import { usePage } from '@/shared/pages';
import type { TableState } from '@/ui/table/state';

export type Visit = components['schemas']['NetworkVisit'];
export type OpenedBill = components['schemas']['VisitedBill'];

/** A page of when the network's staff acted as users. */
export const useVisits = (table: TableState) => {
  const { actingUser } = useSession();
  return usePage<Visit>({
    key: ['visits', actingUser.userNm],
    table,
    ask: (table, signal) => answer(api.POST('/work/visits', { body: { table }, signal })),
  });
};

/** A page of which bills were opened in a visit. */
export const useOpenedBills = (id: number, table: TableState) =>
  usePage<OpenedBill>({
    key: ['visits', 'opened', id],
    table,
    ask: (table, signal) =>
      answer(api.POST('/work/visits/{id}/bills', { params: { path: { id } }, body: { table }, signal })),
  });
