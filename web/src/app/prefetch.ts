import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { getSession } from '@/api/session';
import { preloadScreen } from './preloadScreen';

const eventTypes = ['pointerover', 'focusin', 'touchstart'] as const;

/** Fetches a link's screen when the pointer, a touch or the focus reaches the link. */
export function usePrefetch(): void {
  const router = useRouter();
  useEffect(() => {
    const fetchScreen = ({ target }: Event) => {
      const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href]');
      if (!link || link.target || link.origin !== window.location.origin) return;
      preloadScreen(router, link.pathname, getSession());
    };
    for (const kind of eventTypes) document.addEventListener(kind, fetchScreen, { passive: true });
    return () => {
      for (const kind of eventTypes) document.removeEventListener(kind, fetchScreen);
    };
  }, [router]);
}
