import { type ComponentPropsWithRef, useId, useState } from 'react';
import { IconButton } from '../Button';
import { cx } from '../cx';
import { EyeIcon } from '../icons';
import { Field, type FieldProps, getAriaProps, HintAndError, RequiredMark } from './Field';
import styles from './Field.module.css';

/*
 * The plain fields: label, control, error and hint, without a form library or Mantine. The bound
 * fields of forms in fields.tsx wrap these.
 */

// No maxLength. A browser cuts pasted text without a message. kinds.ts has the limits.
type Control<Tag extends 'input' | 'select' | 'textarea'> = Omit<
  ComponentPropsWithRef<Tag>,
  'required' | 'className' | 'maxLength'
> &
  FieldProps;

export function TextInput({
  label,
  hint,
  error,
  tooLong,
  required,
  inBanner,
  className,
  id,
  ...rest
}: Control<'input'>) {
  const ownId = useId();
  const frame = { id: id ?? ownId, label, hint, error, tooLong, required, inBanner, className };
  return (
    <Field {...frame}>
      <input type="text" {...rest} {...getAriaProps(frame.id, frame)} className={styles.control} />
    </Field>
  );
}

/** Hides the typed text until the user asks to see it. */
export function PasswordInput({
  label,
  hint,
  error,
  required,
  inBanner,
  className,
  id,
  ...rest
}: Control<'input'>) {
  const ownId = useId();
  const [shown, setShown] = useState(false);
  const frame = { id: id ?? ownId, label, hint, error, required, inBanner, className };
  return (
    <Field {...frame}>
      <div className={styles['with-button']}>
        <input
          autoComplete="current-password"
          {...rest}
          {...getAriaProps(frame.id, frame)}
          type={shown ? 'text' : 'password'}
          autoCapitalize="none"
          spellCheck={false}
          className={styles.control}
        />
        <IconButton
          className={styles.inside}
          label="Show password"
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <EyeIcon />
        </IconButton>
      </div>
    </Field>
  );
}

export function TextAreaInput({
  label,
  hint,
  error,
  required,
  inBanner,
  className,
  id,
  ...rest
}: Control<'textarea'>) {
  const ownId = useId();
  const frame = { id: id ?? ownId, label, hint, error, required, inBanner, className };
  return (
    <Field {...frame}>
      <textarea {...rest} {...getAriaProps(frame.id, frame)} className={styles.control} />
    </Field>
  );
}

export interface Option {
  value: string;
  label: string;
  /** Shown next to the label. A searchable list matches it too. */
  note?: string;
  disabled?: boolean;
  /** Labels a selected value but isn't in the list. */
  hidden?: boolean;
}

interface SelectExtras {
  options: readonly Option[];
  /** The first entry, with an empty value. */
  placeholder?: string;
}

export function SelectInput({
  label,
  hint,
  error,
  required,
  inBanner,
  className,
  id,
  options,
  placeholder,
  ...rest
}: Control<'select'> & SelectExtras) {
  const ownId = useId();
  const frame = { id: id ?? ownId, label, hint, error, required, inBanner, className };
  return (
    <Field {...frame}>
      <select {...rest} {...getAriaProps(frame.id, frame)} className={styles.control}>
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.note ? `${option.label} ${option.note}` : option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

export function CheckboxInput({
  label,
  hint,
  error,
  required,
  inBanner,
  className,
  id,
  ...rest
}: Control<'input'>) {
  const ownId = useId();
  const frame = { id: id ?? ownId, hint, error, required };
  return (
    <div className={cx(styles.field, className)}>
      <label className={styles.choice}>
        <input {...rest} {...getAriaProps(frame.id, frame)} type="checkbox" />
        <span>
          {label}
          {required && <RequiredMark />}
        </span>
      </label>
      <HintAndError id={frame.id} hint={hint} error={error} inBanner={inBanner} />
    </div>
  );
}

interface RadioGroupProps extends FieldProps {
  id?: string;
  name: string;
  options: readonly Option[];
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  disabled?: boolean;
  ref?: React.Ref<HTMLInputElement>;
}

export function RadioGroupInput({
  label,
  hint,
  error,
  required,
  inBanner,
  className,
  id,
  name,
  options,
  value,
  onChange,
  onBlur,
  disabled,
  ref,
}: RadioGroupProps) {
  const ownId = useId();
  const frame = { id: id ?? ownId, hint, error, required };
  const group = getAriaProps(`${frame.id}-group`, {});
  return (
    <fieldset
      className={cx(styles.field, className)}
      id={group.id}
      aria-describedby={getAriaProps(frame.id, frame)['aria-describedby']}
    >
      <legend className={styles.label}>
        {label}
        {required && <RequiredMark />}
      </legend>
      <div className={styles.choices}>
        {options.map((option, index) => (
          <label key={option.value} className={styles.choice}>
            <input
              type="radio"
              // The first one gets the id, so that a banner's link jumps into the group.
              id={index === 0 ? frame.id : undefined}
              ref={index === 0 ? ref : undefined}
              name={name}
              value={option.value}
              checked={value === option.value}
              disabled={disabled || option.disabled}
              aria-invalid={error ? true : undefined}
              onChange={() => onChange(option.value)}
              onBlur={onBlur}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      <HintAndError id={frame.id} hint={hint} error={error} inBanner={inBanner} />
    </fieldset>
  );
}
