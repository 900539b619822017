import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useSession } from '@/api/session';
import { HomeScreen } from '@/features/content/HomeScreen';
import * as paths from '@/shared/paths';

const FailedEmails = lazy(() =>
  import('@/features/failed-emails/FailedEmails').then(({ FailedEmails }) => ({ default: FailedEmails })),
);

const QueueStrip = lazy(() =>
  import('@/features/desk/QueueStrip').then(({ QueueStrip }) => ({ default: QueueStrip })),
);

const ReturnedRosters = lazy(() =>
  import('@/features/rosters/ReturnedRosters').then(({ ReturnedRosters }) => ({ default: ReturnedRosters })),
);

const TodayStrip = lazy(() =>
  import('@/features/alerts/TodayStrip').then(({ TodayStrip }) => ({ default: TodayStrip })),
);

const UndecidedSharings = lazy(() =>
  import('@/features/tins/UndecidedSharings').then(({ UndecidedSharings }) => ({
    default: UndecidedSharings,
  })),
);

/** Home, below changes and the warnings for administrators of the portal. */
export default function Home() {
  const { can, actingUser, workspace } = useSession();
  const news = workspace?.some(({ to }) => paths.getScreenPath(to) === paths.today) ?? false;
  const queues = can('queues.manage') || can('cases.work');
  const rosters = can('rosters.correct') && actingUser.grpInfoId !== null;
  const mails = can('mails.manage');
  const sharings = can('tins.decide');
  // Users who can read only their group's log find it under User Profile.
  const auditLog = can('audit.read') && actingUser.grpInfoId === null;
  return (
    <HomeScreen
      aside={
        (news || queues || rosters || mails || sharings || auditLog) && (
          <>
            {news && (
              <Suspense>
                <TodayStrip />
              </Suspense>
            )}
            {queues && (
              <Suspense>
                <QueueStrip />
              </Suspense>
            )}
            {rosters && (
              <Suspense>
                <ReturnedRosters />
              </Suspense>
            )}
            {auditLog && (
              <p>
                Track user activity: <Link to={paths.auditLog}>Audit log</Link>
              </p>
            )}
            {sharings && (
              <Suspense>
                <UndecidedSharings />
              </Suspense>
            )}
            {mails && (
              <Suspense>
                <FailedEmails />
              </Suspense>
            )}
          </>
        )
      }
    />
  );
}
