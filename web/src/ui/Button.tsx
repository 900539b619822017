import type { ComponentPropsWithRef } from 'react';
import styles from './Button.module.css';
import { cx } from './cx';

interface Look {
  /**
   * primary: a form's main action; secondary: other actions; quiet: in bars and tables; link:
   * looks like a link.
   */
  variant?: 'primary' | 'secondary' | 'quiet' | 'link';
  size?: 'small' | 'medium' | 'large';
  /** As wide as its container. */
  wide?: boolean;
}

export interface ButtonProps extends ComponentPropsWithRef<'button'>, Look {
  /** A request is running: shows a spinner and ignores clicks, but doesn't lose the focus. */
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
      // Enter in a field also clicks the form's button, so this blocks every submit.
      onClick={held ? (event) => event.preventDefault() : onClick}
      onKeyDown={(event) => {
        // A key held down clicks once.
        if (event.repeat && event.key === 'Enter') event.preventDefault();
        onKeyDown?.(event);
      }}
      className={cx(getClassName({ variant, size, wide }), className)}
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
  return <a {...rest} className={cx(getClassName({ variant, size, wide }), className)} />;
}

/** A square icon button. Its label is its accessible name and tooltip. */
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

const getClassName = ({ variant = 'secondary', size = 'medium', wide }: Look) =>
  cx(
    variant === 'link' ? styles.link : styles.button,
    styles[variant],
    variant !== 'link' && styles[size],
    wide && styles.wide,
  );
