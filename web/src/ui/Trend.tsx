import { formatPercent } from './format';
import styles from './Trend.module.css';

export interface TrendPoint {
  /** Steps since the first one, which is 0. */
  at: number;
  /** From 0 to 1. */
  value: number;
}

interface Props {
  /** The line's meaning, for screen readers. */
  label: string;
  points: readonly TrendPoint[];
  /** The maximum number of steps from the first to the last. */
  steps: number;
}

const width = 128;
const height = 32;
const edge = 3;
// The scale's lowest top, so that a line between 99 and 100 percent isn't a mountain.
const minTop = 0.9;

const roundToTenth = (n: number) => Math.round(n * 10) / 10;

/** A small line of shares over time. The text also has its lowest and its latest value. */
export function Trend({ label, points, steps }: Props) {
  const last = points.at(-1);
  if (!last) return null;
  const low = Math.min(...points.map(({ value }) => value));
  const floor = Math.min(low, minTop);
  const x = ({ at }: TrendPoint) => roundToTenth(edge + (at / Math.max(steps, 1)) * (width - 2 * edge));
  const y = ({ value }: TrendPoint) =>
    roundToTenth(height - edge - ((value - floor) / (1 - floor)) * (height - 2 * edge));
  const text = `${label}: lowest ${formatPercent(low)}, latest ${formatPercent(last.value)}`;
  return (
    <span className={styles.trend}>
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={text}>
        <line x1={edge} x2={width - edge} y1={height - 1} y2={height - 1} className={styles.base} />
        <polyline points={points.map((point) => `${x(point)},${y(point)}`).join(' ')} />
        <circle cx={x(last)} cy={y(last)} r={edge - 0.5} />
      </svg>
      <span className={styles.note} aria-hidden="true">
        Lowest {formatPercent(low)}
      </span>
    </span>
  );
}
