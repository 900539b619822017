import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { getConfig } from '@/api/config';
import { useSession } from '@/api/session';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ChevronRightIcon } from '@/ui/icons';
import { retrievalError } from '@/ui/PageState';
import { ContentFrame } from './ContentFrame';
import styles from './HomeScreen.module.css';
import { openSecureResource } from './secureResource';

/** Shown next to the content, such as warnings for administrators. */
type Aside = { aside?: ReactNode };

export function HomeScreen({ aside }: Aside) {
  const { homePageUrl } = getConfig();
  return homePageUrl ? <HomeContent url={homePageUrl} aside={aside} /> : <Welcome aside={aside} />;
}

function HomeContent({ url, aside }: Aside & { url: string }) {
  const { actingUser } = useSession();
  const [failure, setFailure] = useState<{ path: string; reason: 'blocked' | 'failed' }>();
  const opening = useRef(false);

  const open = useCallback(async (path: string) => {
    // One at a time, whatever a page requests.
    if (opening.current) return;
    opening.current = true;
    try {
      const opened = await openSecureResource(path);
      setFailure(opened === 'blocked' ? { path, reason: 'blocked' } : undefined);
    } catch {
      setFailure({ path, reason: 'failed' });
    } finally {
      opening.current = false;
    }
  }, []);

  return (
    <>
      <h1 className="visually-hidden">{`Welcome, ${actingUser.userFirstName}`}</h1>
      {failure && (
        <div className={styles.failure}>
          <Banner kind={failure.reason === 'blocked' ? 'warning' : 'error'}>
            <div className={styles.message}>
              {failure.reason === 'blocked' ? "Your browser blocked the document's window." : retrievalError}
              <Button size="small" onClick={() => open(failure.path)}>
                {failure.reason === 'blocked' ? 'Open the document' : 'Try again'}
              </Button>
            </div>
          </Banner>
        </div>
      )}
      {aside && <div className={styles.aside}>{aside}</div>}
      <ContentFrame
        url={url}
        title="Home"
        onSecureResource={open}
        instead={{ page: 'home', shown: <Shortcuts /> }}
      />
    </>
  );
}

/** Home without a configured content page. */
function Welcome({ aside }: Aside) {
  const { actingUser } = useSession();
  return (
    <>
      <h1 className="visually-hidden">{`Welcome, ${actingUser.userFirstName}`}</h1>
      <Shortcuts />
      {aside && <div className={styles.aside}>{aside}</div>}
    </>
  );
}

/** A plain welcome with links to the user's screens. The last one opens the Workspace. */
function Shortcuts() {
  const { actingUser, menu, workspace } = useSession();
  const shortcuts = [...menu, ...(workspace ?? []).slice(0, 1).map(({ to }) => ({ label: 'Workspace', to }))];
  return (
    <div className="page">
      <div>
        <p className={styles.welcome}>Welcome, {actingUser.userFirstName}</p>
        <p className="page-lead">Where would you like to start?</p>
      </div>
      <ul className={styles.entries}>
        {shortcuts.map(({ label, to }) => (
          <li key={to}>
            <Link to={paths.getScreenPath(to)} className={styles.entry}>
              {label}
              <ChevronRightIcon />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
