import { type ComponentType, useEffectEvent, useLayoutEffect, useState } from 'react';
import { useSession } from '@/api/session';
import { GridIcon } from '@/ui/icons';
import { toast } from '@/ui/Toasts';
import styles from './Header.module.css';
import { fetched } from './Unreachable';

const load = fetched(() => import('@/features/work-find/Palette'));

/** The Workspace's dialog, and what opens it; there is none for whom the server lists no screens of it. */
export function useWorkspace() {
  const there = Boolean(useSession().workspace);
  const [pressed, setPressed] = useState(false);
  const [Palette, setPalette] = useState<ComponentType<{ onClose: () => void }>>();
  // The dialog is loaded when it is first asked for.
  const open = async () => {
    setPressed(true);
    try {
      const { default: loaded } = await load();
      setPalette(() => loaded);
    } catch {
      setPressed(false);
      toast.error("Couldn't load the Workspace. Try again, or reload the page.");
    }
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcut(event)) return;
    event.preventDefault();
    void open();
  });
  // As soon as the button is there, so is its key.
  useLayoutEffect(() => {
    if (!there) return;
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [there]);
  return {
    there,
    pressed,
    open,
    palette: pressed && Palette && <Palette onClose={() => setPressed(false)} />,
  };
}

/** In the bar; where that is narrow its icon stands for its name, or the menu has it. */
export const WorkspaceButton = ({ pressed, open }: ReturnType<typeof useWorkspace>) => (
  <button
    type="button"
    className={`${styles.labelled} ${styles.workspace}`}
    title={`Workspace (${mac ? '⌘' : 'Ctrl '}K)`}
    aria-haspopup="dialog"
    aria-expanded={pressed}
    aria-keyshortcuts={mac ? 'Meta+K /' : 'Control+K /'}
    onClick={open}
  >
    <GridIcon />
    <span>Workspace</span>
  </button>
);

const mac = /mac|iphone|ipad/i.test(navigator.platform);
const fields = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';

/** Control and K (on a Mac Command), or a slash where nothing is typed to; not over another dialog. */
function isShortcut({ key, ctrlKey, metaKey, altKey, shiftKey, target, defaultPrevented }: KeyboardEvent) {
  if (altKey || defaultPrevented || document.querySelector('[aria-modal="true"]')) return false;
  if (key === '/') return !ctrlKey && !metaKey && !(target instanceof Element && target.closest(fields));
  return key.toLowerCase() === 'k' && !shiftKey && (mac ? metaKey && !ctrlKey : ctrlKey && !metaKey);
}
