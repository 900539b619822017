import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '@/api/session';
import { ContactDialog } from '@/features/support/ContactDialog';
import * as paths from '@/shared/paths';
import { CloseIcon, MenuIcon } from '@/ui/icons';
import { Bell } from './Bell';
import { Brand } from './Brand';
import { ChatButton } from './ChatButton';
import frame from './Frame.module.css';
import styles from './Header.module.css';
import { ThemeSwitch } from './ThemeSwitch';
import { useDisclosure } from './useDisclosure';
import { type useWorkspace, WorkspaceButton } from './WorkspaceButton';

// The header's labels for account types with another name on the administration screens.
const accountTypes: Record<string, string> = { PRUS: 'Sub User', PRAD: 'Admin User' };

export function Header({ workspace }: { workspace: ReturnType<typeof useWorkspace> }) {
  const { user, mirroredUser, menu } = useSession();
  const navigation = useDisclosure<HTMLElement>();
  const [contact, setContact] = useState(false);
  const openFromMenu = (open: () => void) => () => {
    // The dialog returns the focus only to an element that is still visible.
    navigation.close();
    navigation.trigger.ref.current?.focus();
    open();
  };
  const { typeCd, typeDesc } = user;
  // While mirroring, the link opens the mirrored user's profile.
  const { userFirstName, userLastName } = mirroredUser ?? user;

  return (
    <header className={frame.header} ref={navigation.area}>
      <div className={frame.bar}>
        <button
          type="button"
          className={`${styles.tool} ${styles.menuButton}`}
          aria-label="Menu"
          {...navigation.trigger}
        >
          {navigation.open ? <CloseIcon /> : <MenuIcon />}
        </button>
        <Brand />
        <div className={styles.tools}>
          <button
            type="button"
            className={`${styles.text} ${styles.wideOnly}`}
            onClick={() => setContact(true)}
          >
            Contact Us
          </button>
          <ChatButton />
          <Link to={paths.userProfile} className={`${styles.text} ${styles.wideOnly}`}>
            {`${userFirstName} ${userLastName}'s Account`}
          </Link>
          <span className={styles.accountType}>{accountTypes[typeCd] ?? typeDesc}</span>
          {workspace.isAvailable && <WorkspaceButton {...workspace} />}
          <ThemeSwitch />
          <Bell />
          <Link to={paths.logout} className={styles.signOut}>
            Sign Out
          </Link>
        </div>
      </div>
      <nav id={navigation.panelId} className={styles.menu} data-open={navigation.open} aria-label="Main">
        <ul>
          {menu.map(({ label, to }) => (
            <li key={to}>
              <Link to={paths.getScreenPath(to)} onClick={navigation.close}>
                {label}
              </Link>
            </li>
          ))}
          {workspace.isAvailable && (
            <li className={styles.narrowestOnly}>
              <button type="button" aria-haspopup="dialog" onClick={openFromMenu(workspace.open)}>
                Workspace
              </button>
            </li>
          )}
          <li className={styles.narrowOnly}>
            <Link to={paths.userProfile} onClick={navigation.close}>
              {`${userFirstName} ${userLastName}'s Account`}
            </Link>
          </li>
          <li className={styles.narrowOnly}>
            <button type="button" onClick={openFromMenu(() => setContact(true))}>
              Contact Us
            </button>
          </li>
          <li className={styles.narrowOnly}>
            <ThemeSwitch asText />
          </li>
        </ul>
      </nav>
      {workspace.palette}
      <ContactDialog open={contact} onClose={() => setContact(false)} />
    </header>
  );
}
