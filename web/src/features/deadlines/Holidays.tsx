import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { applyServerErrors } from '@/shared/applyServerErrors';
import { errorMessage } from '@/shared/errorMessage';
import { Button } from '@/ui/Button';
import { formatDate } from '@/ui/dates';
import { DateField } from '@/ui/form/DateField';
import { FormBanner } from '@/ui/form/FormBanner';
import { TextField } from '@/ui/form/fields';
import { Empty } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { ShortTable } from '@/ui/table/ShortTable';
import styles from './deadlines.module.css';
import { type Holiday, useRemoveHoliday, useSetHoliday } from './queries';
import { type HolidayValues, holidaySchema, kinds, noHoliday, toHoliday } from './wording';

/** State holidays, in addition to the federal ones. */
export function Holidays({ holidays, manages }: { holidays: readonly Holiday[]; manages: boolean }) {
  const { mutate: remove, isPending, variables } = useRemoveHoliday();
  const removeHoliday = (holiday: Holiday) =>
    remove(holiday, {
      onSuccess: () => toast.success(`${formatName(holiday)} removed`),
      onError: (error) => toast.error(errorMessage(error, "Error: Couldn't remove the holiday. Try again.")),
    });
  return (
    <section className="card" aria-labelledby="holidays">
      <h2 id="holidays" className={styles.heading}>
        State holidays
      </h2>
      <p className={styles.note}>Federal holidays are built in. Add state holidays here.</p>
      {holidays.length === 0 ? (
        <Empty title="No state holidays yet" />
      ) : (
        <ShortTable
          label="State holidays"
          rows={holidays}
          rowId={({ state, day }) => `${state} ${day}`}
          columns={[
            { header: 'State', cell: ({ state }: Holiday) => state },
            { header: 'Date', cell: ({ day }: Holiday) => formatDate(day) },
            { header: 'Holiday', cell: ({ name }: Holiday) => name },
            ...(manages
              ? [
                  {
                    header: 'Remove',
                    cell: (holiday: Holiday) => (
                      <Button
                        size="small"
                        busy={isPending && variables.state === holiday.state && variables.day === holiday.day}
                        onClick={() => removeHoliday(holiday)}
                      >
                        Remove<span className="visually-hidden"> {formatName(holiday)}</span>
                      </Button>
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
      {manages && <AddHoliday />}
    </section>
  );
}

const formatName = ({ state, day, name }: Holiday) => `${name} (${state}, ${formatDate(day)})`;

function AddHoliday() {
  const form = useForm<HolidayValues>({
    resolver: zodResolver(holidaySchema),
    shouldFocusError: false,
    defaultValues: noHoliday,
  });
  const { control, formState, handleSubmit, reset } = form;
  const { mutateAsync: set } = useSetHoliday();
  const submit = handleSubmit(async (values) => {
    try {
      const holiday = toHoliday(values);
      await set(holiday);
      toast.success(`${formatName(holiday)} saved`);
      reset(noHoliday);
    } catch (error) {
      applyServerErrors(form, error, "Error: Couldn't save the holiday. Try again.");
    }
  });
  return (
    <form className={styles.body} noValidate onSubmit={submit} aria-label="Add holiday">
      <FormBanner form={form} title='An error has occurred. Please address all fields marked with "Error".' />
      <div className="field-grid">
        <TextField
          control={control}
          name="state"
          label="State"
          hint="2 letters"
          kind={kinds.state}
          autoComplete="off"
        />
        <DateField control={control} name="day" label="Date" />
        <TextField control={control} name="name" label="Holiday" kind={kinds.name} autoComplete="off" />
      </div>
      <div className="button-row">
        <Button type="submit" busy={formState.isSubmitting}>
          Add holiday
        </Button>
      </div>
    </form>
  );
}
