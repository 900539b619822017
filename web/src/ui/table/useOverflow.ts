import { useEffect, useRef, useState } from 'react';

/** Tells whether what an element holds is wider than the element. */
export function useOverflow<Box extends HTMLElement>() {
  const [box, setBox] = useState<Box | null>(null);
  const [overflows, setOverflows] = useState(false);
  const observer = useRef<ResizeObserver | null>(null);
  useEffect(() => {
    if (!box) return;
    const measure = () => setOverflows(box.scrollWidth > box.clientWidth + 1);
    measure();
    observer.current = new ResizeObserver(measure);
    observer.current.observe(box);
    if (box.firstElementChild) observer.current.observe(box.firstElementChild);
    return () => observer.current?.disconnect();
  }, [box]);
  return { ref: setBox, overflows };
}
