import type { ReactNode } from 'react';
import { cx } from './cx';
import styles from './Facts.module.css';

/** A name and its value. */
export type Fact = readonly [name: string, value: ReactNode];

/** Facts in as many columns as fit. Unknown values are left out. */
export function Facts({ facts, inset }: { facts: readonly Fact[]; inset?: boolean }) {
  return (
    <dl className={cx(styles.facts, inset && styles.inset)}>
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
        .map(([name, value]) => (
          <div key={typeof value === 'string' ? `${name} ${value}` : name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
