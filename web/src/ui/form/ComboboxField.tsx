import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import { Select, type SelectProps } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import { type FieldValues, useController } from 'react-hook-form';
import { type Bound, fieldId } from './bound';
import styles from './combobox.module.css';
import { described, Field, type FieldProps } from './Field';
import type { Option } from './inputs';
import { withNotes } from './options';
import { takeFirst, typedWhole, useMarkedIsTold, useTyped } from './useTyped';

interface Props extends Omit<FieldProps, 'error'> {
  options: readonly Option[];
  placeholder?: string;
  disabled?: boolean;
  nothingFound?: string;
  onChanged?: (value: string) => void;
  onSearch?: (typed: string) => void;
  /** The options are what their owner found for what is typed: they are not searched here. */
  found?: boolean;
  /** The owner still looks for what is typed: the options are not those of it yet. */
  pending?: boolean;
}

const asFound: NonNullable<SelectProps['filter']> = ({ options }) =>
  options.filter((option) => !(option as Partial<Option>).hidden);
const noneYet: NonNullable<SelectProps['filter']> = () => [];

/** One value of a long list, searched by typing; empty text when nothing is chosen. */
export function ComboboxField<Values extends FieldValues, Out>({
  control,
  name,
  options,
  placeholder,
  disabled,
  nothingFound = 'No results',
  onChanged,
  onSearch,
  found = false,
  pending = false,
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
  // Enter, or leaving the field, while the owner still looks: done once it has looked.
  const wanted = useRef<{ text: string; left: boolean } | null>(null);
  const takeWanted = useEffectEvent(() => {
    if (!wanted.current) return;
    const { text, left } = wanted.current;
    wanted.current = null;
    if (!left) return takeFirst(id);
    const whole = typedWhole(text, options);
    if (whole) change(whole.value);
    else onSearch?.(typed);
  });
  useEffect(() => {
    if (!pending) takeWanted();
  }, [pending]);
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
          if (pending && typed) {
            wanted.current = { text: typed, left: true };
            onSearch?.(typed);
          } else if (whole && whole.value !== field.value) change(whole.value);
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
        filter={pending ? noneYet : found ? asFound : withNotes.filter}
        selectFirstOptionOnChange
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !pending || !typed) return;
          event.preventDefault();
          wanted.current = { text: typed, left: false };
        }}
        searchValue={typed}
        onSearchChange={(text) => {
          wanted.current = null;
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
