import type { ComponentPropsWithRef } from 'react';
import styles from './Button.module.css';
import { cx } from './cx';

interface Look {
  /** primary: the one main action of a form; secondary: the others; quiet: in bars and tables; link: reads as a link. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'link';
  size?: 'small' | 'medium' | 'large';
  /** As wide as what holds it. */
  wide?: boolean;
}

export interface ButtonProps extends ComponentPropsWithRef<'button'>, Look {
  /** A call is running: shows a spinner and takes no clicks, but keeps the focus. */
  busy?: boolean;
}

export function Button({
  variant = 'secondary',
  size = 'medium',
  wide,
  busy,
  disabled,
  'aria-disabled': held = busy,
  className,
  type = 'button',
  onClick,
  onKeyDown,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled}
      aria-disabled={held || undefined}
      aria-busy={busy || undefined}
      // Enter in a field presses the form's button too, so this holds back every submit.
      onClick={held ? (event) => event.preventDefault() : onClick}
      onKeyDown={(event) => {
        // A key that is held down presses once.
        if (event.repeat && event.key === 'Enter') event.preventDefault();
        onKeyDown?.(event);
      }}
      className={cx(look({ variant, size, wide }), className)}
    >
      {busy && <span className={styles.spinner} aria-hidden="true" />}
      {children}
    </button>
  );
}

/** A link that looks like a button. For a route, wrap it with the router's createLink. */
export function LinkButton({
  variant = 'secondary',
  size = 'medium',
  wide,
  className,
  ...rest
}: ComponentPropsWithRef<'a'> & Look) {
  return <a {...rest} className={cx(look({ variant, size, wide }), className)} />;
}

/** A square button that shows an icon alone; its label is read out and shown as a tooltip. */
export function IconButton({
  label,
  className,
  ...rest
}: Omit<ButtonProps, 'variant' | 'wide'> & { label: string }) {
  return (
    <Button
      {...rest}
      variant="quiet"
      className={cx(styles.icon, className)}
      aria-label={label}
      title={label}
    />
  );
}

const look = ({ variant = 'secondary', size = 'medium', wide }: Look) =>
  cx(
    variant === 'link' ? styles.link : styles.button,
    styles[variant],
    variant !== 'link' && styles[size],
    wide && styles.wide,
  );
