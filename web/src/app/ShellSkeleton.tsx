import { getConfig } from '@/api/config';
import type { SessionPreview } from '@/api/sessionPreview';
import * as paths from '@/shared/paths';
import { Loading } from '@/ui/PageState';
import { Mark } from './Brand';
import frame from './Frame.module.css';
import header from './Header.module.css';

/**
 * A signed-in screen before the session response arrives. It uses the preview in the page: the
 * menu and room for the screen.
 */
export const ShellSkeleton = ({ preview: { menu } }: { preview: SessionPreview }) => (
  <div className={frame.frame}>
    <title>{getConfig().brandName}</title>
    <header className={frame.header}>
      <div className={frame.bar}>
        <a href={paths.addBase(paths.home)} className={frame.brand}>
          <Mark />
          {getConfig().brandName}
        </a>
      </div>
      <nav className={header.menu} aria-label="Main">
        <ul>
          {menu.map(({ label, to }) => (
            <li key={to}>
              <a href={paths.addBase(paths.getScreenPath(to))}>{label}</a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
    <main className={frame.main}>
      <div className="page">
        <Loading />
      </div>
    </main>
  </div>
);
