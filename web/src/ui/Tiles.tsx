import type { ReactNode } from 'react';
import { formatCount } from './format';
import styles from './Tiles.module.css';

/** Figures side by side. */
export const Tiles = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={styles.tiles} aria-label={label}>
    {children}
  </ul>
);

interface TileProps {
  label: string;
  pressed: boolean;
  /** Not known yet without it. */
  count: number | undefined;
  /** Stands below the figure. */
  note?: string;
  onPress: () => void;
}

/** A figure that shows what it counts when it is pressed. */
export const Tile = ({ label, pressed, count, note, onPress }: TileProps) => (
  <li>
    <button type="button" className={styles.tile} aria-pressed={pressed} onClick={onPress}>
      <span>{label}</span>
      <strong>{count === undefined ? '–' : formatCount(count)}</strong>
      {note !== undefined && <span className={styles.note}>{note}</span>}
    </button>
  </li>
);
