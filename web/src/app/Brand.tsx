import { Link } from '@tanstack/react-router';
import { getConfig } from '@/api/config';
import * as paths from '@/shared/paths';
import styles from './Frame.module.css';

export function Brand() {
  return (
    <Link to={paths.home} className={styles.brand}>
      <Mark />
      {getConfig().brandName}
    </Link>
  );
}

export const Mark = () => (
  <svg className={styles.mark} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <rect width="24" height="24" rx="6" fill="#8ac9e4" />
    <path d="M6 0h12a6 6 0 0 1 4.2 1.8L1.8 22.2A6 6 0 0 1 0 18V6a6 6 0 0 1 6-6Z" fill="#ffffff" />
  </svg>
);
