import type { ReactNode } from 'react';
import styles from './Chip.module.css';
import { cx } from './cx';

interface Props {
  kind?: 'neutral' | 'success' | 'info' | 'warning' | 'error';
  /** Explains the text on hover, for example a one-letter code. */
  title?: string;
  children: ReactNode;
}

/** A status in one or two words. The word is enough; the tint only supports it. */
export const Chip = ({ kind = 'neutral', title, children }: Props) => (
  <span className={cx(styles.chip, styles[kind])} title={title}>
    {children}
  </span>
);
