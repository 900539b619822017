import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import styles from './Chart.module.css';

/*
 * Charts of a few values. They are our own, in HTML and CSS: the smallest libraries add more bytes
 * than all of Today, and none of them has a keyboard path and a table behind each chart.
 */

interface CardProps {
  title: string;
  /** One sentence about what is shown. */
  note?: string;
  chart: ReactNode;
  /** The same values as a table. */
  table: ReactNode;
}

/** A chart with its table behind it, which screen readers read instead. */
export function ChartCard({ title, note, chart, table }: CardProps) {
  const id = useId();
  return (
    <section className={`card ${styles.card}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note && <p>{note}</p>}
      </header>
      {chart}
      <details>
        <summary>Show as table</summary>
        {table}
      </details>
    </section>
  );
}

export interface ColumnPoint {
  /** What the column stands for, in words. */
  name: string;
  /** Below the column; empty for none. */
  tick: string;
  value: number;
}

interface ColumnsProps {
  label: string;
  points: readonly ColumnPoint[];
  format: (value: number) => string;
}

/** Values over time as columns. The arrow keys move through them, and the text shows the value. */
export function Columns({ label, points, format }: ColumnsProps) {
  const [at, setAt] = useState(points.length - 1);
  const top = Math.max(...points.map(({ value }) => value), 0);
  const current = points[Math.min(at, points.length - 1)];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    setAt((before) => Math.min(points.length - 1, Math.max(0, before + step)));
  };
  return (
    <div>
      <p className={styles.value}>
        <output>
          {current?.name}: <strong>{current && format(current.value)}</strong>
        </output>
      </p>
      <div
        className={styles.columns}
        role="slider"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={points.length - 1}
        aria-valuenow={at}
        aria-valuetext={current && `${current.name}: ${format(current.value)}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        {points.map(({ name, tick, value }, index) => (
          <span
            key={name}
            className={styles.slot}
            data-current={index === at}
            onPointerEnter={() => setAt(index)}
          >
            <span className={styles.track}>
              <span
                className={styles.fill}
                style={{ blockSize: `${top > 0 ? Math.max(0, (100 * value) / top) : 0}%` }}
              />
            </span>
            <span className={styles.tick}>{tick}</span>
          </span>
        ))}
      </div>
    </div>
  );
}

export interface BarPart {
  key: string;
  value: number;
  /** Its color, 1 to 5. */
  color: number;
  /** Shown on hover. */
  title: string;
  onSelect?: () => void;
}

interface Bar {
  name: string;
  label: ReactNode;
  value: string;
  parts: readonly BarPart[];
}

/** Values by name as bars of one or more parts. */
export function Bars({ bars }: { bars: readonly Bar[] }) {
  const top = Math.max(...bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)), 0);
  return (
    <ul className={styles.bars}>
      {bars.map(({ name, label, value, parts }) => (
        <li key={name}>
          <span>{label}</span>
          <span className={styles.amount}>{value}</span>
          <span className={styles.bar} aria-hidden="true">
            {parts
              .filter((part) => part.value > 0)
              .map(({ key, value, color, title, onSelect }) => (
                // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the table has links for the same
                <span
                  key={key}
                  title={title}
                  data-color={color}
                  data-clickable={onSelect !== undefined}
                  style={{ inlineSize: `${(100 * value) / top}%` }}
                  onClick={onSelect}
                />
              ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** What the colors of bars mean. */
export const Legend = ({ entries }: { entries: readonly { name: string; color: number }[] }) => (
  <ul className={styles.legend} aria-hidden="true">
    {entries.map(({ name, color }) => (
      <li key={name}>
        <span className={styles.swatch} data-color={color} />
        {name}
      </li>
    ))}
  </ul>
);
