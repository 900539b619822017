import { MirrorCard } from './MirrorCard';

/**
 * Replaces every screen until the user confirms it, so that they don't do something as the wrong
 * person.
 */
export default function MirrorEnded({ name, timeOver }: { name: string; timeOver?: boolean }) {
  return (
    <MirrorCard title={`You're no longer mirroring ${name}`} action="Return to your account">
      {timeOver
        ? 'The access that the office approved has expired.'
        : 'The account was reset, closed or moved to another group.'}{' '}
      No actions were taken under your own name.
    </MirrorCard>
  );
}
