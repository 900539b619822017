import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { EditDialog } from '@/shared/EditDialog';
import { formatMoment } from '@/ui/dates';
import { DateField } from '@/ui/form/DateField';
import { CheckboxField, SelectField, TextAreaField, TextField } from '@/ui/form/fields';
import { type Rule, useSaveRule } from './queries';
import styles from './rules.module.css';
import { choices, deskName, kinds, ruleSchema, sentOf, shownOf, type Values, valuesOf } from './wording';

const failed = 'Error: The rule could not be saved. Please try again.';

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
  const { control } = form;
  const { mutateAsync: change } = useSaveRule();
  const title = rule ? `${rule.state}: ${deskName(rule.kind)}` : 'Add a rule';

  async function save(values: Values, version?: string) {
    await change({ id: rule?.id, body: sentOf(values, Number(version)) });
    return confirming ? 'The rule is in force.' : 'The rule is saved.';
  }

  return (
    <EditDialog
      form={form}
      size="large"
      title={confirming ? `Confirm ${title}` : title}
      action={confirming ? 'Confirm the rule' : 'Save'}
      readOnly={readOnly}
      version={String(rule?.version ?? 0)}
      read={shownOf}
      save={save}
      failed={failed}
      below={
        rule?.updatedAt && (
          <p className={styles.small}>
            Changed {formatMoment(rule.updatedAt)} by {rule.updatedBy}. What it said before is in the audit
            log.
          </p>
        )
      }
      onClose={onClose}
    >
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
    </EditDialog>
  );
}
