import type { ReactNode } from 'react';
import { formatCount } from './format';
import styles from './Tiles.module.css';

/** Figures side by side. */
export const Tiles = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={styles.tiles} aria-label={label}>
    {children}
  </ul>
);

interface PressProps {
  pressed: boolean;
  onPress: () => void;
}

/** A tile that holds whatever is pressed. */
export const PressTile = ({ pressed, onPress, children }: PressProps & { children: ReactNode }) => (
  <li>
    <button type="button" className={styles.tile} aria-pressed={pressed} onClick={onPress}>
      {children}
    </button>
  </li>
);

interface TileProps extends PressProps {
  label: string;
  /** Not known yet without it. */
  count: number | undefined;
  /** Stands below the figure. */
  note?: string;
}

/** A figure that shows what it counts when it is pressed. */
export const Tile = ({ label, count, note, ...press }: TileProps) => (
  <PressTile {...press}>
    <span>{label}</span>
    <strong>{count === undefined ? '–' : formatCount(count)}</strong>
    {note !== undefined && <span className={styles.note}>{note}</span>}
  </PressTile>
);
