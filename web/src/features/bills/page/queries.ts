import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';

export type Page = components['schemas']['BillPage'];
export type Contact = components['schemas']['PageContact'];
export type Line = components['schemas']['PageLine'];
export type UnmatchedLine = components['schemas']['UnmatchedLine'];
export type Event = components['schemas']['PageEvent'];
export type Version = components['schemas']['PageVersion'];
export type PaidBy = components['schemas']['PagePayment'];
export type Deadlines = components['schemas']['BillDeadlines'];
export type Deadline = components['schemas']['BillDeadline'];
export type Interest = components['schemas']['BillInterest'];
export type OtherBill = components['schemas']['PageBill'];

export const getPageKey = (id: string) => ['bill-page', id];

/**
 * A bill's page. It's requested once per visit, because the server records each request as an
 * opening.
 */
export const useBillPage = (id: string) =>
  useQuery({
    queryKey: getPageKey(id),
    queryFn: ({ signal }) => unwrap(api.GET('/work/bills/{id}', { params: { path: { id } }, signal })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });

export type DeskPage = components['schemas']['DeskBillPage'];
export type Question = components['schemas']['BillQuestion'];

/** A bill's page at the service desk, requested once per visit, like the office's. */
export const useDeskBill = (id: string) =>
  useQuery({
    queryKey: ['desk-bill', id],
    queryFn: ({ signal }) => unwrap(api.POST('/desk/bills/open', { body: { id }, signal })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });

/** A bill's deadlines. The server records the request like an opening of the page. */
export const useDeadlines = (id: string, desk: boolean) =>
  useQuery({
    queryKey: [...getPageKey(id), 'deadlines', desk],
    queryFn: ({ signal }) =>
      unwrap(
        desk
          ? api.POST('/desk/bills/deadlines', { body: { id }, signal })
          : api.GET('/work/bills/{id}/deadlines', { params: { path: { id } }, signal }),
      ),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });

/** The address of the certificate of receipt for a bill's EOR. */
export const getCertificateUrl = (id: string) => `/api/work/bills/${encodeURIComponent(id)}/certificate`;
