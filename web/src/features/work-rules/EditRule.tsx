import { zodResolver } from '@hookform/resolvers/zod';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { refusal, withWait } from '@/shared/refusal';
import { Unsaved } from '@/shared/Unsaved';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { formatMoment } from '@/ui/dates';
import { DateField } from '@/ui/form/DateField';
import { FormBanner, showServerProblems } from '@/ui/form/FormBanner';
import { CheckboxField, SelectField, TextAreaField, TextField } from '@/ui/form/fields';
import { toast } from '@/ui/Toasts';
import { type Rule, useSaveRule } from './queries';
import styles from './rules.module.css';
import { choices, deskName, kinds, ruleSchema, sentOf, type Values, valuesOf } from './wording';

const failed = 'Error: The rule could not be saved. Please try again.';
const changedMeanwhile =
  'Error: Somebody has changed this rule since you opened it. Copy what you need of yours, close this, and open it again.';

/** A rule that is there, or a new one. Confirming a draft puts it in force; who may not change rules reads it. */
export function EditRule({
  rule,
  confirming = false,
  readOnly,
  onClose,
}: {
  rule?: Rule;
  confirming?: boolean;
  readOnly: boolean;
  onClose: () => void;
}) {
  const form = useForm<Values>({
    resolver: zodResolver(ruleSchema),
    shouldFocusError: false,
    defaultValues: { ...valuesOf(rule), ...(confirming && { status: 'ACTIVE' }) },
  });
  const { control, formState, handleSubmit } = form;
  const { mutateAsync: save } = useSaveRule();
  const [asked, ask] = useState(false);
  const id = useId();
  const title = rule ? `${rule.state}: ${deskName(rule.kind)}` : 'Add a rule';

  const submit = handleSubmit(async (values) => {
    try {
      await save({ id: rule?.id, body: sentOf(values, rule?.version ?? 0) });
      toast.success(confirming ? 'The rule is in force.' : 'The rule is saved.');
      onClose();
    } catch (error) {
      const problem = refusal(error);
      showServerProblems(
        form,
        problem.status === 409 ? changedMeanwhile : withWait(failed, problem),
        problem.fields.map(({ path, message }) => ({ path, message: `Error: ${message}` })),
      );
    }
  });
  const leave = () => (formState.isDirty && !asked ? ask(true) : onClose());

  return (
    <Dialog
      open
      size="large"
      title={confirming ? `Confirm ${title}` : title}
      onClose={formState.isSubmitting ? undefined : leave}
      keepOnClickOutside
      actions={
        readOnly ? (
          <Button onClick={onClose}>Close</Button>
        ) : (
          <>
            {asked && <span className={styles.small}>What you typed is not saved.</span>}
            <Button disabled={formState.isSubmitting} onClick={leave}>
              {asked ? 'Close without saving' : 'Cancel'}
            </Button>
            <Button type="submit" form={id} variant="primary" busy={formState.isSubmitting}>
              {confirming ? 'Confirm the rule' : 'Save'}
            </Button>
          </>
        )
      }
    >
      <form id={id} noValidate onSubmit={submit} onChange={() => ask(false)}>
        <fieldset className={styles.form} disabled={readOnly}>
          <Unsaved form={form} />
          <FormBanner
            form={form}
            title='An error has occurred. Please address all fields marked with "Error".'
          />
          {rule && (
            <div className="field-grid">
              <SelectField control={control} name="status" label="Status" options={choices.status} />
              <TextField
                control={control}
                name="reviewedBy"
                label="Reviewed by"
                hint="Who says that it is right, such as the name of counsel. Offices read it."
                kind={kinds.reviewedBy}
                autoComplete="off"
                data-autofocus={confirming ? true : undefined}
              />
            </div>
          )}
          <div className="field-grid">
            <TextField
              control={control}
              name="state"
              label="State"
              hint="Two letters"
              kind={kinds.state}
              autoComplete="off"
              data-autofocus={rule ? undefined : true}
              required
            />
            <SelectField
              control={control}
              name="line"
              label="Line of business"
              placeholder="Select One"
              options={choices.line}
              required
            />
            <SelectField
              control={control}
              name="kind"
              label="Sets"
              placeholder="Select One"
              options={choices.kind}
              required
            />
            <TextField
              control={control}
              name="amount"
              label="Time"
              inputMode="numeric"
              kind={kinds.amount}
              autoComplete="off"
              required
            />
            <SelectField
              control={control}
              name="unit"
              label="Unit"
              placeholder="Select One"
              options={choices.unit}
              required
            />
            <SelectField
              control={control}
              name="basis"
              label="Counted from"
              placeholder="Select One"
              options={choices.basis}
              required
            />
          </div>
          <CheckboxField
            control={control}
            name="nextWorkday"
            label="A last day without work moves to the next one with"
          />
          <div className="field-grid">
            <SelectField
              control={control}
              name="condition"
              label="Only for bills"
              placeholder="All bills"
              options={choices.condition}
            />
            <TextField
              control={control}
              name="rate"
              label="Rate of interest"
              hint="Percent a month, of interest only"
              inputMode="decimal"
              kind={kinds.rate}
              autoComplete="off"
            />
            <DateField control={control} name="effective" label="Holds for times counted from" required />
            <DateField control={control} name="ended" label="To" hint="MM/DD/YYYY; empty while it holds" />
            <TextField
              control={control}
              name="citation"
              label="Stands in"
              hint="Such as 28 TAC 133.240"
              kind={kinds.citation}
              autoComplete="off"
              required
            />
            <TextField
              control={control}
              name="url"
              label="Its text on the web"
              hint="Begins with https://"
              kind={kinds.url}
              autoComplete="off"
              required
            />
          </div>
          <TextAreaField
            control={control}
            name="text"
            label="What it says"
            hint="In own words, at most 400 characters"
            required
          />
        </fieldset>
      </form>
      {rule?.updatedAt && (
        <p className={styles.small}>
          Changed {formatMoment(rule.updatedAt)} by {rule.updatedBy}. What it said before is in the audit log.
        </p>
      )}
    </Dialog>
  );
}
