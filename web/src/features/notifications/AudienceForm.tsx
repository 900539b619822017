import type { UseFormReturn } from 'react-hook-form';
import { accountTypes } from '@/shared/accounts';
import { Button } from '@/ui/Button';
import { FormBanner } from '@/ui/form/FormBanner';
import { TextField } from '@/ui/form/fields';
import { MultiSelectField } from '@/ui/form/MultiSelectField';
import { formatCount } from '@/ui/format';
import { type Audience, countOf, kinds, statusOptions, type Values, wordsOf } from './audience';
import styles from './notifications.module.css';
import type { useAudienceCount } from './queries';

interface Props {
  form: UseFormReturn<Values>;
  /** What was counted last. */
  audience: Audience;
  counted: Pick<ReturnType<typeof useAudienceCount>, 'data' | 'isFetching'>;
  onCount: (values: Values) => void;
}

/** Whom a notification is meant for: all that match what is chosen, decided when it is sent. */
export function AudienceForm({ form, audience, counted: { data, isFetching }, onCount }: Props) {
  const { control, formState, handleSubmit } = form;
  return (
    <form className="card" noValidate onSubmit={handleSubmit(onCount)}>
      <div className={styles.form}>
        <h2>All that match</h2>
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
            hint="With commas between them"
          />
          <TextField
            control={control}
            name="tins"
            label="Tax IDs (TINs)"
            kind={kinds.tins}
            autoComplete="off"
            hint="Everyone who has one of them"
          />
          <TextField
            control={control}
            name="states"
            label="States"
            kind={kinds.states}
            autoComplete="off"
            hint="Such as TX, NM: who has a TIN of a provider there"
          />
        </div>
        <p className={styles.status} role="status">
          {formState.isDirty
            ? 'COUNT tells how many this is.'
            : data &&
              !isFetching &&
              `${countOf(data.count)}: ${wordsOf(audience)}.${
                data.excluded > 0 ? ` ${formatCount(data.excluded)} of those left out would match.` : ''
              }`}
        </p>
      </div>
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" busy={isFetching}>
          COUNT
        </Button>
        <p className={styles.status}>Who matches when it is sent gets it, also whoever came since.</p>
      </div>
    </form>
  );
}
