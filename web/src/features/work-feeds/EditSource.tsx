import { zodResolver } from '@hookform/resolvers/zod';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { refusal, withWait } from '@/shared/refusal';
import { Unsaved } from '@/shared/Unsaved';
import { Button } from '@/ui/Button';
import { ConfirmDialog, Dialog } from '@/ui/Dialog';
import { FormBanner, showServerProblems } from '@/ui/form/FormBanner';
import { SelectField, TextField } from '@/ui/form/fields';
import { toast } from '@/ui/Toasts';
import styles from './feeds.module.css';
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
  const { control, formState, handleSubmit } = form;
  const { mutateAsync: save } = useSaveSource();
  const [asked, ask] = useState(false);
  const id = useId();

  const submit = handleSubmit(async (values) => {
    try {
      await save({ id: source?.id, body: sentOf(values) });
      toast.success('The source is saved.');
      onClose();
    } catch (error) {
      const problem = refusal(error);
      showServerProblems(
        form,
        problem.status === 409 ? `Error: ${problem.message}` : withWait(failed, problem),
        problem.fields.map(({ path, message }) => ({ path, message: `Error: ${message}` })),
      );
    }
  });
  const leave = () => (formState.isDirty && !asked ? ask(true) : onClose());

  return (
    <Dialog
      open
      size="medium"
      title={source ? source.name : 'Add a source'}
      onClose={formState.isSubmitting ? undefined : leave}
      keepOnClickOutside
      actions={
        <>
          {asked && <span className={styles.small}>What you typed is not saved.</span>}
          <Button disabled={formState.isSubmitting} onClick={leave}>
            {asked ? 'Close without saving' : 'Cancel'}
          </Button>
          <Button type="submit" form={id} variant="primary" busy={formState.isSubmitting}>
            Save
          </Button>
        </>
      }
    >
      <form id={id} className={styles.form} noValidate onSubmit={submit} onChange={() => ask(false)}>
        <Unsaved form={form} />
        <FormBanner
          form={form}
          title='An error has occurred. Please address all fields marked with "Error".'
        />
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
      </form>
    </Dialog>
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
