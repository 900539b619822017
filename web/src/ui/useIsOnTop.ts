import { useEffect, useState } from 'react';

const openLayers: symbol[] = [];

/** Reports whether a dialog or panel is on top. The Escape key reaches all open dialogs. */
export function useIsOnTop(open: boolean) {
  const [id] = useState(() => Symbol());
  useEffect(() => {
    if (!open) return;
    openLayers.push(id);
    // After the key event that closes it, which can reach the dialog below later.
    return () => {
      setTimeout(() => openLayers.splice(openLayers.lastIndexOf(id), 1));
    };
  }, [open, id]);
  return () => openLayers.at(-1) === id;
}
