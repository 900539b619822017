import { config } from '@/api/config';
import type { Outline } from '@/api/outline';
import { Loading } from '@/ui/PageState';
import { Mark } from './Brand';
import frame from './Frame.module.css';
import header from './Header.module.css';

/** A signed-in screen before its session has answered, by what the page tells of it: the menu, where the screen will be. */
export const Expected = ({ outline: { menu } }: { outline: Outline }) => (
  <div className={frame.frame}>
    <title>{config().brandName}</title>
    <header className={frame.header}>
      <div className={frame.bar}>
        <a href="/wcpp/home" className={frame.brand}>
          <Mark />
          {config().brandName}
        </a>
      </div>
      <nav className={header.menu} aria-label="Main">
        <ul>
          {menu.map(({ label, to }) => (
            <li key={to}>
              <a href={`/wcpp/${to}`}>{label}</a>
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
