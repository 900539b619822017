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
import { Field, type FieldProps, getAriaProps } from './Field';
import type { Option } from './inputs';
import { withNotes } from './options';
import {
  findTypedOption,
  selectFirst,
  useAnnounceMarked,
  useDescribedBy,
  useTypedText,
} from './useTypedText';

interface Props extends Omit<FieldProps, 'error'> {
  options: readonly Option[];
  placeholder?: string;
  disabled?: boolean;
  nothingFound?: string;
  onChanged?: (value: string) => void;
  onSearch?: (typed: string) => void;
  /** The owner has already filtered the options by the typed text, so they aren't searched here. */
  isFiltered?: boolean;
  /** The owner is still searching. The options don't match the typed text yet. */
  pending?: boolean;
}

const keepOptions: NonNullable<SelectProps['filter']> = ({ options }) =>
  options.filter((option) => !(option as Partial<Option>).hidden);
const hideOptions: NonNullable<SelectProps['filter']> = () => [];

/** One value of a long list, searched by typing. Empty text without a selection. */
export function ComboboxField<Values extends FieldValues, Out>({
  control,
  name,
  options,
  placeholder,
  disabled,
  nothingFound = 'No results',
  onChanged,
  onSearch,
  isFiltered = false,
  pending = false,
  ...frame
}: Bound<Values, Out> & Props) {
  const { field, fieldState } = useController({ control, name });
  const id = fieldId(control, name);
  const error = fieldState.error?.message;
  const [typed, setTyped] = useTypedText(
    id,
    options,
    options.find(({ value }) => value === field.value)?.label,
  );
  const marked = useAnnounceMarked(id);
  const aria = getAriaProps(id, { ...frame, error });
  useDescribedBy(id, aria['aria-describedby']);
  const change = (value: string) => {
    field.onChange(value);
    onChanged?.(value);
  };
  // Enter or blur while the owner is still searching. It's handled after the search.
  const pendingEnter = useRef<{ text: string; left: boolean } | null>(null);
  const selectPending = useEffectEvent(() => {
    if (!pendingEnter.current) return;
    const { text, left } = pendingEnter.current;
    pendingEnter.current = null;
    if (!left) return selectFirst(id);
    const option = findTypedOption(text, options);
    if (option) change(option.value);
    else onSearch?.(typed);
  });
  useEffect(() => {
    if (!pending) selectPending();
  }, [pending]);
  return (
    <Field {...frame} id={id} error={error} inBanner>
      <Select
        {...aria}
        ref={field.ref}
        data={options as Option[]}
        value={field.value || null}
        onChange={(value) => change(value ?? '')}
        // A fully typed option needs no Enter.
        onBlur={() => {
          const match = findTypedOption(typed, options);
          if (pending && typed) {
            pendingEnter.current = { text: typed, left: true };
            onSearch?.(typed);
          } else if (match && match.value !== field.value) change(match.value);
          field.onBlur();
        }}
        {...marked}
        // Only clearing the text clears the selection.
        allowDeselect={false}
        placeholder={placeholder}
        disabled={disabled}
        nothingFoundMessage={nothingFound}
        error={Boolean(error)}
        searchable
        {...withNotes}
        filter={pending ? hideOptions : isFiltered ? keepOptions : withNotes.filter}
        selectFirstOptionOnChange
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !pending || !typed) return;
          event.preventDefault();
          pendingEnter.current = { text: typed, left: false };
        }}
        searchValue={typed}
        onSearchChange={(text) => {
          pendingEnter.current = null;
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
