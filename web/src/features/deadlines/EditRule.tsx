import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { EditDialog } from '@/shared/EditDialog';
import { formatLocalDateTime } from '@/ui/dates';
import { DateField } from '@/ui/form/DateField';
import { CheckboxField, SelectField, TextAreaField, TextField } from '@/ui/form/fields';
import styles from './deadlines.module.css';
import { type Rule, useSaveRule } from './queries';
import {
  choices,
  getDeskName,
  kinds,
  ruleSchema,
  toFieldValue,
  toRequest,
  toValues,
  type Values,
} from './wording';

const failed = "Error: Couldn't save the rule. Try again.";

/**
 * An existing rule, or a new one. Confirming a draft activates it. It's read-only for users who
 * can't edit rules.
 */
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
    defaultValues: { ...toValues(rule), ...(confirming && { status: 'ACTIVE' }) },
  });
  const { control } = form;
  const { mutateAsync: change } = useSaveRule();
  const title = rule ? `${rule.state}: ${getDeskName(rule.kind)}` : 'Add rule';

  async function save(values: Values, version?: string) {
    await change({ id: rule?.id, body: toRequest(values, Number(version)) });
    return confirming ? 'Rule activated' : 'Rule saved';
  }

  return (
    <EditDialog
      form={form}
      size="large"
      title={confirming ? `Activate ${title}` : title}
      action={confirming ? 'Activate rule' : 'Save'}
      readOnly={readOnly}
      version={String(rule?.version ?? 0)}
      read={toFieldValue}
      save={save}
      failed={failed}
      below={
        rule?.updatedAt && (
          <p className={styles.small}>
            Updated {formatLocalDateTime(rule.updatedAt)} by {rule.updatedBy}. Earlier versions are in the
            audit log.
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
            hint="Name of the reviewer, such as counsel. Offices can see this."
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
          hint="2 letters"
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
          label="Deadline"
          placeholder="Select One"
          options={choices.kind}
          required
        />
        <TextField
          control={control}
          name="amount"
          label="Time limit"
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
          label="Calculated from"
          placeholder="Select One"
          options={choices.basis}
          required
        />
      </div>
      <CheckboxField
        control={control}
        name="nextWorkday"
        label="If the deadline falls on a non-business day, move it to the next business day"
      />
      <div className="field-grid">
        <SelectField
          control={control}
          name="condition"
          label="Applies to"
          placeholder="All bills"
          options={choices.condition}
        />
        <TextField
          control={control}
          name="rate"
          label="Interest rate"
          hint="Percent per month, for interest rules only"
          inputMode="decimal"
          kind={kinds.rate}
          autoComplete="off"
        />
        <DateField
          control={control}
          name="effective"
          label="Applies to periods starting on or after"
          required
        />
        <DateField
          control={control}
          name="ended"
          label="End date"
          hint="MM/DD/YYYY. Leave blank if there's no end date."
        />
        <TextField
          control={control}
          name="citation"
          label="Citation"
          hint="Such as 28 TAC 133.240"
          kind={kinds.citation}
          autoComplete="off"
          required
        />
        <TextField
          control={control}
          name="url"
          label="Link to the law"
          hint="Starts with https://"
          kind={kinds.url}
          autoComplete="off"
          required
        />
      </div>
      <TextAreaField
        control={control}
        name="text"
        label="Summary"
        hint="Plain-language summary, up to 400 characters"
        required
      />
    </EditDialog>
  );
}
