import { type ComponentType, useEffectEvent, useLayoutEffect, useState } from 'react';
import { useSession } from '@/api/session';
import { GridIcon } from '@/ui/icons';
import { useSingleKeys } from '@/ui/singleKeys';
import { toast } from '@/ui/Toasts';
import styles from './Header.module.css';
import { loadChunk } from './Unreachable';

const loadPalette = loadChunk(() => import('@/features/command-palette/Palette'));

/** The Workspace dialog and its triggers. Users without Workspace screens don't get it. */
export function useWorkspace() {
  const isAvailable = Boolean(useSession().workspace);
  const [isOpen, setOpen] = useState(false);
  const [Palette, setPalette] = useState<ComponentType<{ onClose: () => void }>>();
  // Loads the dialog on first use.
  const open = async () => {
    setOpen(true);
    try {
      const { default: loaded } = await loadPalette();
      setPalette(() => loaded);
    } catch {
      setOpen(false);
      toast.error("Couldn't load the Workspace. Try again, or reload the page.");
    }
  };
  const singleKeys = useSingleKeys();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcut(event) || (event.key === '/' && !singleKeys)) return;
    event.preventDefault();
    void open();
  });
  // Register the shortcut as soon as the button exists.
  useLayoutEffect(() => {
    if (!isAvailable) return;
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [isAvailable]);
  return {
    isAvailable,
    isOpen,
    open,
    singleKeys,
    palette: isOpen && Palette && <Palette onClose={() => setOpen(false)} />,
  };
}

/** In the header bar. In narrow bars it's an icon, or an item of the menu. */
export const WorkspaceButton = ({ isOpen, open, singleKeys }: ReturnType<typeof useWorkspace>) => (
  <button
    type="button"
    className={`${styles.labelled} ${styles.workspace}`}
    title={`Workspace (${isMac ? '⌘' : 'Ctrl '}K)`}
    aria-haspopup="dialog"
    aria-expanded={isOpen}
    aria-keyshortcuts={`${isMac ? 'Meta' : 'Control'}+K${singleKeys ? ' /' : ''}`}
    onClick={open}
  >
    <GridIcon />
    <span>Workspace</span>
  </button>
);

const isMac = /mac|iphone|ipad/i.test(navigator.platform);
const textFields = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';

/** Ctrl+K (Command+K on a Mac), or a slash outside a text field; never over another dialog. */
function isShortcut({ key, ctrlKey, metaKey, altKey, shiftKey, target, defaultPrevented }: KeyboardEvent) {
  if (altKey || defaultPrevented || document.querySelector('[aria-modal="true"]')) return false;
  if (key === '/') return !ctrlKey && !metaKey && !(target instanceof Element && target.closest(textFields));
  return key.toLowerCase() === 'k' && !shiftKey && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey);
}
