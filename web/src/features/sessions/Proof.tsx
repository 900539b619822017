import { lazy, Suspense, useEffect, useState } from 'react';
import { onReauthentication } from '@/api/signedIn';

const ProofDialog = lazy(() => import('./ProofDialog'));

/** Asks users to re-authenticate when a request needs it. */
export function Proof() {
  const [answer, setAnswer] = useState<{ give: (proven: boolean) => void } | null>(null);
  useEffect(() => onReauthentication((give) => setAnswer({ give })), []);
  if (!answer) return null;
  return (
    <Suspense fallback={null}>
      <ProofDialog
        onDone={(proven) => {
          setAnswer(null);
          answer.give(proven);
        }}
      />
    </Suspense>
  );
}
