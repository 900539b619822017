import { MoonIcon, SunIcon } from '@/ui/icons';
import { setTheme, useColorScheme } from '@/ui/theme';
import styles from './Header.module.css';

/** An icon in the header, or text in the menu of a narrow screen. */
export function ThemeSwitch({ asText }: { asText?: boolean }) {
  const dark = useColorScheme() === 'dark';
  const label = dark ? 'Light mode' : 'Dark mode';
  const change = () => setTheme(dark ? 'light' : 'dark');
  if (asText)
    return (
      <button type="button" onClick={change}>
        {label}
      </button>
    );
  return (
    <button
      type="button"
      className={`${styles.tool} ${styles.wideOnly}`}
      aria-label={label}
      title={label}
      onClick={change}
    >
      {dark ? <SunIcon /> : <MoonIcon />}
    </button>
  );
}
