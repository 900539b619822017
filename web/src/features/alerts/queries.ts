import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useCursorPages } from '@/shared/cursorPages';
import { errorMessage } from '@/shared/errorMessage';
import { todayKey } from '@/shared/today';
import { useMutation } from '@/shared/useMutation';
import type { TableState } from '@/ui/table/state';
import type { Kind } from './figures';

export type Alerts = components['schemas']['Alerts'];
export type AlertBill = components['schemas']['AlertBill'];
export type OwnMails = components['schemas']['OwnMails'];
export type Mailbox = components['schemas']['GroupMailbox'];
export type NewMailbox = components['schemas']['NewMailbox'];

const settings = ['mails of news'];
const mailboxes = ['mailboxes of the group'];

// The server's page size.
const maxRows = 200;

export type PaymentTrends = components['schemas']['PaymentTrends'];

/** The payments of the last weeks. */
export const usePaymentTrends = (enabled: boolean) =>
  useQuery({
    queryKey: ['payment trends'],
    enabled,
    queryFn: ({ signal }) => unwrap(api.GET('/remittances/trends', { signal })),
    staleTime: 300_000,
    retry: false,
  });

/** A figure's bills. */
export const useFigureBills = (kind: Kind, window: string, { page, pageSize }: TableState) =>
  useCursorPages<components['schemas']['AlertBills'], string>({
    name: 'behind a figure of today',
    search: JSON.stringify([kind, window, pageSize]),
    page,
    pageSize,
    fetchPage: ({ after, skip, rows }, signal) =>
      unwrap(
        api.POST('/work/alerts/list', {
          body: { kind, window, ...(after && { after }), skip, limit: rows },
          signal,
        }),
      ),
    getEnd: ({ next }) => next || undefined,
  });

/** All of a figure's bills, in batches. */
export async function* fetchAllBills(kind: Kind, window: string): AsyncGenerator<readonly AlertBill[]> {
  let after = '';
  do {
    const { bills, next } = await unwrap(
      api.POST('/work/alerts/list', { body: { kind, window, ...(after && { after }), limit: maxRows } }),
    );
    yield bills;
    after = next;
  } while (after);
}

/** Marks changes as unseen again. */
export function useMarkUnseen() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (undo: string) => unwrap(api.POST('/work/alerts/unseen', { body: { undo } })),
    onSettled: () => client.invalidateQueries({ queryKey: todayKey }),
  });
}

/** Marks a window's changes as seen. */
export function useMarkSeen() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (upTo: string) => unwrap(api.POST('/work/alerts/seen', { body: { upTo } })),
    onSuccess: () => client.invalidateQueries({ queryKey: todayKey }),
  });
}

export const useSettings = () =>
  useQuery({
    queryKey: settings,
    queryFn: ({ signal }) => unwrap(api.GET('/work/alerts/settings', { signal })),
  });

export function useSaveSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (wanted: OwnMails) => unwrap(api.PUT('/work/alerts/settings', { body: wanted })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: todayKey });
      return client.invalidateQueries({ queryKey: settings });
    },
  });
}

export const useMailboxes = () =>
  useQuery({
    queryKey: mailboxes,
    queryFn: ({ signal }) => unwrap(api.GET('/work/mailboxes', { signal })),
  });

function useMailboxChange<Given>(mutationFn: (given: Given) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: todayKey });
      return client.invalidateQueries({ queryKey: mailboxes });
    },
  });
}

export const useAddMailbox = () =>
  useMailboxChange((box: NewMailbox) => unwrap(api.POST('/work/mailboxes', { body: box })));

export const useRemoveMailbox = () =>
  useMailboxChange((id: number) => unwrap(api.DELETE('/work/mailboxes/{id}', { params: { path: { id } } })));

/** Returns the server's advice on an error, or else a general message. */
export const formatFailure = (error: unknown) =>
  errorMessage(error, "Error: Couldn't save your changes. Try again.");
