import { lazy, Suspense } from 'react';
import type { ConflictProps } from './ConflictPanel';

const Panel = lazy(() => import('./ConflictPanel'));

/** The panel for an edit conflict. It loads lazily because it's rare. */
export const Conflict = (props: ConflictProps) => (
  <Suspense>
    <Panel {...props} />
  </Suspense>
);
