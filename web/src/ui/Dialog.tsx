import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './Button';
import { cx } from './cx';
import styles from './Dialog.module.css';
import { useIsOnTop } from './useIsOnTop';
import { useLayers } from './useLayers';

interface DialogProps {
  open: boolean;
  title: ReactNode;
  children?: ReactNode;
  /** The buttons at the bottom, the main one last. */
  actions?: ReactNode;
  size?: 'small' | 'medium' | 'large';
  /**
   * Called by Escape, the close button and a click outside. Without it users can't dismiss the
   * dialog.
   */
  onClose?: () => void;
  /** A click outside doesn't close it. */
  keepOnClickOutside?: boolean;
  /** A panel at the right edge, on screens that are wide enough. */
  side?: boolean;
  /** Aligned to the top, so that it doesn't move when its height changes. */
  topAligned?: boolean;
  /** The owner asks before unsaved changes are lost. Otherwise the dialog asks, for text input. */
  ownerConfirms?: boolean;
}

const widths = { small: '27.5rem', medium: '38rem', large: '60rem' };

/** A modal dialog: traps the focus while open and returns it on close. */
export function Dialog({
  open,
  title,
  children,
  actions,
  size = 'small',
  onClose,
  keepOnClickOutside,
  side = false,
  topAligned = false,
  ownerConfirms = false,
}: DialogProps) {
  const isDismissible = onClose !== undefined;
  // Nothing renders before the first open. Afterwards it stays mounted for the closing
  // animation.
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  // Mantine returns the focus when a dialog closes, but not when it unmounts while open.
  useEffect(() => {
    if (!open) return;
    const opener = document.activeElement;
    return () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, [open]);
  const { isConfirming, trackInput, leave } = useTextGuard(open, ownerConfirms ? undefined : onClose);
  const close = ownerConfirms ? onClose : leave;
  const isOnTop = useIsOnTop(open);
  const layers = useLayers(open, onClose);
  if (!opened || !layers) return null;
  return (
    <layers.Modal
      opened={open}
      onClose={() => isOnTop() && close?.()}
      title={title}
      size={widths[size]}
      returnFocus={false}
      centered={!topAligned && !side}
      yOffset={topAligned ? '10dvh' : undefined}
      padding="md"
      withCloseButton={isDismissible}
      closeOnEscape={isDismissible}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      overlayProps={{
        color: 'var(--scrim)',
        backgroundOpacity: 1,
        // Ignore the second click of the double click that opened it.
        onClick: (event) => !keepOnClickOutside && event.detail < 2 && close?.(),
      }}
      transitionProps={{ transition: 'fade', duration: 120 }}
      classNames={{
        inner: side ? styles['side-inner'] : styles.inner,
        content: cx(styles.content, side && styles.side),
        header: styles.header,
        title: styles.title,
        body: styles.body,
        close: styles.close,
        overlay: styles.overlay,
      }}
    >
      {children && (
        <div className={styles.text} onInput={trackInput} ref={focusFirstField}>
          {children}
        </div>
      )}
      {isConfirming && <UnsavedWarning />}
      {actions && <div className={styles.actions}>{actions}</div>}
    </layers.Modal>
  );
}

// Not the filters of a table in the dialog.
const fields = ':is(input:not([type=hidden], [type=file]), textarea, select):not(table *)';

/** A dialog with a form starts at its first field, not at the close button. */
function focusFirstField(content: HTMLElement | null) {
  if (!content || content.querySelector('[data-autofocus]')) return;
  const first = [...content.querySelectorAll<HTMLInputElement>(fields)].find((field) => !field.disabled);
  first?.setAttribute('data-autofocus', '');
}

/** One Escape never discards typed text. The first one asks. */
function useTextGuard(open: boolean, onClose: (() => void) | undefined) {
  const texts = useRef(new Set<HTMLTextAreaElement>());
  const [isConfirming, setConfirming] = useState(false);
  if (!open && isConfirming) setConfirming(false);
  return {
    isConfirming,
    trackInput: ({ target }: FormEvent) => {
      if (target instanceof HTMLTextAreaElement) texts.current.add(target);
      setConfirming(false);
    },
    leave:
      onClose &&
      (() => {
        const typed = [...texts.current].some((text) => text.isConnected && text.value.trim() !== '');
        if (typed && !isConfirming) return setConfirming(true);
        texts.current.clear();
        onClose();
      }),
  };
}

/** Screen readers read it when it appears. */
export const UnsavedWarning = () => (
  <p role="alert" className={styles.unsaved}>
    Your changes won't be saved.
  </p>
);

interface ConfirmDialogProps {
  open: boolean;
  title: ReactNode;
  /** medium for text input. */
  size?: DialogProps['size'];
  children?: ReactNode;
  confirmLabel: string;
  /** Completes the label for screen readers, such as "remove" for OK. */
  verb?: string;
  cancelLabel: string;
  onConfirm: () => void;
  onCancel: () => void;
  /** The confirmed request is running. */
  busy?: boolean;
  confirmDisabled?: boolean;
  /** It can't be undone: the button is red. */
  destructive?: boolean;
  ownerAsks?: boolean;
}

/** Asks for confirmation. It can't be closed while the request runs. */
export function ConfirmDialog({
  open,
  title,
  size,
  children,
  confirmLabel,
  verb,
  cancelLabel,
  onConfirm,
  onCancel,
  busy,
  confirmDisabled,
  destructive,
  ownerAsks,
}: ConfirmDialogProps) {
  const verbId = useId();
  return (
    <Dialog
      open={open}
      title={title}
      size={size}
      onClose={busy ? undefined : onCancel}
      ownerConfirms={ownerAsks}
      actions={
        <>
          <Button onClick={onCancel} disabled={busy} data-autofocus>
            {cancelLabel}
          </Button>
          <Button
            variant="primary"
            className={destructive ? styles.destructive : undefined}
            onClick={onConfirm}
            busy={busy}
            disabled={confirmDisabled}
            aria-describedby={verb && verbId}
          >
            {confirmLabel}
            {/* Only the label is the button's name. */}
            {verb && (
              <span id={verbId} className={styles.verb} aria-hidden="true">
                {verb}
              </span>
            )}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
