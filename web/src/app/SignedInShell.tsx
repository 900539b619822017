import { QueryClientProvider } from '@tanstack/react-query';
import { useMatches } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { bearer, Problem } from '@/api/client';
import { getCoverName } from '@/api/cover';
import { useSession } from '@/api/session';
import { ProfileDialog } from '@/features/account/ProfileDialog';
import { IdleWatch } from '@/features/sessions/IdleWatch';
import { Proof } from '@/features/sessions/Proof';
import { useCover } from '@/features/sessions/useCover';
import { Chat } from '@/features/support/Chat';
import { useOtherTabChanges } from '@/shared/changes';
import { DataAsOf } from '@/shared/DataAsOf';
import { PortalQueryClient } from '@/shared/PortalQueryClient';
import { isWorkspace } from '@/shared/paths';
import { cx } from '@/ui/cx';
import { KitProvider } from '@/ui/KitProvider';
import { Layer } from '@/ui/Layer';
import { Footer } from './Footer';
import styles from './Frame.module.css';
import { Header } from './Header';
import { LeaveGuard } from './LeaveGuard';
import { usePrefetch } from './prefetch';
import { SignedOutFrame } from './SignedOutFrame';
import { SkipLink } from './SkipLink';
import { useScrollRestoration } from './scrollRestoration';
import { useSessionRenewal } from './sessionRenewal';
import { Offline } from './Unreachable';
import { Visit } from './Visit';
import { useWorkspace } from './WorkspaceButton';

const MirrorBanner = lazy(() => import('@/features/sessions/MirrorBanner'));
const WorkspaceBar = lazy(() => import('./WorkspaceBar'));
const Cover = lazy(() => import('@/features/sessions/Cover'));
const MirrorEnded = lazy(() => import('@/features/sessions/MirrorEnded'));

export { getCoverName as coveredBy };

bearer.forbid = () =>
  void import('@/features/sessions/accountType').then(({ readAccountType }) => readAccountType());

export default function SignedInShell({ children }: { children: ReactNode }) {
  const { actingUser, mirroredUser, mirrorEnded, mirrorOver } = useSession();
  const cover = useCover();
  const workspace = useWorkspace();
  usePrefetch();
  useScrollRestoration();
  useSessionRenewal();
  const { data, screen } = useMatches({ select: (matches) => matches.at(-1)?.staticData }) ?? {};
  const inWorkspace = workspace.isAvailable && isWorkspace(screen ?? '');
  if (mirrorEnded)
    return (
      <KitProvider>
        <IdleWatch />
        <SignedOutFrame>
          <Suspense>
            <MirrorEnded name={mirrorEnded} timeOver={mirrorOver} />
          </Suspense>
          <Layer />
        </SignedOutFrame>
      </KitProvider>
    );
  // The page reloaded while another user was mirrored.
  if (cover && mirroredUser)
    return (
      <KitProvider>
        <IdleWatch />
        <SignedOutFrame>
          <Suspense>
            <Cover name={cover} />
          </Suspense>
          <Layer />
        </SignedOutFrame>
      </KitProvider>
    );
  return (
    <KitProvider>
      <IdleWatch />
      <Suspense>{cover && <Cover name={cover} />}</Suspense>
      {/* The chat belongs to the signed-in person and continues while they mirror. */}
      <Chat>
        {/* Never show one user's data to the next user or to the mirrored one. */}
        <UserQueries key={actingUser.userNm}>
          <div className={cx(styles.frame, cover && styles.covered)} inert={cover !== null}>
            <SkipLink />
            <Header workspace={workspace} />
            {inWorkspace && (
              <Suspense fallback={<div style={{ height: '2.75rem' }} />}>
                <WorkspaceBar onSearch={() => void workspace.open()} />
              </Suspense>
            )}
            <main id="main" tabIndex={-1} className={styles.main} data-workspace={inWorkspace || undefined}>
              <Offline />
              <Suspense>{mirroredUser && <MirrorBanner />}</Suspense>
              <Visit>{children}</Visit>
              {data && <DataAsOf data={data} />}
              <ProfileDialog />
              <LeaveGuard />
              <Proof />
              <Layer />
            </main>
            <Footer />
          </div>
        </UserQueries>
      </Chat>
    </KitProvider>
  );
}

function UserQueries({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new PortalQueryClient({
        defaultOptions: {
          queries: {
            // Server errors are final. Retry only requests without a response.
            retry: (failures, error) =>
              failures < 2 && !(error instanceof Problem && error.status > 0 && error.status < 500),
            refetchOnWindowFocus: false,
          },
          // A request that can't be sent now fails. The user doesn't wait unknowingly, and it
          // isn't sent later without asking.
          mutations: { networkMode: 'always' },
        },
      }),
  );
  return (
    <QueryClientProvider client={client}>
      <TabChangesListener />
      {children}
    </QueryClientProvider>
  );
}

function TabChangesListener() {
  useOtherTabChanges();
  return null;
}
