import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { currentSession } from '@/api/session';
import { preloadScreen } from './preloadScreen';

const kinds = ['pointerover', 'focusin', 'touchstart'] as const;

/** Fetches the screen of a link as the pointer, a finger or the focus comes to it. */
export function usePreloadOnIntent(): void {
  const router = useRouter();
  useEffect(() => {
    const fetchScreen = ({ target }: Event) => {
      const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href]');
      if (!link || link.target || link.origin !== window.location.origin) return;
      preloadScreen(router, link.pathname, currentSession());
    };
    for (const kind of kinds) document.addEventListener(kind, fetchScreen, { passive: true });
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, fetchScreen);
    };
  }, [router]);
}
