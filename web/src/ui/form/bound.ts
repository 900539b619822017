import type { Control, FieldPath, FieldValues } from 'react-hook-form';

/** A form's field, as the form and the type-checked name of the value. */
export interface Bound<Values extends FieldValues, Out> {
  // A field doesn't use the context type.
  // biome-ignore lint/suspicious/noExplicitAny: react-hook-form's own default
  control: Control<Values, any, Out>;
  name: FieldPath<Values>;
}

const secrets = new WeakMap<object, Set<string>>();

/** Marks the value as a password, which is never stored. */
export function markSecret(control: object, name: string): void {
  const names = secrets.get(control) ?? new Set();
  secrets.set(control, names.add(name));
}

export const isSecret = (control: object, name: string): boolean => secrets.get(control)?.has(name) ?? false;

const prefixes = new WeakMap<object, string>();
let forms = 0;

/** The id of a field's control: unique per form, and available wherever the form's control is. */
export function fieldId(control: object, name: string): string {
  let prefix = prefixes.get(control);
  if (!prefix) {
    prefix = `form${++forms}`;
    prefixes.set(control, prefix);
  }
  return `${prefix}-${name.replaceAll('.', '-')}`;
}
