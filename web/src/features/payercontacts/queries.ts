import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useListMutation } from '@/shared/listMutation';

export type Contact = components['schemas']['DeskPayerContact'];
export type ContactEdit = components['schemas']['PayerContactEdit'];

const contactsKey = ['payer-contacts'];
const changed = [contactsKey];

/** The contacts that staff entered. */
export const useContacts = () =>
  useQuery({
    queryKey: contactsKey,
    queryFn: ({ signal }) => unwrap(api.GET('/desk/payer-contacts', { signal })),
  });

/** Adds, updates or confirms a contact. */
export const useSaveContact = () =>
  useListMutation(changed, ({ payerId, ...body }: { payerId: string } & ContactEdit) =>
    unwrap(api.PUT('/desk/payer-contacts/{payerId}', { params: { path: { payerId } }, body })),
  );

export const useDeleteContact = () =>
  useListMutation(changed, ({ payerId, version }: Contact) =>
    unwrap(
      api.DELETE('/desk/payer-contacts/{payerId}', { params: { path: { payerId }, query: { version } } }),
    ),
  );
