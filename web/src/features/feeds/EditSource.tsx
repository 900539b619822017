import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { EditDialog } from '@/shared/EditDialog';
import { ConfirmDialog } from '@/ui/Dialog';
import { SelectField, TextField } from '@/ui/form/fields';
import { toast } from '@/ui/Toasts';
import { type Source, useDeleteSource, useSaveSource } from './queries';
import { getKindName, kinds, sourceSchema, toRequest, toValues, type Values } from './wording';

const failed = "Error: Couldn't save the source. Try again.";

/** An existing source, or a new one. */
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
    defaultValues: toValues(source),
  });
  const { control } = form;
  const { mutateAsync: change } = useSaveSource();

  async function save(values: Values, version?: string) {
    await change({ id: source?.id, body: { ...toRequest(values), version } });
    return 'Source saved';
  }

  return (
    <EditDialog
      form={form}
      size="medium"
      title={source ? source.name : 'Add source'}
      version={source?.version}
      save={save}
      failed={failed}
      onClose={onClose}
    >
      <TextField control={control} name="name" label="Name" kind={kinds.name} autoComplete="off" required />
      <SelectField
        control={control}
        name="kind"
        label="File type"
        placeholder="Select One"
        options={fileKinds.map((value) => ({ value, label: getKindName(value) }))}
        required
      />
      <TextField
        control={control}
        name="pattern"
        label="File names"
        hint="Example: north-*.835 (* = any characters, ? = 1 character). Leave blank to match files of this type that no other source matches."
        kind={kinds.pattern}
        autoComplete="off"
      />
      <TextField
        control={control}
        name="expected"
        label="Expected"
        hint={`Cron format, ${zone} time. Example: 0 6 * * 1-5 = weekdays by 6:00 AM. Leave blank if there's no schedule.`}
        kind={kinds.expected}
        autoComplete="off"
      />
      <TextField
        control={control}
        name="graceMinutes"
        label="Grace period (minutes)"
        inputMode="numeric"
        kind={kinds.grace}
        autoComplete="off"
        required
      />
      <TextField
        control={control}
        name="ownerMail"
        label="Late-file email"
        hint="1 email per missing file. Leave blank for none."
        kind={kinds.ownerMail}
        inputMode="email"
        autoComplete="off"
      />
    </EditDialog>
  );
}

/** Asks for confirmation before deleting a source. */
export function DeleteSource({ source, onClose }: { source: Source; onClose: () => void }) {
  const { mutate: remove, isPending } = useDeleteSource();
  return (
    <ConfirmDialog
      open
      title={`Delete ${source.name}?`}
      confirmLabel="Delete source"
      destructive
      cancelLabel="Cancel"
      busy={isPending}
      onCancel={onClose}
      onConfirm={() =>
        remove(source.id, {
          onSuccess: () => {
            toast.success('Source deleted');
            onClose();
          },
          onError: () => toast.error("Couldn't delete the source. Try again."),
        })
      }
    >
      <p>You'll no longer get late-file alerts for this source. Files already received stay in the list.</p>
    </ConfirmDialog>
  );
}
