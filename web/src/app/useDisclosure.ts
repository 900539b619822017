import { useEffect, useId, useRef, useState } from 'react';

/** A button that toggles a panel. Escape, a click elsewhere or moving the focus away closes it. */
export function useDisclosure<Area extends HTMLElement>() {
  const [open, setOpen] = useState(false);
  const area = useRef<Area>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panelId = useId();

  useEffect(() => {
    if (!open) return;
    const closeOnLeave = (event: Event) => {
      if (event.target instanceof Node && !area.current?.contains(event.target)) setOpen(false);
    };
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', closeOnLeave);
    document.addEventListener('focusin', closeOnLeave);
    document.addEventListener('keydown', closeByKey);
    return () => {
      document.removeEventListener('pointerdown', closeOnLeave);
      document.removeEventListener('focusin', closeOnLeave);
      document.removeEventListener('keydown', closeByKey);
    };
  }, [open]);

  return {
    open,
    area,
    panelId,
    close: () => setOpen(false),
    trigger: {
      ref: button,
      'aria-expanded': open,
      'aria-controls': panelId,
      onClick: () => setOpen(!open),
    },
  };
}
