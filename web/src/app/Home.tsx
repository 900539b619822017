import { lazy, Suspense } from 'react';
import { useSession } from '@/api/session';
import { HomeScreen } from '@/features/content/HomeScreen';

const FailedMails = lazy(() =>
  import('@/features/mails/FailedMails').then(({ FailedMails }) => ({ default: FailedMails })),
);

/** Home, and there what those who look after the portal must see to. */
export default function Home() {
  const { can } = useSession();
  return (
    <HomeScreen
      aside={
        can('mails.manage') && (
          <Suspense>
            <FailedMails />
          </Suspense>
        )
      }
    />
  );
}
