import type { ReactNode } from 'react';
import type { DefaultValues, UseFormReturn } from 'react-hook-form';
import { UnsavedChangesGuard } from '@/shared/UnsavedChangesGuard';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { FormBanner } from '@/ui/form/FormBanner';
import styles from './tins.module.css';

/** What every part of a page that manages TINs is given. */
export interface ManagementProps {
  groupId: number;
  disabled: boolean;
  /** Shows what was done above everything, in place of what stood there before. */
  show: (message: ReactNode) => void;
}

interface Props<Values extends { ftin: string }> extends Omit<ManagementProps, 'groupId'> {
  form: UseFormReturn<Values>;
  empty: DefaultValues<Values>;
  /** The sentence above the fields that are wrong. */
  title?: string;
  layout: 'one' | 'proof';
  /** Adds the TIN and answers the sentence for it; undefined where the form itself says what is wrong. */
  add: (values: Values) => Promise<string | undefined>;
  /** Says why the server refused. */
  refuse: (error: unknown) => void;
  /** The fields. */
  children: ReactNode;
  /** What stands beside Add and Reset. */
  actions?: ReactNode;
}

/** The form above a list of TINs: adds one, says so above everything, and is empty again. */
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
        <UnsavedChangesGuard form={form} keepAs="tin" />
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
