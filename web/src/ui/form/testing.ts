import { fireEvent } from '@testing-library/react';

/** The most characters a field takes, as it says of a long paste, which it keeps whole. The field is left empty. */
export function mostOf(field: HTMLInputElement): number {
  const pasted = '9'.repeat(9_000);
  fireEvent.change(field, { target: { value: pasted } });
  const kept = field.value === pasted;
  const told = document.getElementById(`${field.id}-limit`)?.textContent;
  fireEvent.change(field, { target: { value: '' } });
  return kept ? Number(/^Error: Use (\d+) characters? or fewer$/.exec(told ?? '')?.[1]) : Number.NaN;
}
