import { useMemo, useState } from 'react';
import { useSession } from '@/api/session';
import { errorMessage } from '@/shared/errorMessage';
import { useTableState } from '@/shared/historyState';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { formatBusinessDate } from '@/ui/dates';
import { formatPhone } from '@/ui/format';
import { NotPermitted } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { EditContact } from './EditContact';
import { type Contact, useContacts, useDeleteContact } from './queries';

/** How to reach payers, as network staff entered it. */
export default function PayerContactsPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Payer contacts</h1>
        <p className="page-lead">
          Offices see a contact on the payer's bills until a later 835 has another one. Save it again to
          confirm it.
        </p>
      </header>
      {can('contacts.read') ? <Contacts /> : <NotPermitted />}
    </div>
  );
}

function Contacts() {
  const { can } = useSession();
  const manages = can('contacts.manage');
  const contacts = useContacts();
  const { data, isError } = contacts;
  const { table, setTable } = useTableState({ pageSize: 25 });
  const [opened, setOpened] = useState<Contact | 'new' | null>(null);
  const [deleted, setDeleted] = useState<Contact | null>(null);
  const columns = useMemo(() => getColumns(manages, setOpened, setDeleted), [manages]);
  return (
    <>
      <DataTable
        title="Contacts"
        columns={columns}
        rows={data ?? []}
        rowId={({ payerId }) => payerId}
        controlled={{ state: table, onChange: setTable }}
        status={isError ? (data ? 'stale' : 'failed') : data ? 'ready' : 'loading'}
        onRetry={() => void contacts.refetch()}
        empty={`No payer contacts yet.${manages ? ' Add one to show it on bills.' : ''}`}
        toolbar={
          manages && (
            <Button size="small" onClick={() => setOpened('new')}>
              Add payer contact
            </Button>
          )
        }
      />
      {opened && (
        <EditContact
          contact={opened === 'new' ? undefined : opened}
          readOnly={!manages}
          onClose={() => setOpened(null)}
        />
      )}
      {deleted && <DeleteContact contact={deleted} onClose={() => setDeleted(null)} />}
    </>
  );
}

function DeleteContact({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const { mutate, isPending } = useDeleteContact();
  return (
    <Dialog
      open
      title={`Delete the contact of ${contact.name}?`}
      onClose={isPending ? undefined : onClose}
      actions={
        <>
          <Button disabled={isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            busy={isPending}
            onClick={() =>
              mutate(contact, {
                onSuccess: () => {
                  toast.success('Payer contact deleted');
                  onClose();
                },
                onError: (error) =>
                  toast.error(errorMessage(error, "Error: Couldn't delete the payer contact. Try again.")),
              })
            }
          >
            Delete
          </Button>
        </>
      }
    >
      <p>Bills will show the contact in the payer's latest 835 or in the client list.</p>
    </Dialog>
  );
}

const getColumns = (
  manages: boolean,
  onOpen: (contact: Contact) => void,
  onDelete: (contact: Contact) => void,
): Column<Contact>[] => [
  { id: 'name', header: 'Payer', lead: true, value: ({ name }) => name, minWidth: '12rem' },
  { id: 'payerId', header: 'Payer ID', value: ({ payerId }) => payerId },
  {
    id: 'phone',
    header: 'Phone',
    value: ({ phone }) => phone,
    text: ({ phone, extension }) => `${formatPhone(phone)}${extension ? `, ext. ${extension}` : ''}`,
  },
  { id: 'hours', header: 'Hours', value: ({ hours }) => hours, wrap: true, minWidth: '9rem' },
  {
    id: 'ready',
    header: 'What to have ready',
    value: ({ ready }) => ready,
    wrap: true,
    minWidth: '12rem',
  },
  {
    id: 'updatedAt',
    header: 'Last updated',
    value: ({ updatedAt }) => updatedAt,
    text: ({ updatedAt, updatedBy }) => `${formatBusinessDate(updatedAt)} by ${updatedBy}`,
  },
  {
    id: 'open',
    header: manages ? 'Actions' : 'View',
    value: () => '',
    sortable: false,
    filterable: false,
    exported: false,
    pinned: true,
    cell: (contact) => (
      <div className="button-row">
        <Button size="small" onClick={() => onOpen(contact)}>
          {manages ? 'Edit' : 'View'}
          <span className="visually-hidden"> {contact.name}</span>
        </Button>
        {manages && (
          <Button size="small" onClick={() => onDelete(contact)}>
            Delete<span className="visually-hidden"> {contact.name}</span>
          </Button>
        )}
      </div>
    ),
  },
];
