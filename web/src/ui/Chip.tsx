import type { ReactNode } from 'react';
import styles from './Chip.module.css';
import { cx } from './cx';

interface Props {
  kind?: 'neutral' | 'success' | 'info' | 'warning' | 'error';
  /** Explains the word on hovering, such as what a single letter stands for. */
  title?: string;
  children: ReactNode;
}

/** A state in a word or two; the word says it, the tint only helps. */
export const Chip = ({ kind = 'neutral', title, children }: Props) => (
  <span className={cx(styles.chip, styles[kind])} title={title}>
    {children}
  </span>
);
