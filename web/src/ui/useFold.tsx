import { type ReactNode, useState } from 'react';
import { Button } from './Button';
import { formatCount } from './format';

// Hiding fewer rows isn't worth a button.
const minFolded = 4;

/** Hides routine rows behind a button. The others come first. */
export function useFold<Row>(
  rows: readonly Row[],
  isRoutine: (row: Row) => boolean,
  noun: string,
): { rows: readonly Row[]; toggle: ReactNode; open: () => void } {
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  const routine = rows.filter(isRoutine);
  const others = rows.filter((row) => !isRoutine(row));
  if (routine.length < minFolded) return { rows: [...others, ...routine], toggle: null, open };
  return {
    open,
    rows: isOpen ? [...others, ...routine] : others,
    toggle: (
      <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide' : 'Show'} {formatCount(routine.length)} {others.length > 0 && 'other '}
        {noun}
      </Button>
    ),
  };
}
