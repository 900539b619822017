import { MoonIcon, SunIcon } from '@/ui/icons';
import { setTheme, useColorScheme } from '@/ui/theme';
import styles from './Frame.module.css';

export function ThemeSwitch() {
  const dark = useColorScheme() === 'dark';
  const label = dark ? 'Light colours' : 'Dark colours';
  return (
    <button
      type="button"
      className={`${styles.tool} ${styles.wideOnly}`}
      aria-label={label}
      title={label}
      onClick={() => setTheme(dark ? 'light' : 'dark')}
    >
      {dark ? <SunIcon /> : <MoonIcon />}
    </button>
  );
}
