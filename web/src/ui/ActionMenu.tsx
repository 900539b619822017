import { cloneElement, type ReactElement } from 'react';
import { flushSync } from 'react-dom';
import styles from './ActionMenu.module.css';
import { useLayers } from './useLayers';
import { ButtonOf, type Opener, useOpened } from './useOpened';

export interface Action {
  label: string;
  onSelect: () => void;
  disabled?: boolean;
  /** Why it is disabled, shown below the label. */
  reason?: string;
}

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  actions: readonly Action[];
  /** The button that opens and closes the menu. */
  children: ReactElement<Opener>;
}

/** A menu of actions at a button, worked with arrows, Enter and Escape; Tab leads on. */
export function ActionMenu({ open, onOpenChange, actions, children }: Props) {
  const layers = useLayers(open, () => onOpenChange(false));
  const { there, opener, panel } = useOpened(open && layers !== undefined, 'menu');
  /** Closes it, with the focus back on the button before anything else happens. */
  const close = () => {
    flushSync(() => onOpenChange(false));
    document.getElementById(opener.id)?.focus();
  };
  const select = (action: Action) => {
    // A dialog that opens now returns the focus to the button.
    close();
    action.onSelect();
  };
  return (
    <>
      {cloneElement(children, { ...opener, onClick: () => onOpenChange(!open) })}
      {there && layers && (
        <layers.Menu
          {...panel}
          onChange={onOpenChange}
          position="bottom-end"
          shadow="var(--shadow-raised)"
          transitionProps={{ duration: 0 }}
          withInitialFocusPlaceholder={false}
          hideDetached={false}
          classNames={{ dropdown: styles.dropdown, item: styles.item }}
        >
          <layers.Menu.Target>
            <ButtonOf id={panel.id} />
          </layers.Menu.Target>
          <layers.Menu.Dropdown
            // It leads on from the button, as if no menu were there.
            onKeyDown={({ key }) => key === 'Tab' && close()}
          >
            {actions.map((action) => (
              <layers.Menu.Item
                key={action.label}
                // Mantine makes aria-disabled of it. Disabled, a first one could not take the focus: no key would enter.
                data-disabled={action.disabled}
                closeMenuOnClick={false}
                onClick={() => !action.disabled && select(action)}
              >
                {action.label}
                {action.disabled && action.reason && <span className={styles.reason}>{action.reason}</span>}
              </layers.Menu.Item>
            ))}
          </layers.Menu.Dropdown>
        </layers.Menu>
      )}
    </>
  );
}
