import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { EditDialog } from '@/shared/EditDialog';
import { ConfirmDialog } from '@/ui/Dialog';
import { SelectField, TextField } from '@/ui/form/fields';
import { toast } from '@/ui/Toasts';
import { type Source, useDeleteSource, useSaveSource } from './queries';
import { kindName, kinds, sentOf, sourceSchema, type Values, valuesOf } from './wording';

const failed = 'Error: The source could not be saved. Please try again.';

/** A source that is there, or a new one. */
export function EditSource({
  source,
  fileKinds,
  zone,
  onClose,
}: {
  source?: Source;
  fileKinds: string[];
  zone: string;
  onClose: () => void;
}) {
  const form = useForm<Values>({
    resolver: zodResolver(sourceSchema),
    shouldFocusError: false,
    defaultValues: valuesOf(source),
  });
  const { control } = form;
  const { mutateAsync: change } = useSaveSource();

  async function save(values: Values, version?: string) {
    await change({ id: source?.id, body: { ...sentOf(values), version } });
    return 'The source is saved.';
  }

  return (
    <EditDialog
      form={form}
      size="medium"
      title={source ? source.name : 'Add a source'}
      version={source?.version}
      save={save}
      failed={failed}
      onClose={onClose}
    >
      <TextField control={control} name="name" label="Name" kind={kinds.name} autoComplete="off" required />
      <SelectField
        control={control}
        name="kind"
        label="Kind of its files"
        placeholder="Select One"
        options={fileKinds.map((value) => ({ value, label: kindName(value) }))}
        required
      />
      <TextField
        control={control}
        name="pattern"
        label="Names of its files"
        hint="Such as north-*.835: * stands for any characters, ? for one. Empty: all of the kind that no other source names."
        kind={kinds.pattern}
        autoComplete="off"
      />
      <TextField
        control={control}
        name="expected"
        label="Expected"
        hint={`Minute, hour, day of the month, month, day of the week, by the clock of ${zone}: 0 6 * * 1-5 is each weekday by 6:00 AM. Empty: nothing says when.`}
        kind={kinds.expected}
        autoComplete="off"
      />
      <TextField
        control={control}
        name="graceMinutes"
        label="Minutes that a file may be late"
        inputMode="numeric"
        kind={kinds.grace}
        autoComplete="off"
        required
      />
      <TextField
        control={control}
        name="ownerMail"
        label="Mail when a file is late"
        hint="One mail for each file that does not come. Empty: none."
        kind={kinds.ownerMail}
        inputMode="email"
        autoComplete="off"
      />
    </EditDialog>
  );
}

/** Asks before a source is deleted. */
export function DeleteSource({ source, onClose }: { source: Source; onClose: () => void }) {
  const { mutate: remove, isPending } = useDeleteSource();
  return (
    <ConfirmDialog
      open
      title={`Delete ${source.name}?`}
      confirmLabel="Delete the source"
      cancelLabel="Keep it"
      busy={isPending}
      onCancel={onClose}
      onConfirm={() =>
        remove(source.id, {
          onSuccess: () => {
            toast.success('The source is deleted.');
            onClose();
          },
          onError: () => toast.error('The source could not be deleted. Please try again.'),
        })
      }
    >
      <p>Nobody is told any more when its files are late. The files that came stay in the list.</p>
    </ConfirmDialog>
  );
}
