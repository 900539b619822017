import { flushSync } from 'react-dom';
import { type DefaultValues, type FieldValues, type Path, useForm, useWatch } from 'react-hook-form';
import { UnsavedChangesGuard } from './UnsavedChangesGuard';

/** The input of a form. Reload, Back and the next sign-in restore it until it's sent. Render `guard` in the form. */
export function useDraft<Values extends FieldValues>(storageName: string, empty: Values) {
  const form = useForm<Values>({ defaultValues: empty as DefaultValues<Values> });
  const values = useWatch({ control: form.control }) as Values;
  return {
    values,
    set(changes: Partial<Values>) {
      for (const [name, value] of Object.entries(changes))
        form.setValue(name as Path<Values>, value as never, { shouldDirty: true });
    },
    /** Empties the form, before the caller leaves the page. */
    clear: () => flushSync(() => form.reset(empty)),
    guard: <UnsavedChangesGuard form={form} storageName={storageName} />,
  };
}
