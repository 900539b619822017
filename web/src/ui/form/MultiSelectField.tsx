import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import { MultiSelect } from '@mantine/core';
import { type FieldValues, useController } from 'react-hook-form';
import { cx } from '../cx';
import { type Bound, fieldId } from './bound';
import styles from './combobox.module.css';
import { Field, type FieldProps, getAriaProps } from './Field';
import type { Option } from './inputs';
import { withNotes } from './options';
import { findTypedOption, useAnnounceMarked, useDescribedBy, useTypedText } from './useTypedText';

interface Props extends Omit<FieldProps, 'error'> {
  options: readonly Option[];
  /** The maximum number of selected values. */
  max?: number;
  placeholder?: string;
  disabled?: boolean;
  nothingFound?: string;
  onChanged?: (values: string[]) => void;
}

/** Several values of a list, searched by typing. Backspace removes the last one. */
export function MultiSelectField<Values extends FieldValues, Out>({
  control,
  name,
  options,
  max,
  placeholder,
  disabled,
  nothingFound = 'No results',
  onChanged,
  ...frame
}: Bound<Values, Out> & Props) {
  const { field, fieldState } = useController({ control, name });
  const id = fieldId(control, name);
  const error = fieldState.error?.message;
  const chosen: string[] = field.value ?? [];
  const [typed, setTyped] = useTypedText(id, options);
  const marked = useAnnounceMarked(id);
  const change = (values: string[]) => {
    field.onChange(values);
    onChanged?.(values);
  };
  const full = max !== undefined && chosen.length >= max;
  const labels = options.filter(({ value }) => chosen.includes(value)).map(({ label: text }) => text);
  const aria = getAriaProps(id, { ...frame, error });
  useDescribedBy(id, cx(aria['aria-describedby'], labels.length > 0 && `${id}-description`));
  return (
    <Field {...frame} id={id} error={error} inBanner>
      <MultiSelect
        {...aria}
        // The input itself is empty, so this lists the selection for screen readers.
        description={
          labels.length > 0 ? `Selected: ${labels.join(', ')}${full ? '. Limit reached.' : ''}` : undefined
        }
        ref={field.ref}
        // Mantine would ignore one more selection without a message.
        data={options.map((option) => ({ ...option, disabled: full && !chosen.includes(option.value) }))}
        value={chosen}
        onChange={change}
        // A fully typed option needs no Enter.
        onBlur={() => {
          const whole = findTypedOption(typed, options);
          if (whole && !full && !chosen.includes(whole.value)) change([...chosen, whole.value]);
          field.onBlur();
        }}
        {...marked}
        maxValues={max}
        placeholder={chosen.length === 0 ? placeholder : undefined}
        disabled={disabled}
        nothingFoundMessage={nothingFound}
        error={Boolean(error)}
        searchable
        {...withNotes}
        selectFirstOptionOnChange
        searchValue={typed}
        onSearchChange={setTyped}
        hidePickedOptions={false}
        // The list box itself scrolls. The keyboard can't reach a scroll area around it.
        withScrollArea={false}
        comboboxProps={{ transitionProps: { duration: 0 }, shadow: 'var(--shadow-raised)' }}
        classNames={{
          input: styles.input,
          section: styles.arrow,
          pill: styles.pill,
          inputField: styles.typed,
          dropdown: styles.dropdown,
          options: styles.options,
          option: styles.option,
          error: styles.hidden,
          description: 'visually-hidden',
        }}
        aria-labelledby={`${id}-label`}
      />
    </Field>
  );
}
