import type { ReactNode } from 'react';
import { type FieldValues, useController } from 'react-hook-form';
import { normaliseText } from '../text';
import { type Bound, fieldId } from './bound';
import {
  CheckboxInput,
  PasswordInput,
  RadioGroupInput,
  SelectInput,
  TextAreaInput,
  TextInput,
} from './inputs';

/* The fields of react-hook-form forms: <TextField control={form.control} name="lastName" label="Last Name" />. */

function useField<Values extends FieldValues, Out>({ control, name }: Bound<Values, Out>) {
  const { field, fieldState } = useController({ control, name });
  return { field, id: fieldId(control, name), error: fieldState.error?.message };
}

type Own = 'name' | 'value' | 'error' | 'id' | 'ref' | 'checked' | 'onChange' | 'onBlur';

/** The props of an unbound field, less those that the form fills in. */
type Props<Input extends (props: never) => ReactNode, Values extends FieldValues, Out> = Bound<Values, Out> &
  Omit<Parameters<Input>[0], Own> & {
    /** Told after the form has taken the value. */
    onChanged?: (value: string) => void;
  };

/** One line of text; trimmed and normalised when it is left. */
export function TextField<Values extends FieldValues, Out>({
  control,
  name,
  onChanged,
  ...rest
}: Props<typeof TextInput, Values, Out>) {
  const { field, id, error } = useField({ control, name });
  const change = (value: string) => {
    field.onChange(value);
    onChanged?.(value);
  };
  return (
    <TextInput
      {...rest}
      {...field}
      disabled={rest.disabled}
      id={id}
      error={error}
      value={field.value ?? ''}
      onChange={(event) => change(event.target.value)}
      onBlur={() => {
        const normal = normaliseText(field.value ?? '');
        if (normal !== field.value) change(normal);
        field.onBlur();
      }}
    />
  );
}

export function PasswordField<Values extends FieldValues, Out>({
  control,
  name,
  onChanged,
  ...rest
}: Props<typeof PasswordInput, Values, Out>) {
  const { field, id, error } = useField({ control, name });
  return (
    <PasswordInput
      {...rest}
      {...field}
      disabled={rest.disabled}
      id={id}
      error={error}
      value={field.value ?? ''}
      onChange={(event) => {
        field.onChange(event);
        onChanged?.(event.target.value);
      }}
    />
  );
}

export function TextAreaField<Values extends FieldValues, Out>({
  control,
  name,
  onChanged,
  ...rest
}: Props<typeof TextAreaInput, Values, Out>) {
  const { field, id, error } = useField({ control, name });
  return (
    <TextAreaInput
      {...rest}
      {...field}
      disabled={rest.disabled}
      id={id}
      error={error}
      value={field.value ?? ''}
      onChange={(event) => {
        field.onChange(event);
        onChanged?.(event.target.value);
      }}
    />
  );
}

export function SelectField<Values extends FieldValues, Out>({
  control,
  name,
  onChanged,
  ...rest
}: Props<typeof SelectInput, Values, Out>) {
  const { field, id, error } = useField({ control, name });
  return (
    <SelectInput
      {...rest}
      {...field}
      disabled={rest.disabled}
      id={id}
      error={error}
      value={field.value ?? ''}
      onChange={(event) => {
        field.onChange(event);
        onChanged?.(event.target.value);
      }}
    />
  );
}

export function CheckboxField<Values extends FieldValues, Out>({
  control,
  name,
  onChanged,
  ...rest
}: Omit<Props<typeof CheckboxInput, Values, Out>, 'onChanged'> & { onChanged?: (checked: boolean) => void }) {
  const { field, id, error } = useField({ control, name });
  return (
    <CheckboxInput
      {...rest}
      name={field.name}
      ref={field.ref}
      id={id}
      error={error}
      checked={Boolean(field.value)}
      onBlur={field.onBlur}
      onChange={(event) => {
        field.onChange(event.target.checked);
        onChanged?.(event.target.checked);
      }}
    />
  );
}

export function RadioGroup<Values extends FieldValues, Out>({
  control,
  name,
  onChanged,
  ...rest
}: Props<typeof RadioGroupInput, Values, Out>) {
  const { field, id, error } = useField({ control, name });
  return (
    <RadioGroupInput
      {...rest}
      {...field}
      disabled={rest.disabled}
      id={id}
      error={error}
      value={field.value ?? ''}
      onChange={(value) => {
        field.onChange(value);
        onChanged?.(value);
      }}
    />
  );
}
