import { type ReactNode, useEffect, useRef } from 'react';
import styles from './Banner.module.css';
import { cx } from './cx';
import { CheckCircleIcon, InfoIcon, WarningIcon } from './firstIcons';

export interface Problem {
  text: string;
  /** The id of the control to jump to. Without it the problem is plain text. */
  fieldId?: string;
}

interface BannerProps {
  kind: 'error' | 'success' | 'info' | 'warning';
  title?: ReactNode;
  children?: ReactNode;
  problems?: Problem[];
  /** Takes the focus when first shown and when this value changes, for example the submit count. */
  focusOn?: number | string;
  className?: string;
}

const listeners = new Set<() => void>();

/** Calls the listener after a success on the page, when earlier errors no longer apply. */
export function onSuccess(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const icons = { error: WarningIcon, warning: WarningIcon, success: CheckCircleIcon, info: InfoIcon };

/**
 * A message in the page. Screen readers announce it when it appears, or read it because it takes
 * the focus.
 */
export function Banner({ kind, title, children, problems, focusOn, className }: BannerProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (kind === 'success') for (const listener of listeners) listener();
    if (focusOn !== undefined) box.current?.focus();
  }, [kind, focusOn]);
  const Icon = icons[kind];
  return (
    <div
      ref={box}
      className={cx(styles.banner, styles[kind], className)}
      {...(focusOn === undefined
        ? { role: kind === 'error' ? 'alert' : 'status' }
        : { role: 'group', 'aria-label': 'Message', tabIndex: -1 })}
    >
      <Icon className={styles.icon} />
      <div className={styles.text}>
        {title && <p className={styles.title}>{title}</p>}
        {children}
        {problems && problems.length > 0 && (
          <ul className={styles.problems}>
            {problems.map(({ text, fieldId }) => (
              <li key={`${fieldId} ${text}`}>
                {fieldId ? (
                  <a
                    href={`#${fieldId}`}
                    onClick={(event) => {
                      // The address doesn't change because it belongs to the router.
                      event.preventDefault();
                      document.getElementById(fieldId)?.focus();
                    }}
                  >
                    {text}
                  </a>
                ) : (
                  text
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
