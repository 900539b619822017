import { useEffect, useRef, useState } from 'react';

/** Reports whether an element's content is wider than the element. */
export function useOverflow<Box extends HTMLElement>() {
  const [box, setBox] = useState<Box | null>(null);
  const [overflows, setOverflows] = useState(false);
  const observer = useRef<ResizeObserver | null>(null);
  useEffect(() => {
    if (!box) return;
    // The observer fires after the first layout; measuring here would force that layout.
    observer.current = new ResizeObserver(() => setOverflows(box.scrollWidth > box.clientWidth + 1));
    observer.current.observe(box);
    if (box.firstElementChild) observer.current.observe(box.firstElementChild);
    return () => observer.current?.disconnect();
  }, [box]);
  return { ref: setBox, overflows };
}
