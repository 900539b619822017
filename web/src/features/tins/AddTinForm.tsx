import type { ReactNode } from 'react';
import type { DefaultValues, UseFormReturn } from 'react-hook-form';
import { UnsavedChangesGuard } from '@/shared/UnsavedChangesGuard';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { FormBanner } from '@/ui/form/FormBanner';
import styles from './tins.module.css';

/** The props of every section on a page that manages TINs. */
export interface ManagementProps {
  groupId: number;
  disabled: boolean;
  /** Shows a result at the top and replaces the previous one. */
  show: (message: ReactNode) => void;
}

interface Props<Values extends { ftin: string }> extends Omit<ManagementProps, 'groupId'> {
  form: UseFormReturn<Values>;
  empty: DefaultValues<Values>;
  /** The message above the invalid fields. */
  title?: string;
  layout: 'one' | 'proof';
  /** Adds the TIN and returns the success message; undefined if the form shows the problem. */
  add: (values: Values) => Promise<string | undefined>;
  /** Shows the server's reason. */
  refuse: (error: unknown) => void;
  /** The fields. */
  children: ReactNode;
  /** Shown next to Add and Reset. */
  actions?: ReactNode;
}

/** The form above a list of TINs: adds one, shows the result at the top and clears itself. */
export function AddTinForm<Values extends { ftin: string }>({
  form,
  empty,
  title,
  layout,
  add,
  refuse,
  disabled,
  show,
  children,
  actions,
}: Props<Values>) {
  const { formState, handleSubmit, reset } = form;

  async function submit(values: Values) {
    show(null);
    try {
      const added = await add(values);
      if (!added) return;
      reset(empty);
      show(
        <Banner kind="success" focusOn={values.ftin}>
          {added}
        </Banner>,
      );
    } catch (error) {
      refuse(error);
    }
  }

  return (
    <form className="card" noValidate onSubmit={handleSubmit(submit, () => show(null))}>
      <div className={styles.form}>
        <UnsavedChangesGuard form={form} storageName="tin" />
        <FormBanner form={form} title={title} />
        <fieldset className={styles[layout]} disabled={disabled}>
          <legend className="visually-hidden">Add a TIN</legend>
          {children}
        </fieldset>
        <div className="button-row">
          <Button type="submit" variant="primary" disabled={disabled} busy={formState.isSubmitting}>
            Add
          </Button>
          <Button
            disabled={disabled}
            onClick={() => {
              reset(empty);
              show(null);
            }}
          >
            Reset
          </Button>
          {actions}
        </div>
      </div>
    </form>
  );
}
