import { lazy, Suspense } from 'react';
import { getConfig } from '@/api/config';

// If the chunk can't load, the sign-in form still works.
const LoginFrame = lazy(() => import('./LoginFrame').catch(() => ({ default: () => null })));

/**
 * The content page next to the sign-in form, if configured. Its place is reserved, or the form would
 * move under the pointer when it arrives.
 */
export const LoginContent = () =>
  getConfig().loginPageUrl && (
    <Suspense fallback={<div />}>
      <LoginFrame />
    </Suspense>
  );
