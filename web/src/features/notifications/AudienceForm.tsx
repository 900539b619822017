import type { UseFormReturn } from 'react-hook-form';
import { accountTypes } from '@/shared/accounts';
import { Button } from '@/ui/Button';
import { FormBanner } from '@/ui/form/FormBanner';
import { TextField } from '@/ui/form/fields';
import { MultiSelectField } from '@/ui/form/MultiSelectField';
import { formatCount } from '@/ui/format';
import {
  type Audience,
  describeAudience,
  describeMatches,
  kinds,
  statusOptions,
  type Values,
} from './audience';
import styles from './notifications.module.css';
import type { useAudienceCount } from './queries';

interface Props {
  form: UseFormReturn<Values>;
  /** The audience that was counted last. */
  audience: Audience;
  counted: Pick<ReturnType<typeof useAudienceCount>, 'data' | 'isFetching'>;
  onCount: (values: Values) => void;
}

/** A notification's audience: everyone who matches the criteria when it's sent. */
export function AudienceForm({ form, audience, counted: { data, isFetching }, onCount }: Props) {
  const { control, formState, handleSubmit } = form;
  return (
    <form className="card" noValidate onSubmit={handleSubmit(onCount)}>
      <div className={styles.form}>
        <h2>Everyone who matches</h2>
        <FormBanner form={form} />
        <div className="field-grid">
          <MultiSelectField
            control={control}
            name="types"
            label="Account Types"
            options={accountTypes}
            placeholder="All"
          />
          <MultiSelectField
            control={control}
            name="statuses"
            label="Statuses"
            options={statusOptions}
            placeholder="All but terminated"
          />
          <TextField
            control={control}
            name="groups"
            label="Group IDs"
            kind={kinds.groups}
            autoComplete="off"
            hint="Separate with commas"
          />
          <TextField
            control={control}
            name="tins"
            label="Tax IDs (TINs)"
            kind={kinds.tins}
            autoComplete="off"
            hint="Includes users with any of these"
          />
          <TextField
            control={control}
            name="states"
            label="States"
            kind={kinds.states}
            autoComplete="off"
            hint="Example: TX, NM. Includes users with a provider TIN in these states."
          />
        </div>
        <p className={styles.status} role="status">
          {formState.isDirty
            ? 'Select COUNT to see how many users match.'
            : data &&
              !isFetching &&
              `${describeMatches(data.count)}: ${describeAudience(audience)}.${
                data.excluded > 0 ? ` ${formatCount(data.excluded)} excluded users would match.` : ''
              }`}
        </p>
      </div>
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" busy={isFetching}>
          COUNT
        </Button>
        <p className={styles.status}>
          Sent to everyone who matches at send time, including users added later.
        </p>
      </div>
    </form>
  );
}
