import { config } from '../api/config';
import styles from './Footer.module.css';

export function Footer() {
  const { brandName, termsUrl, privacyUrl, version } = config();
  return (
    <footer className={styles.footer}>
      <p>
        © {new Date().getFullYear()} {brandName}. All rights reserved. <span>Version {version}</span>
      </p>
      <ul>
        {termsUrl && (
          <li>
            <a href={termsUrl} target="_blank" rel="noopener">
              Terms and Conditions
            </a>
          </li>
        )}
        {privacyUrl && (
          <li>
            <a href={privacyUrl} target="_blank" rel="noopener">
              Privacy Policy
            </a>
          </li>
        )}
        <li>
          <a href="#top" onClick={goToTop}>
            Go to top
          </a>
        </li>
      </ul>
    </footer>
  );
}

/** Moves the view and the keyboard's place; the address stays as it is: it belongs to the router. */
function goToTop(event: { preventDefault(): void }) {
  event.preventDefault();
  window.scrollTo({ top: 0 });
  document.querySelector<HTMLElement>('.skip-link')?.focus({ preventScroll: true });
}
