import { useEffect, useRef, useState } from 'react';

/** Focuses the first field with an error in the form, each time `focus` is called. */
export function useErrorFocus() {
  const form = useRef<HTMLFormElement>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (tries > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-invalid] input')?.focus();
  }, [tries]);
  return { form, focus: () => setTries((before) => before + 1) };
}
