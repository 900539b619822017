import { useState } from 'react';
import { useUnsaved } from './Unsaved';

/** To leave a dialog with something unsaved takes a second press; typing on takes the first one back. */
export function useLeaving(unsaved: boolean, onClose: () => void) {
  const [pressed, press] = useState(false);
  useUnsaved(unsaved);
  const asked = pressed && unsaved;
  return { asked, leave: () => (unsaved && !asked ? press(true) : onClose()), typed: () => press(false) };
}
