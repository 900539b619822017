import { useSyncExternalStore } from 'react';
import { IconButton } from './Button';
import { CheckCircleIcon, CloseIcon, WarningIcon } from './icons';
import styles from './Toasts.module.css';

interface Toast {
  id: number;
  kind: 'success' | 'error';
  text: string;
}

const shownFor = 8_000;
let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

/** Tells the outcome of something whose place on the screen is gone. An error stays until it is closed. */
export const toast = {
  success: (text: string) => show('success', text),
  error: (text: string) => show('error', text),
};

function show(kind: Toast['kind'], text: string) {
  const id = nextId++;
  set([...toasts, { id, kind, text }]);
  if (kind === 'success') setTimeout(() => close(id), shownFor);
}

const close = (id: number) => set(toasts.filter((other) => other.id !== id));

function set(next: readonly Toast[]) {
  toasts = next;
  for (const tell of listeners) tell();
}

function subscribe(tell: () => void) {
  listeners.add(tell);
  return () => {
    listeners.delete(tell);
  };
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    // The region is there before the first toast, or screen readers would miss that one.
    <section
      className={styles.region}
      aria-label="Notifications"
      aria-live="polite"
      aria-relevant="additions"
    >
      {shown.map(({ id, kind, text }) => (
        <div key={id} className={styles.toast} data-kind={kind}>
          {kind === 'success' ? (
            <CheckCircleIcon className={styles.icon} />
          ) : (
            <WarningIcon className={styles.icon} />
          )}
          <p className={styles.text}>{text}</p>
          <IconButton size="small" label="Close message" onClick={() => close(id)}>
            <CloseIcon />
          </IconButton>
        </div>
      ))}
    </section>
  );
}
