import type { Control, FieldPath, FieldValues } from 'react-hook-form';

/** A field of a form: which form, and the name of the value, checked by the compiler. */
export interface Bound<Values extends FieldValues, Out> {
  // The context type has no bearing on a field.
  // biome-ignore lint/suspicious/noExplicitAny: react-hook-form's own default
  control: Control<Values, any, Out>;
  name: FieldPath<Values>;
}

const secrets = new WeakMap<object, Set<string>>();

/** Notes that the value is a password, which nobody keeps. */
export function markSecret(control: object, name: string): void {
  const names = secrets.get(control) ?? new Set();
  secrets.set(control, names.add(name));
}

export const isSecret = (control: object, name: string): boolean => secrets.get(control)?.has(name) ?? false;

const prefixes = new WeakMap<object, string>();
let forms = 0;

/** The id of a field's control: the same wherever the form's control is known, different between forms. */
export function fieldId(control: object, name: string): string {
  let prefix = prefixes.get(control);
  if (!prefix) {
    prefix = `form${++forms}`;
    prefixes.set(control, prefix);
  }
  return `${prefix}-${name.replaceAll('.', '-')}`;
}
