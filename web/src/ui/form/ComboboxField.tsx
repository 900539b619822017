import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import { Select, type SelectProps } from '@mantine/core';
import { type FieldValues, useController } from 'react-hook-form';
import { type Bound, fieldId } from './bound';
import styles from './combobox.module.css';
import { described, Field, type FieldProps } from './Field';
import type { Option } from './inputs';
import { withNotes } from './options';
import { typedWhole, useMarkedIsTold, useTyped } from './useTyped';

interface Props extends Omit<FieldProps, 'error'> {
  options: readonly Option[];
  placeholder?: string;
  disabled?: boolean;
  nothingFound?: string;
  onChanged?: (value: string) => void;
  onSearch?: (typed: string) => void;
  /** The options are what their owner found for what is typed: they are not searched here. */
  found?: boolean;
}

const asFound: NonNullable<SelectProps['filter']> = ({ options }) => options;

/** One value of a long list, searched by typing; empty text when nothing is chosen. */
export function ComboboxField<Values extends FieldValues, Out>({
  control,
  name,
  options,
  placeholder,
  disabled,
  nothingFound = 'Nothing found',
  onChanged,
  onSearch,
  found = false,
  ...frame
}: Bound<Values, Out> & Props) {
  const { field, fieldState } = useController({ control, name });
  const id = fieldId(control, name);
  const error = fieldState.error?.message;
  const [typed, setTyped] = useTyped(id, options, options.find(({ value }) => value === field.value)?.label);
  const told = useMarkedIsTold(id);
  const change = (value: string) => {
    field.onChange(value);
    onChanged?.(value);
  };
  return (
    <Field {...frame} id={id} error={error} told>
      <Select
        {...described(id, { ...frame, error })}
        ref={field.ref}
        data={options as Option[]}
        value={field.value || null}
        onChange={(value) => change(value ?? '')}
        // Whoever typed all of it need not press Enter.
        onBlur={() => {
          const whole = typedWhole(typed, options);
          if (whole && whole.value !== field.value) change(whole.value);
          field.onBlur();
        }}
        {...told}
        // Emptying the text gives the choice up, and nothing else does.
        allowDeselect={false}
        placeholder={placeholder}
        disabled={disabled}
        nothingFoundMessage={nothingFound}
        error={Boolean(error)}
        searchable
        {...withNotes}
        filter={found ? asFound : withNotes.filter}
        selectFirstOptionOnChange
        searchValue={typed}
        onSearchChange={(text) => {
          setTyped(text);
          onSearch?.(text);
          if (text === '' && field.value) change('');
        }}
        withScrollArea={false}
        comboboxProps={{ transitionProps: { duration: 0 }, shadow: 'var(--shadow-raised)' }}
        classNames={{
          input: styles.input,
          section: styles.arrow,
          dropdown: styles.dropdown,
          options: styles.options,
          option: styles.option,
          error: styles.hidden,
        }}
        aria-labelledby={`${id}-label`}
      />
    </Field>
  );
}
