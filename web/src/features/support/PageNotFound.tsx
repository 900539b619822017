import { Link } from '@tanstack/react-router';
import * as paths from '@/shared/paths';
import { SupportLine } from '@/shared/SupportLine';
import styles from './Notice.module.css';

export function PageNotFound() {
  return (
    <div className={styles.notice}>
      <h1>We're sorry, but we could not locate that page</h1>
      <SupportLine />
      <p>
        <Link to={paths.home}>Go to the home page</Link>
      </p>
    </div>
  );
}
