import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './Button';
import styles from './Dialog.module.css';
import { useLayers } from './useLayers';

interface DialogProps {
  open: boolean;
  title: ReactNode;
  children?: ReactNode;
  /** The buttons at the foot, the main one last. */
  actions?: ReactNode;
  size?: 'small' | 'medium' | 'large';
  /** Called by Escape, the close button and a click outside. Without it the dialog cannot be dismissed. */
  onClose?: () => void;
  /** A click outside does not close it. */
  keepOnClickOutside?: boolean;
  /** It hangs from the top and stays there while its height changes. */
  hanging?: boolean;
  /** Its owner asks before something is lost that is not saved; else the dialog does, of what was typed as a text. */
  ownerAsks?: boolean;
}

const widths = { small: '27.5rem', medium: '38rem', large: '60rem' };

/** A modal dialog: holds the focus while open and gives it back when closed. */
export function Dialog({
  open,
  title,
  children,
  actions,
  size = 'small',
  onClose,
  keepOnClickOutside,
  hanging = false,
  ownerAsks = false,
}: DialogProps) {
  const dismissable = onClose !== undefined;
  // What nobody has opened is not made; once opened it stays, to be seen going.
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  // Mantine gives the focus back when a dialog closes, but not when it is taken off the page while open.
  useEffect(() => {
    if (!open) return;
    const opener = document.activeElement;
    return () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, [open]);
  const { asked, note, leave } = useTexts(open, ownerAsks ? undefined : onClose);
  const close = ownerAsks ? onClose : leave;
  const layers = useLayers(open, onClose);
  if (!opened || !layers) return null;
  return (
    <layers.Modal
      opened={open}
      onClose={() => close?.()}
      title={title}
      size={widths[size]}
      returnFocus={false}
      centered={!hanging}
      yOffset={hanging ? '10dvh' : undefined}
      padding="md"
      withCloseButton={dismissable}
      closeOnEscape={dismissable}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      overlayProps={{
        color: 'var(--scrim)',
        backgroundOpacity: 1,
        // The second click of the double click that opened it is none.
        onClick: (event) => !keepOnClickOutside && event.detail < 2 && close?.(),
      }}
      transitionProps={{ transition: 'fade', duration: 120 }}
      classNames={{
        content: styles.content,
        header: styles.header,
        title: styles.title,
        body: styles.body,
        close: styles.close,
        overlay: styles.overlay,
      }}
    >
      {children && (
        <div className={styles.text} onInput={note} ref={beginAtField}>
          {children}
        </div>
      )}
      {asked && <NotSaved />}
      {actions && <div className={styles.actions}>{actions}</div>}
    </layers.Modal>
  );
}

// The filters of a table that it holds are none.
const fields = ':is(input:not([type=hidden], [type=file]), textarea, select):not(table *)';

/** What is opened to be filled in begins at its first field, and not at the button that closes it. */
function beginAtField(content: HTMLElement | null) {
  if (!content || content.querySelector('[data-autofocus]')) return;
  const first = [...content.querySelectorAll<HTMLInputElement>(fields)].find((field) => !field.disabled);
  first?.setAttribute('data-autofocus', '');
}

/** A text that was typed is not given up by one press of Escape: the first one asks. */
function useTexts(open: boolean, onClose: (() => void) | undefined) {
  const texts = useRef(new Set<HTMLTextAreaElement>());
  const [asked, ask] = useState(false);
  if (!open && asked) ask(false);
  return {
    asked,
    note: ({ target }: FormEvent) => {
      if (target instanceof HTMLTextAreaElement) texts.current.add(target);
      ask(false);
    },
    leave:
      onClose &&
      (() => {
        const typed = [...texts.current].some((text) => text.isConnected && text.value.trim() !== '');
        if (typed && !asked) return ask(true);
        texts.current.clear();
        onClose();
      }),
  };
}

/** Read aloud when it comes. */
export const NotSaved = () => (
  <p role="alert" className={styles.unsaved}>
    Your changes won't be saved.
  </p>
);

interface ConfirmDialogProps {
  open: boolean;
  title: ReactNode;
  /** medium where something is to be written. */
  size?: DialogProps['size'];
  children?: ReactNode;
  confirmLabel: string;
  /** What the label leaves open, as "remove" beside OK. */
  verb?: string;
  cancelLabel: string;
  onConfirm: () => void;
  onCancel: () => void;
  /** The confirmed call is running. */
  busy?: boolean;
  confirmDisabled?: boolean;
  ownerAsks?: boolean;
}

/** Asks before something is done. Nothing closes it while the call runs. */
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
  ownerAsks,
}: ConfirmDialogProps) {
  const verbId = useId();
  return (
    <Dialog
      open={open}
      title={title}
      size={size}
      onClose={busy ? undefined : onCancel}
      ownerAsks={ownerAsks}
      actions={
        <>
          <Button onClick={onCancel} disabled={busy} data-autofocus>
            {cancelLabel}
          </Button>
          <Button
            variant="primary"
            onClick={onConfirm}
            busy={busy}
            disabled={confirmDisabled}
            aria-describedby={verb && verbId}
          >
            {confirmLabel}
            {/* The label alone is the button's name. */}
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
