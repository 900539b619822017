import type { ReactNode, Ref } from 'react';
import { type Control, type UseFormReturn, useController } from 'react-hook-form';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { getZoneName, parseDate, today } from '@/ui/dates';
import { fieldId } from '@/ui/form/bound';
import { DateField } from '@/ui/form/DateField';
import { FormBanner } from '@/ui/form/FormBanner';
import { TextField } from '@/ui/form/fields';
import { CheckboxInput, TextInput } from '@/ui/form/inputs';
import { findLengthProblem } from '@/ui/form/kinds';
import { formatCount } from '@/ui/format';
import { describeAudience, describeMatches } from './audience';
import { StatusChip } from './columns';
import { type Draft, isAddressed } from './draft';
import {
  defaultName,
  describeSendTime,
  formatRecipientCount,
  getStatus,
  kinds,
  listMissing,
  nameMissing,
  type Values,
} from './notification';
import styles from './notifications.module.css';
import { useAudienceCount } from './queries';

interface Props {
  form: UseFormReturn<Values>;
  draft: Draft;
  heading: Ref<HTMLHeadingElement>;
  isSaving: boolean;
  /** A save was attempted, so missing fields are marked. */
  attempted: boolean;
  /** The question when another administrator saved first. */
  conflict: ReactNode;
  onSave: (values: Values) => Promise<void>;
  onInvalid: () => void;
  onRecipients: () => void;
  onReset: () => void;
  onCancel: () => void;
}

const lists = new Intl.ListFormat('en', { type: 'conjunction' });

export function NotificationForm({
  form,
  draft,
  heading,
  isSaving,
  attempted,
  conflict,
  onSave,
  onInvalid,
  onRecipients,
  onReset,
  onCancel,
}: Props) {
  const { editing, values } = draft;
  const { control, formState, handleSubmit } = form;
  const sent = editing?.status === 'SENT';
  const missingFields = listMissing(values, isAddressed(draft));
  return (
    <form className="card" noValidate onSubmit={handleSubmit(onSave, onInvalid)}>
      <div className={styles.form}>
        <h2 ref={heading} tabIndex={-1}>
          {editing ? 'Edit notification' : 'New notification'}
        </h2>
        {conflict}
        <FormBanner form={form} />
        {sent && (
          <Banner kind="info">
            This notification was sent, so you can't change it. UN-PUBLISH recalls it from its recipients so
            you can edit it.
          </Banner>
        )}
        <fieldset className={styles.fields} disabled={isSaving}>
          <NameField control={control} attempted={attempted} disabled={sent} />
          <TextField
            control={control}
            name="campaign"
            label="Campaign"
            kind={kinds.campaign}
            disabled={sent}
          />
          <TextField
            control={control}
            name="requestedBy"
            label="Requested by"
            kind={kinds.requestedBy}
            disabled={sent}
          />
          <TextField
            control={control}
            name="link"
            label="Notification Link"
            hint={sent ? undefined : 'Starts with http:// or https://'}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            kind={kinds.link}
            disabled={sent}
          />
          <DateField
            control={control}
            name="sendDt"
            label="Notification Send Date"
            hint={
              sent
                ? null
                : `MM/DD/YYYY. Sent at 8:00 am ${getZoneName()}, or right away if that time has passed.`
            }
            minDate={today()}
            disabled={sent}
          />
          <CheckboxInput
            className={styles.email}
            label="Send Email"
            hint={sent ? undefined : "Users see notifications under the bell. They aren't emailed."}
            checked={false}
            readOnly
            disabled
          />
        </fieldset>
        <div className={styles.recipients}>
          <Button onClick={onRecipients} disabled={isSaving}>
            MANAGE RECIPIENTS
          </Button>
          <RecipientSummary draft={draft} />
        </div>
        <p className={styles.status}>
          <StatusChip status={sent ? 'SENT' : getStatus(values, isAddressed(draft))} />
          <span>
            {sent
              ? describeReceivers(draft)
              : missingFields.length > 0
                ? `It will be saved as a draft. Still missing: ${lists.format(missingFields)}.`
                : values.sendDt.trim() === ''
                  ? 'It will be saved as ready. Add a send date to send it.'
                  : `After you save it, it will be sent ${describeSendTime(parseDate(values.sendDt) ?? '9')}.`}
          </span>
        </p>
      </div>
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" busy={formState.isSubmitting || isSaving} disabled={sent}>
          {editing ? 'UPDATE NOTIFICATION' : 'CREATE NOTIFICATION'}
        </Button>
        <Button onClick={onReset} disabled={sent || isSaving}>
          RESET
        </Button>
        {editing && (
          <Button onClick={onCancel} disabled={isSaving}>
            CANCEL EDIT
          </Button>
        )}
      </div>
    </form>
  );
}

/** Describes the users who received it: accounts that had ended didn't. */
function describeReceivers({ editing, recipients, audience }: Draft): string {
  const sentTo = editing?.announced?.sentTo;
  if (sentTo === 0)
    return audience
      ? 'Sent to no one. No users matched.'
      : "Sent to no one: all recipients' accounts were terminated.";
  return !audience && typeof sentTo === 'number' && sentTo < recipients.length
    ? `${formatCount(sentTo)} of its ${formatRecipientCount(recipients.length)} see it under the bell. The other accounts were terminated before it was sent.`
    : 'Its recipients see it under the bell.';
}

/** The recipients, or the number of users who received it. */
function RecipientSummary({ draft: { editing, recipients, audience } }: Pick<Props, 'draft'>) {
  const sent = editing?.status === 'SENT';
  const { data } = useAudienceCount(sent ? null : audience);
  if (!audience)
    return (
      <p>
        {recipients.length === 0
          ? 'No recipients selected'
          : `${formatRecipientCount(recipients.length)} selected`}
      </p>
    );
  const sentTo = sent ? editing.announced?.sentTo : undefined;
  return (
    <p>
      {`Everyone who matches: ${describeAudience(audience)}`}
      {typeof sentTo === 'number'
        ? ` (sent to ${formatRecipientCount(sentTo)})`
        : data && ` (${describeMatches(data.count)})`}
    </p>
  );
}

/** Marks a missing name. This isn't a form error, because it's saved with the default name. */
function NameField({
  control,
  attempted,
  disabled,
}: {
  control: Control<Values>;
  attempted: boolean;
  disabled: boolean;
}) {
  const { field, fieldState } = useController({ control, name: 'name' });
  const absent = (fieldState.isTouched || attempted) && field.value.trim() === '' && !disabled;
  return (
    <TextInput
      {...field}
      disabled={disabled}
      id={fieldId(control, 'name')}
      label="Notification Name"
      required={!disabled}
      hint={disabled ? undefined : `Leave blank to save a draft named “${defaultName}”.`}
      tooLong={findLengthProblem(kinds.name, field.value)}
      error={fieldState.error?.message ?? (absent ? nameMissing : undefined)}
      onBlur={() => {
        field.onChange(kinds.name.normalize(field.value));
        field.onBlur();
      }}
    />
  );
}
