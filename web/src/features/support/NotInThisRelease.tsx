import { Link } from '@tanstack/react-router';
import styles from './Notice.module.css';
import { SupportLine } from './SupportLine';

/** Where a menu entry or link leads whose screen this release does not have. */
export function NotInThisRelease({ title }: { title: string }) {
  return (
    <div className={styles.notice}>
      <h1>{title}</h1>
      <p>This screen is not part of this release.</p>
      <SupportLine />
      <p>
        <Link to="/home">Go to the home page</Link>
      </p>
    </div>
  );
}
