import type { ReactNode } from 'react';
import { type FieldValues, useController, useFormState } from 'react-hook-form';
import { type Bound, fieldId, markSecret } from './bound';
import {
  CheckboxInput,
  PasswordInput,
  RadioGroupInput,
  SelectInput,
  TextAreaInput,
  TextInput,
} from './inputs';
import { findLengthProblem, type Kind } from './kinds';

/*
 * The fields of react-hook-form forms: <TextField control={form.control} name="lastName"
 * label="Last Name" />.
 */

type Given = 'name' | 'value' | 'error' | 'inBanner' | 'id' | 'ref' | 'checked' | 'onChange' | 'onBlur';

/** The props of an unbound field, without those that the form sets. */
type Props<
  Input extends (props: never) => ReactNode,
  Values extends FieldValues,
  Out,
  Value = string,
> = Bound<Values, Out> &
  Omit<Parameters<Input>[0], Given> & {
    disabled?: boolean;
    /** Called after the form has the new value. */
    onChanged?: (value: Value) => void;
  };

type Change<Value> = Value | { target: { value: string; type?: string; checked?: boolean } };

/** Adds the form's props to an unbound field. */
function useBound<Values extends FieldValues, Out, Value, Rest extends { disabled?: boolean }>({
  control,
  name,
  onChanged,
  ...rest
}: Bound<Values, Out> & Rest & { onChanged?: (value: Value) => void }) {
  const { field, fieldState } = useController({ control, name });
  return {
    ...(rest as unknown as Rest),
    ...field,
    disabled: rest.disabled,
    id: fieldId(control, name),
    error: fieldState.error?.message,
    inBanner: true,
    value: field.value ?? '',
    onChange(change: Change<Value>) {
      const value = getChangedValue(change);
      field.onChange(value);
      onChanged?.(value);
    },
  };
}

function getChangedValue<Value>(change: Change<Value>): Value {
  if (typeof change !== 'object' || change === null || !('target' in change)) return change as Value;
  const { type, checked, value } = change.target;
  return (type === 'checkbox' ? checked : value) as Value;
}

/**
 * One line of text of a kind, normalized on blur. A text that's too long stays as typed or
 * pasted, with an error. A stored text that's too long has no error until it's changed.
 */
export function TextField<Values extends FieldValues, Out>({
  kind,
  ...props
}: Props<typeof TextInput, Values, Out> & { kind: Kind }) {
  const { control, name } = props as Bound<Values, Out>;
  const bound = useBound(props);
  const { isDirty } = control.getFieldState(name, useFormState({ control, name }));
  const tooLong = isDirty ? findLengthProblem(kind, bound.value) : undefined;
  return (
    <TextInput
      {...bound}
      tooLong={tooLong}
      onBlur={() => {
        const normal = kind.normalize(bound.value);
        if (normal !== bound.value && !tooLong) bound.onChange(normal);
        bound.onBlur();
      }}
    />
  );
}

export function PasswordField<Values extends FieldValues, Out>(
  props: Props<typeof PasswordInput, Values, Out>,
) {
  const { control, name } = props as Bound<Values, Out>;
  markSecret(control, name);
  return <PasswordInput {...useBound(props)} />;
}

export const TextAreaField = <Values extends FieldValues, Out>(
  props: Props<typeof TextAreaInput, Values, Out>,
) => <TextAreaInput {...useBound(props)} />;

export const SelectField = <Values extends FieldValues, Out>(
  props: Props<typeof SelectInput, Values, Out>,
) => <SelectInput {...useBound(props)} />;

export const RadioGroup = <Values extends FieldValues, Out>(
  props: Props<typeof RadioGroupInput, Values, Out>,
) => <RadioGroupInput {...useBound(props)} />;

export function CheckboxField<Values extends FieldValues, Out>(
  props: Props<typeof CheckboxInput, Values, Out, boolean>,
) {
  const { value, ...bound } = useBound(props);
  return <CheckboxInput {...bound} checked={Boolean(value)} />;
}
