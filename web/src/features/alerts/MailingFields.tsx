import { type Control, useWatch } from 'react-hook-form';
import { useTinOptions } from '@/shared/tins';
import { getZoneName } from '@/ui/dates';
import { CheckboxField, SelectField } from '@/ui/form/fields';
import { MultiSelectField } from '@/ui/form/MultiSelectField';
import { emailedKinds, figures } from './figures';
import type { MailingValues } from './mailing';

interface Props {
  control: Control<MailingValues>;
  /** The selectable Tax IDs. */
  tins: readonly string[];
  /** Allows turning emails off. */
  never?: boolean;
}

const often = [
  { value: 'daily', label: 'Daily' },
  { value: 'mondays', label: 'Mondays' },
];

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].map(
  (label, day) => ({ value: String(day), label }),
);

/** Emails are sent at half past each hour. */
const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${hour % 12 || 12}:30 ${hour < 12 ? 'AM' : 'PM'}`,
}));

const kindOptions = emailedKinds.map((kind) => ({ value: kind, label: figures[kind].title }));

/** When updates are emailed, and which ones. */
export function MailingFields({ control, tins, never }: Props) {
  const digest = useWatch({ control, name: 'digest' });
  const options = useTinOptions(tins);
  return (
    <>
      <SelectField
        control={control}
        name="digest"
        label="Bill updates"
        options={never ? [...often, { value: 'never', label: 'Never' }] : often}
      />
      {digest !== 'never' && (
        <>
          {digest === 'daily' && (
            <MultiSelectField control={control} name="days" label="Days" options={weekdays} />
          )}
          <SelectField control={control} name="hour" label="Time" options={hours} hint={getZoneName()} />
          <MultiSelectField
            control={control}
            name="kinds"
            label="Updates to include"
            options={kindOptions}
            placeholder="All updates"
          />
          {tins.length > 1 && (
            <MultiSelectField
              control={control}
              name="tins"
              label="Tax IDs (TINs) to include"
              options={options}
              placeholder="All"
            />
          )}
          <CheckboxField
            control={control}
            name="quietWeeks"
            label="Email me after a week with no updates"
            hint="If off, we don't send an email when nothing has changed."
          />
        </>
      )}
    </>
  );
}
