import { useInfiniteQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { groupByPayer } from '@/shared/payerCall/draft';
import { type Criteria, toFilter } from './criteria';
import type { OpenBill } from './queries';

export type Contact = components['schemas']['PageContact'];

/** A bill with its claim number at the payer. */
export interface SheetBill extends OpenBill {
  claimNumber: string;
}

/** A payer with the bills of one call. */
export interface SheetPayer {
  name: string;
  contact?: Contact;
  bills: SheetBill[];
}

const pageSize = 200;

/**
 * The bills of the call sheet by payer, with their contacts. Without criteria these are the overdue
 * bills and the due follow-ups.
 */
export const useCallSheet = (criteria: Criteria | null) =>
  useInfiniteQuery({
    // Reloaded like the list.
    queryKey: ['open bills', 'call sheet', criteria],
    queryFn: async ({ pageParam: after, signal }) => {
      const { bills, next } = await unwrap(
        api.POST('/work/bills/search', {
          body: {
            filter: criteria ? toFilter(criteria) : {},
            ...(criteria === null && { toCall: true }),
            ...(after && { after }),
            limit: pageSize,
            order: 'payer',
          },
          signal,
        }),
      );
      const contacts =
        bills.length === 0
          ? []
          : await unwrap(
              api.POST('/work/bills/contacts', { body: { bills: bills.map(({ id }) => id) }, signal }),
            );
      return { bills, contacts, next };
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next || undefined,
    select: ({ pages }) => {
      const contacts = new Map(pages.flatMap((page) => page.contacts).map((one) => [one.id, one]));
      const bills = pages
        .flatMap((page) => page.bills)
        .map((bill) => ({ ...bill, claimNumber: contacts.get(bill.id)?.claimNumber ?? '' }));
      return groupByPayer(bills).map(({ payer, bills }): SheetPayer => {
        const known = bills
          .map(({ id }) => contacts.get(id)?.contact)
          .filter((contact) => contact !== undefined);
        return { name: payer, contact: known.find(({ phone }) => phone) ?? known[0], bills };
      });
    },
    retry: false,
  });

/** The bills that the next call is about: those that nobody called about today, or all of them. */
export function getNextCall(bills: readonly SheetBill[], today: string): readonly SheetBill[] {
  const left = bills.filter(({ lastCall }) => lastCall?.on !== today);
  return left.length > 0 ? left : bills;
}
