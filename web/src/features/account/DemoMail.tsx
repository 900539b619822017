import { getConfig } from '@/api/config';
import styles from './account.module.css';

/** The demo sends no real email. */
export function DemoMail() {
  if (!getConfig().demo) return null;
  return (
    <p className={styles.demo}>
      This is a demo. <a href="/demo/mail">Read the emails it sends</a> in your browser.
    </p>
  );
}
