import { useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';

export type Page = components['schemas']['BillPage'];
export type Line = components['schemas']['PageLine'];
export type UnmatchedLine = components['schemas']['UnmatchedLine'];
export type Event = components['schemas']['PageEvent'];
export type Version = components['schemas']['PageVersion'];
export type PaidBy = components['schemas']['PagePayment'];
export type Deadlines = components['schemas']['BillDeadlines'];
export type Deadline = components['schemas']['BillDeadline'];
export type Interest = components['schemas']['BillInterest'];
export type OtherBill = components['schemas']['PageBill'];

/** The page of a bill. It is asked for once a visit: the server notes each time that it was opened. */
export const useBillPage = (id: string) =>
  useQuery({
    queryKey: ['work-bill', id],
    queryFn: ({ signal }) => answer(api.GET('/work/bills/{id}', { params: { path: { id } }, signal })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });

export type Seen = components['schemas']['SeenByOffice'];

/** The page of a bill at the service desk, asked for once a visit as the office's. */
export const useDeskBill = (id: string) =>
  useQuery({
    queryKey: ['desk-bill', id],
    queryFn: ({ signal }) => answer(api.POST('/desk/bills/open', { body: { id }, signal })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });

/** By when something is due about a bill. Asking is noted as opening the page is. */
export const useDeadlines = (id: string, desk: boolean) =>
  useQuery({
    queryKey: ['work-bill', id, 'deadlines', desk],
    queryFn: ({ signal }) =>
      answer(
        desk
          ? api.POST('/desk/bills/deadlines', { body: { id }, signal })
          : api.GET('/work/bills/{id}/deadlines', { params: { path: { id } }, signal }),
      ),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });

/** Where the certificate of receipt of a bill's EOR is. */
export const certificateOf = (id: string) => `/api/work/bills/${encodeURIComponent(id)}/certificate`;
