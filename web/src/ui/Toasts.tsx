import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { Button, IconButton } from './Button';
import { CheckCircleIcon, CloseIcon, WarningIcon } from './icons';
import styles from './Toasts.module.css';

interface Toast {
  id: number;
  kind: 'success' | 'error';
  text: string;
  action?: Action;
}

/** A follow-up action, such as Undo. */
interface Action {
  label: string;
  run: () => void;
}

const shownFor = 8_000;
// Same as in display.css.
const smallWindow = '(max-width: 40rem), (max-height: 36rem)';
let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

/**
 * Reports an outcome that no longer has a place on the screen. Errors stay until they are
 * closed. Escape closes the newest from anywhere.
 */
export const toast = {
  success: (text: string, action?: Action) => show('success', text, action),
  error: (text: string) => show('error', text),
};

function show(kind: Toast['kind'], text: string, action?: Action) {
  const id = nextId++;
  setToasts([...toasts, { id, kind, text, action }]);
  if (kind === 'success') setTimeout(() => closeUnlessInUse(id), shownFor);
}

/** Closes a toast after a while, but not while the user hovers over it or focuses it. */
function closeUnlessInUse(id: number) {
  const message = document.querySelector(`[data-toast="${id}"]`);
  if (message?.contains(document.activeElement) || message?.matches(':hover'))
    setTimeout(() => closeUnlessInUse(id), shownFor);
  else close(id);
}

const close = (id: number) => setToasts(toasts.filter((other) => other.id !== id));

function setToasts(next: readonly Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/**
 * On small windows, pages and dialogs end above the toasts, so that nothing stays covered. A page
 * at its end scrolls there, and so does one with the focus below a toast.
 */
function makeRoom(region: HTMLElement, needed: boolean) {
  const page = document.documentElement;
  const isAtEnd = page.scrollTop + page.clientHeight >= page.scrollHeight - 1;
  // 8 px are the space between the page's end and the toasts.
  const height = needed ? window.innerHeight - region.getBoundingClientRect().top + 8 : 0;
  page.style.setProperty('--toasts', `${height}px`);
  if (!needed || !matchMedia(smallWindow).matches) return;
  if (isAtEnd) page.scrollTop = page.scrollHeight;
  const focused = document.activeElement;
  if (focused && focused !== document.body && !region.contains(focused) && overlap(focused, region))
    focused.scrollIntoView({ block: 'nearest' });
}

function overlap(first: Element, second: Element) {
  const [a, b] = [first.getBoundingClientRect(), second.getBoundingClientRect()];
  return a.bottom > b.top && a.top < b.bottom && a.right > b.left && a.left < b.right;
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  /** The focus before it moved to a toast. */
  const before = useRef<EventTarget | null>(null);
  const closeAndRestoreFocus = (id: number) => {
    const hadFocus = document.activeElement?.closest(`[data-toast="${id}"]`);
    close(id);
    if (!hadFocus) return;
    const back = before.current instanceof HTMLElement && before.current.isConnected ? before.current : null;
    (back ?? document.querySelector<HTMLElement>('main h1'))?.focus({ preventScroll: true });
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const newest = shown.at(-1);
    if (event.key !== 'Escape' || !newest) return;
    // Open dialogs and menus close first.
    if (!document.activeElement?.closest('[role="dialog"], [role="menu"], [aria-expanded="true"]'))
      closeAndRestoreFocus(newest.id);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    if (region.current) makeRoom(region.current, shown.length > 0);
  }, [shown]);
  return (
    // The region exists before the first toast, or screen readers would miss that one.
    <section
      ref={region}
      className={styles.region}
      aria-label="Notifications"
      aria-live="polite"
      aria-relevant="additions"
      onFocus={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget;
      }}
    >
      {shown.map(({ id, kind, text, action }) => (
        <div key={id} className={styles.toast} data-kind={kind} data-toast={id}>
          {kind === 'success' ? (
            <CheckCircleIcon className={styles.icon} />
          ) : (
            <WarningIcon className={styles.icon} />
          )}
          <p className={styles.text}>{text}</p>
          {action && (
            <Button
              size="small"
              onClick={() => {
                closeAndRestoreFocus(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton size="small" label="Close message" onClick={() => closeAndRestoreFocus(id)}>
            <CloseIcon />
          </IconButton>
        </div>
      ))}
    </section>
  );
}
