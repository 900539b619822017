import { getConfig } from '@/api/config';
import { Button } from '@/ui/Button';
import styles from './Footer.module.css';

export function Footer() {
  const { brandName, organizationName, termsUrl, privacyUrl, version } = getConfig();
  return (
    <footer className={styles.footer}>
      <p>
        <span>
          © {new Date().getFullYear()} {organizationName || brandName}. All rights reserved.
        </span>
        <span>Version {version}</span>
      </p>
      <ul>
        <li>
          <a href={termsUrl} target="_blank" rel="noopener">
            Terms and Conditions
          </a>
        </li>
        {privacyUrl && (
          <li>
            <a href={privacyUrl} target="_blank" rel="noopener">
              Privacy Policy
            </a>
          </li>
        )}
        <li>
          <Button variant="link" onClick={goToTop}>
            Go to top
          </Button>
        </li>
      </ul>
    </footer>
  );
}

/** Scrolls to the top and moves the keyboard focus there. */
function goToTop() {
  window.scrollTo({ top: 0 });
  document.querySelector<HTMLElement>('.skip-link')?.focus({ preventScroll: true });
}
