import { Children, type CSSProperties, type ReactNode } from 'react';
import styles from './Tiles.module.css';

/** Figures side by side. If they don't all fit, each row takes half or a third of them. */
export function Tiles({ label, children }: { label: string; children: ReactNode }) {
  const all = Children.toArray(children).length;
  const rows = { '--all': all, '--half': Math.ceil(all / 2), '--third': Math.ceil(all / 3) };
  return (
    <ul className={styles.tiles} aria-label={label} style={rows as CSSProperties}>
      {children}
    </ul>
  );
}

interface ToggleProps {
  pressed: boolean;
  onToggle: () => void;
}

/** A toggle tile with any content. */
export const ToggleTile = ({ pressed, onToggle, children }: ToggleProps & { children: ReactNode }) => (
  <li>
    <button type="button" className={styles.tile} aria-pressed={pressed} onClick={onToggle}>
      {children}
    </button>
  </li>
);
