import { formatTin } from '@/ui/format';
import styles from './TinCell.module.css';

/** A Tax ID, with its office's name below if there is one. */
export const TinCell = ({ ftin, name }: { ftin: string; name: string | undefined }) => (
  <>
    {formatTin(ftin)}
    {name && (
      <span className={styles.name} title={name}>
        {name}
      </span>
    )}
  </>
);
