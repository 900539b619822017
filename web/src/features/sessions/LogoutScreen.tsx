import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { signOut } from '@/api/session';
import styles from './LogoutScreen.module.css';

/** Ends the session and stays shown afterwards. */
export function LogoutScreen() {
  useEffect(() => {
    signOut({ reason: 'signed-out' }).then((signOutUrl) => signOutUrl && window.location.replace(signOutUrl));
  }, []);
  return (
    <div className={styles.page}>
      <h1>You are logged out</h1>
      <p className="page-lead">Thank you for using the Provider Portal.</p>
      <p>
        <Link to="/login">Sign in again</Link>
      </p>
    </div>
  );
}
