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

/** Splits the props into those of the field around the control and the control's own. */
function useFrame<Props extends FieldProps & { id?: string }>({
  id,
  label,
  hint,
  error,
  tooLong,
  required,
  inBanner,
  className,
  ...rest
}: Props) {
  const ownId = useId();
  const frame = { id: id ?? ownId, label, hint, error, tooLong, required, inBanner, className };
  return { frame, rest, aria: getAriaProps(frame.id, frame) };
}

export function TextInput(props: Control<'input'>) {
  const { frame, rest, aria } = useFrame(props);
  return (
    <Field {...frame}>
      <input type="text" {...rest} {...aria} className={styles.control} />
    </Field>
  );
}

/** Hides the typed text until the user asks to see it. */
export function PasswordInput(props: Control<'input'>) {
  const { frame, rest, aria } = useFrame(props);
  const [shown, setShown] = useState(false);
  return (
    <Field {...frame}>
      <div className={styles['with-button']}>
        <input
          autoComplete="current-password"
          {...rest}
          {...aria}
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

export function TextAreaInput(props: Control<'textarea'>) {
  const { frame, rest, aria } = useFrame(props);
  return (
    <Field {...frame}>
      <textarea {...rest} {...aria} className={styles.control} />
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

export function SelectInput({ options, placeholder, ...props }: Control<'select'> & SelectExtras) {
  const { frame, rest, aria } = useFrame(props);
  return (
    <Field {...frame}>
      <select {...rest} {...aria} className={styles.control}>
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

export function CheckboxInput(props: Control<'input'>) {
  const { frame, rest, aria } = useFrame(props);
  return (
    <div className={cx(styles.field, frame.className)}>
      <label className={styles.choice}>
        <input {...rest} {...aria} type="checkbox" />
        <span>
          {frame.label}
          {frame.required && <RequiredMark />}
        </span>
      </label>
      <HintAndError {...frame} />
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
  name,
  options,
  value,
  onChange,
  onBlur,
  disabled,
  ref,
  ...props
}: RadioGroupProps) {
  const { frame, aria } = useFrame(props);
  const group = getAriaProps(`${frame.id}-group`, {});
  return (
    <fieldset
      className={cx(styles.field, frame.className)}
      id={group.id}
      aria-describedby={aria['aria-describedby']}
    >
      <legend className={styles.label}>
        {frame.label}
        {frame.required && <RequiredMark />}
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
              aria-invalid={frame.error ? true : undefined}
              onChange={() => onChange(option.value)}
              onBlur={onBlur}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      <HintAndError {...frame} />
    </fieldset>
  );
}
