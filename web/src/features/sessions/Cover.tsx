import { useEffect } from 'react';
import { reloadMirror } from '@/api/signedIn';
import { MirrorCard } from './MirrorCard';

/** Replaces the screen while another tab mirrors. The screen and its input stay behind it. */
export default function Cover({ name }: { name: string }) {
  useEffect(() => {
    // The other tab can be closed, or this one was frozen when mirroring ended.
    const check = () => void reloadMirror().catch(() => {});
    window.addEventListener('focus', check);
    return () => window.removeEventListener('focus', check);
  }, []);
  return (
    <MirrorCard title={`You're mirroring ${name} in another tab`} action="Revert">
      Your work is still here. Revert to continue.
    </MirrorCard>
  );
}
