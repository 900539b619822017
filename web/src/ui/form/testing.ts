import { fireEvent } from '@testing-library/react';

/**
 * Reads a field's maximum length from the error after a long paste, which the field accepts.
 * Clears the field.
 */
export function readMaxLength(field: HTMLInputElement): number {
  const pasted = '9'.repeat(9_000);
  fireEvent.change(field, { target: { value: pasted } });
  const kept = field.value === pasted;
  const message = document.getElementById(`${field.id}-limit`)?.textContent;
  fireEvent.change(field, { target: { value: '' } });
  return kept ? Number(/^Error: Use (\d+) characters? or fewer$/.exec(message ?? '')?.[1]) : Number.NaN;
}
