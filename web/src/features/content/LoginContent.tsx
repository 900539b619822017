import { lazy, Suspense } from 'react';
import { config } from '@/api/config';

// A part that can't be fetched is no reason to show no sign-in.
const LoginFrame = lazy(() => import('./LoginFrame').catch(() => ({ default: () => null })));

/** The content page next to the sign-in form, where one is configured. */
export const LoginContent = () =>
  config().loginPageUrl && (
    <Suspense>
      <LoginFrame />
    </Suspense>
  );
