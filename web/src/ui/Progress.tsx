import { formatCount } from './format';
import styles from './Progress.module.css';

/** Progress as a bar and in numbers. */
export function Progress({ label, done, of }: { label: string; done: number; of: number }) {
  const far = `${formatCount(done)} of ${formatCount(of)}`;
  return (
    <span className={styles.progress}>
      <progress aria-label={label} aria-valuetext={far} value={done} max={of} />
      {far}
    </span>
  );
}
