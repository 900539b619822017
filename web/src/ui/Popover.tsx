import { cloneElement, type ReactElement, type ReactNode, useState } from 'react';
import styles from './Popover.module.css';
import { useLayers } from './useLayers';
import { ButtonTarget, type Opener, useLazyDialog } from './useLazyDialog';

interface Props {
  /** The button's content, and the panel's accessible name. */
  label?: ReactNode;
  /** The button's styles. */
  className?: string;
  /** A kit button, instead of one with that label. */
  button?: ReactElement<Opener>;
  children: ReactNode;
}

/**
 * A button that shows a panel over the page. The panel traps the focus. Escape and a click
 * elsewhere close it.
 */
export function Popover({ label, className, button, children }: Props) {
  const [open, setOpen] = useState(false);
  const layers = useLayers(open, () => setOpen(false));
  const { isMounted, opener, panel } = useLazyDialog(open && layers !== undefined, 'dialog', () =>
    setOpen(false),
  );
  const opening = { ...opener, onClick: () => setOpen(!open) };
  return (
    <>
      {button ? (
        cloneElement(button, opening)
      ) : (
        <button type="button" className={className} {...opening}>
          {label}
        </button>
      )}
      {isMounted && layers && (
        <layers.Popover
          {...panel}
          onChange={setOpen}
          trapFocus
          returnFocus
          position="bottom-start"
          shadow="var(--shadow-raised)"
          transitionProps={{ duration: 0 }}
          hideDetached={false}
          classNames={{ dropdown: styles.dropdown }}
        >
          <layers.Popover.Target>
            <ButtonTarget id={panel.id} />
          </layers.Popover.Target>
          <layers.Popover.Dropdown>{children}</layers.Popover.Dropdown>
        </layers.Popover>
      )}
    </>
  );
}
