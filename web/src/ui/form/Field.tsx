import type { ReactNode } from 'react';
import { cx } from '../cx';
import './layout.css';
import styles from './Field.module.css';

/** The props of every field besides its control. */
export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string;
  /** The error while the value is too long. */
  tooLong?: string;
  /** Marked with an asterisk. The schema checks that there is a value. */
  required?: boolean;
  /** The form's banner shows the errors. A field outside a form shows its own. */
  inBanner?: boolean;
  className?: string;
}

/** Label above, error and hint below, so that labels in a row align. */
export function Field({
  id,
  label,
  hint,
  error,
  tooLong,
  required,
  inBanner,
  className,
  children,
}: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className={cx(styles.field, className)}>
      <label className={styles.label} htmlFor={id} id={`${id}-label`}>
        {label}
        {required && <RequiredMark />}
      </label>
      {children}
      <HintAndError id={id} hint={hint} error={error} tooLong={tooLong} inBanner={inBanner} />
    </div>
  );
}

export function RequiredMark() {
  return (
    <span className={styles.required} aria-hidden="true">
      *
    </span>
  );
}

export function HintAndError({
  id,
  hint,
  error,
  tooLong,
  inBanner,
}: Pick<FieldProps, 'hint' | 'error' | 'tooLong' | 'inBanner'> & { id: string }) {
  return (
    <>
      {error && (
        <p className={styles.error} id={`${id}-error`} role={inBanner ? undefined : 'alert'}>
          {error}
        </p>
      )}
      {tooLong && tooLong !== error && (
        <p className={styles.error} id={`${id}-limit`}>
          {tooLong}
        </p>
      )}
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}

/** The attributes that link a control to its label, hint and error. */
export const getAriaProps = (
  id: string,
  { hint, error, tooLong, required }: Pick<FieldProps, 'hint' | 'error' | 'tooLong' | 'required'>,
) => ({
  id,
  'aria-invalid': error || tooLong ? (true as const) : undefined,
  'aria-required': required || undefined,
  'aria-describedby':
    cx(error && `${id}-error`, tooLong && tooLong !== error && `${id}-limit`, hint ? `${id}-hint` : null) ||
    undefined,
});
