import '@mantine/core/styles/Popover.layer.css';
import { Popover as MantinePopover } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import styles from './Popover.module.css';

interface Props {
  /** What the button shows; it is the name of the panel, too. */
  label?: ReactNode;
  /** The button's look. */
  className?: string;
  /** A button of the kit in place of one with that label; it takes a ref. */
  button?: ReactElement;
  children: ReactNode;
}

/** A button that shows a panel over the page. It holds the focus while open; Escape and a click elsewhere close it. */
export const Popover = ({ label, className, button, children }: Props) => (
  <MantinePopover
    trapFocus
    returnFocus
    position="bottom-start"
    shadow="var(--shadow-raised)"
    transitionProps={{ duration: 0 }}
    hideDetached={false}
    classNames={{ dropdown: styles.dropdown }}
  >
    <MantinePopover.Target>
      {button ?? (
        <button type="button" className={className}>
          {label}
        </button>
      )}
    </MantinePopover.Target>
    <MantinePopover.Dropdown>{children}</MantinePopover.Dropdown>
  </MantinePopover>
);
