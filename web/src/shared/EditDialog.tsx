import { type ComponentProps, type ReactNode, useId } from 'react';
import { type FieldValues, type UseFormReturn, useFormState } from 'react-hook-form';
import { Button } from '@/ui/Button';
import { Dialog, UnsavedWarning } from '@/ui/Dialog';
import { FormBanner } from '@/ui/form/FormBanner';
import { toast } from '@/ui/Toasts';
import { applyServerErrors } from './applyServerErrors';
import { Conflict } from './Conflict';
import styles from './EditDialog.module.css';
import { useConflict } from './editConflict';
import { useConfirmLeave } from './UnsavedChangesGuard';

interface Props<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  title: string;
  size?: ComponentProps<typeof Dialog>['size'];
  /** The save button's label. */
  action?: string;
  /** For users who can only read. */
  readOnly?: boolean;
  /** The version of the edited record, as loaded. */
  version?: string;
  /** Converts a server value to the field's value, where they differ. */
  read?: (name: string, value: string) => string;
  /** Saves the input in place of a version. Returns the success message. */
  save: (values: Values, version: string | undefined) => Promise<string>;
  /** The error message. */
  failed: string;
  /** The fields. */
  children: ReactNode;
  /** Below the form. */
  below?: ReactNode;
  onClose: () => void;
}

/**
 * A form in its own dialog. Leaving with unsaved changes takes a second click. Server errors
 * appear at their fields.
 */
export function EditDialog<Values extends FieldValues>({
  form,
  title,
  size,
  action = 'Save',
  readOnly = false,
  version,
  read,
  save,
  failed,
  children,
  below,
  onClose,
}: Props<Values>) {
  const { isDirty, isSubmitting } = useFormState({ control: form.control });
  const { isConfirming, leave, cancelLeave } = useConfirmLeave(isDirty && !isSubmitting, onClose);
  const conflict = useConflict(form, version, read);
  const id = useId();

  const submit = form.handleSubmit(async (values) => {
    try {
      toast.success(await save(values, conflict.version.current));
      onClose();
    } catch (error) {
      if (!conflict.showConflict(error)) applyServerErrors(form, error, failed);
    }
  });

  return (
    <Dialog
      open
      size={size}
      title={title}
      onClose={isSubmitting ? undefined : leave}
      keepOnClickOutside
      ownerConfirms
      actions={
        readOnly ? (
          <Button onClick={onClose}>Close</Button>
        ) : (
          <>
            {isConfirming && <UnsavedWarning />}
            <Button disabled={isSubmitting} onClick={leave}>
              {isConfirming ? 'Discard changes' : 'Cancel'}
            </Button>
            <Button type="submit" form={id} variant="primary" busy={isSubmitting}>
              {action}
            </Button>
          </>
        )
      }
    >
      <form id={id} noValidate onSubmit={submit} onChange={cancelLeave}>
        <fieldset className={styles.form} disabled={readOnly}>
          {conflict.differences && (
            <Conflict
              differences={conflict.differences}
              busy={isSubmitting}
              onTheirs={conflict.useTheirs}
              onMine={() => {
                conflict.applyMine();
                void submit();
              }}
            />
          )}
          <FormBanner
            form={form}
            title='An error has occurred. Please address all fields marked with "Error".'
          />
          {children}
        </fieldset>
      </form>
      {below}
    </Dialog>
  );
}
