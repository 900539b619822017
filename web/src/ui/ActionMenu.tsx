import { cloneElement, type ReactElement } from 'react';
import { flushSync } from 'react-dom';
import styles from './ActionMenu.module.css';
import { useLayers } from './useLayers';
import { ButtonTarget, type Opener, useLazyDialog } from './useLazyDialog';

export interface Action {
  label: string;
  onSelect: () => void;
  disabled?: boolean;
  /** Why it's disabled, shown below the label. */
  reason?: string;
}

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  actions: readonly Action[];
  /** The button that toggles the menu. */
  children: ReactElement<Opener>;
}

/** A button's menu of actions. Arrow keys, Enter and Escape work in it; Tab moves on. */
export function ActionMenu({ open, onOpenChange, actions, children }: Props) {
  const layers = useLayers(open, () => onOpenChange(false));
  const { isMounted, opener, panel } = useLazyDialog(open && layers !== undefined, 'menu', () =>
    onOpenChange(false),
  );
  /** Closes the menu and returns the focus to the button first. */
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
      {isMounted && layers && (
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
            <ButtonTarget id={panel.id} />
          </layers.Menu.Target>
          <layers.Menu.Dropdown
            // Tab moves on from the button, as if there were no menu.
            onKeyDown={({ key }) => key === 'Tab' && close()}
          >
            {actions.map((action) => (
              <layers.Menu.Item
                key={action.label}
                // Mantine turns this into aria-disabled. A disabled first item couldn't take the
                // focus, so no key would work.
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
