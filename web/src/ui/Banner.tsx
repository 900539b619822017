import { type ReactNode, useEffect, useRef } from 'react';
import styles from './Banner.module.css';
import { cx } from './cx';
import { CheckCircleIcon, InfoIcon, WarningIcon } from './firstIcons';

export interface Problem {
  text: string;
  /** The id of the control to go to; without it the problem is plain text. */
  fieldId?: string;
}

interface BannerProps {
  kind: 'error' | 'success' | 'info' | 'warning';
  title?: ReactNode;
  children?: ReactNode;
  problems?: Problem[];
  /** Takes the focus when first shown and each time the value changes, such as the count of submits. */
  focusOn?: number | string;
  className?: string;
}

const listeners = new Set<() => void>();

/** Calls the listener when something has succeeded on the page: what was told to be wrong before is over. */
export function onSuccess(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const icons = { error: WarningIcon, warning: WarningIcon, success: CheckCircleIcon, info: InfoIcon };

/** A message in the page. It is announced when it appears; one that takes the focus is read because of that. */
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
                      // The address stays as it is: it belongs to the router.
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
