import { type ComponentType, useState } from 'react';
import { type FieldValues, useController } from 'react-hook-form';
import { IconButton } from '../Button';
import { formatDate, parseDate } from '../dates';
import { CalendarIcon } from '../icons';
import { toast } from '../Toasts';
import { loadLayers, useLayers } from '../useLayers';
import { ButtonTarget, useLazyDialog } from '../useLazyDialog';
import { type Bound, fieldId } from './bound';
import type { CalendarProps } from './Calendar';
import styles from './DateField.module.css';
import { Field, type FieldProps, getAriaProps } from './Field';
import frameStyles from './Field.module.css';

interface Props extends Omit<FieldProps, 'error'> {
  disabled?: boolean;
  /** YYYY-MM-DD; the calendar's limit. The schema checks typed dates. */
  minDate?: string;
  maxDate?: string;
  onChanged?: (text: string) => void;
}

/**
 * A date, typed or picked. The form's value is the field's raw text, so that the schema can
 * distinguish an empty date from an invalid one; parseDate parses it. On blur, any accepted
 * format becomes MM/DD/YYYY.
 */
export function DateField<Values extends FieldValues, Out>({
  control,
  name,
  disabled,
  minDate,
  maxDate,
  onChanged,
  hint = 'MM/DD/YYYY',
  ...frame
}: Bound<Values, Out> & Props) {
  const { field, fieldState } = useController({ control, name });
  const [picking, setPicking] = useState(false);
  const layers = useLayers(picking);
  const [Calendar, setCalendar] = useState<ComponentType<CalendarProps> | null>(null);
  const { isMounted, opener, panel } = useLazyDialog(picking && Calendar !== null, 'dialog', () =>
    setPicking(false),
  );
  const id = fieldId(control, name);
  const error = fieldState.error?.message;
  const text: string = field.value ?? '';
  const change = (next: string) => {
    field.onChange(next);
    onChanged?.(next);
  };
  // Loads the calendar on first use.
  const pick = async () => {
    try {
      const [{ default: loaded }] = await Promise.all([import('./Calendar'), loadLayers()]);
      setCalendar(() => loaded);
      setPicking(true);
    } catch {
      toast.error("Couldn't load the calendar. Type the date instead.");
    }
  };
  return (
    <Field {...frame} id={id} hint={hint} error={error} inBanner>
      <div className={frameStyles['with-button']}>
        <input
          {...getAriaProps(id, { ...frame, hint, error })}
          ref={field.ref}
          name={field.name}
          type="text"
          autoComplete="off"
          className={frameStyles.control}
          disabled={disabled}
          value={text}
          onChange={(event) => change(event.target.value)}
          onBlur={() => {
            const date = parseDate(text);
            if (date && formatDate(date) !== text) change(formatDate(date));
            field.onBlur();
          }}
        />
        <IconButton
          {...opener}
          className={frameStyles.inside}
          label="Select a date"
          aria-describedby={`${id}-label`}
          disabled={disabled}
          onClick={() => (picking ? setPicking(false) : void pick())}
        >
          <CalendarIcon />
        </IconButton>
        {isMounted && layers && (
          <layers.Popover
            {...panel}
            onChange={setPicking}
            position="bottom-end"
            shadow="var(--shadow-raised)"
            transitionProps={{ duration: 0 }}
            trapFocus
            hideDetached={false}
            returnFocus
            classNames={{ dropdown: styles.dropdown }}
          >
            <layers.Popover.Target>
              <ButtonTarget id={panel.id} />
            </layers.Popover.Target>
            <layers.Popover.Dropdown aria-label="Calendar" aria-labelledby={undefined}>
              {Calendar && (
                <Calendar
                  date={parseDate(text)}
                  minDate={minDate}
                  maxDate={maxDate}
                  onPick={(date) => {
                    change(formatDate(date));
                    setPicking(false);
                  }}
                />
              )}
            </layers.Popover.Dropdown>
          </layers.Popover>
        )}
      </div>
    </Field>
  );
}
