import { lazy, Suspense, useEffect, useState } from 'react';
import { onReauthentication } from '@/api/signedIn';

const ProofDialog = lazy(() => import('./ProofDialog'));

/** Asks users to re-authenticate when a request needs it. */
export function Proof() {
  const [request, setRequest] = useState<{ finish: (proven: boolean) => void } | null>(null);
  useEffect(() => onReauthentication((finish) => setRequest({ finish })), []);
  if (!request) return null;
  return (
    <Suspense fallback={null}>
      <ProofDialog
        onDone={(proven) => {
          setRequest(null);
          request.finish(proven);
        }}
      />
    </Suspense>
  );
}
