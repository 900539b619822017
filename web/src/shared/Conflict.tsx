import { lazy, Suspense } from 'react';
import type { ConflictProps } from './ConflictPanel';

const Panel = lazy(() => import('./ConflictPanel'));

/** The panel of a conflict, which few forms ever show. */
export const Conflict = (props: ConflictProps) => (
  <Suspense>
    <Panel {...props} />
  </Suspense>
);
