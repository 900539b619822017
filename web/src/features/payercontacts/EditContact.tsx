import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod/mini';
import { EditDialog } from '@/shared/EditDialog';
import { boundedText } from '@/ui/form/boundedText';
import { TextAreaField, TextField } from '@/ui/form/fields';
import { type Kind, line, phone } from '@/ui/form/kinds';
import { formatPhone } from '@/ui/format';
import { normalizeText } from '@/ui/text';
import { type Contact, useSaveContact } from './queries';

const kinds = {
  payerId: { maxChars: 40, normalize: (typed) => normalizeText(typed).toUpperCase() } satisfies Kind,
  name: line(60),
  phone: phone(20),
  extension: line(10),
  hours: line(80),
  ready: line(200),
};

const schema = z.object({
  payerId: boundedText(kinds.payerId).check(z.minLength(1, 'Error: Enter the payer ID')),
  name: boundedText(kinds.name).check(z.minLength(1, "Error: Enter the payer's name")),
  phone: boundedText(kinds.phone).check(
    z.refine((typed) => /^\d{10,15}$/.test(typed.replace(/[\s().+-]/g, '')), {
      error: 'Error: Enter a phone number of 10 to 15 digits',
    }),
  ),
  extension: boundedText(kinds.extension).check(
    z.refine((typed) => /^\d*$/.test(typed), { error: 'Error: Enter digits only' }),
  ),
  hours: boundedText(kinds.hours),
  ready: boundedText(kinds.ready),
});

type Values = z.infer<typeof schema>;

/** How to reach a payer. It's read-only for users who can't edit it. */
export function EditContact({
  contact,
  readOnly,
  onClose,
}: {
  contact?: Contact;
  readOnly: boolean;
  onClose: () => void;
}) {
  const form = useForm<Values>({
    resolver: zodResolver(schema),
    shouldFocusError: false,
    defaultValues: {
      payerId: contact?.payerId ?? '',
      name: contact?.name ?? '',
      phone: formatPhone(contact?.phone),
      extension: contact?.extension ?? '',
      hours: contact?.hours ?? '',
      ready: contact?.ready ?? '',
    },
  });
  const { control } = form;
  const { mutateAsync: change } = useSaveContact();

  return (
    <EditDialog
      form={form}
      title={contact ? contact.name : 'Add payer contact'}
      readOnly={readOnly}
      version={String(contact?.version ?? 0)}
      read={(name, value) => (name === 'phone' ? formatPhone(value) : value)}
      save={async (values, version) => {
        await change({ ...values, version: Number(version) });
        return 'Payer contact saved';
      }}
      failed="Error: Couldn't save the payer contact. Try again."
      onClose={onClose}
    >
      {!contact && (
        <TextField
          control={control}
          name="payerId"
          label="Payer ID"
          hint="As in the payer's 835 and on bills"
          kind={kinds.payerId}
          autoComplete="off"
          data-autofocus
          required
        />
      )}
      <TextField
        control={control}
        name="name"
        label="Payer"
        kind={kinds.name}
        autoComplete="off"
        data-autofocus={contact ? true : undefined}
        required
      />
      <div className="field-grid">
        <TextField
          control={control}
          name="phone"
          label="Phone"
          kind={kinds.phone}
          autoComplete="off"
          required
        />
        <TextField
          control={control}
          name="extension"
          label="Extension"
          kind={kinds.extension}
          autoComplete="off"
        />
      </div>
      <TextField
        control={control}
        name="hours"
        label="Hours"
        hint="For example, Mon–Fri 8 AM–5 PM ET"
        kind={kinds.hours}
        autoComplete="off"
      />
      <TextAreaField
        control={control}
        name="ready"
        label="What to have ready"
        hint="Up to 200 characters. Leave blank for the usual list."
      />
    </EditDialog>
  );
}
