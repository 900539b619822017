import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Problem } from '@/api/client';
import { useSession } from '@/api/session';
import { useCanWork } from '@/shared/billWork';
import { MyTins } from '@/shared/MyTins';
import * as paths from '@/shared/paths';
import { useViews } from '@/shared/savedViews';
import { UnavailablePage } from '@/shared/UnavailablePage';
import { cx } from '@/ui/cx';
import { Loading } from '@/ui/PageState';
import { BillList } from './BillList';
import { WithOffices } from './columns';
import { HeaderSlot } from './HeaderSlot';
import styles from './openbills.module.css';
import { useUnassigned } from './queries';

/** The bills that need follow-up, and the group's work on them. */
export default function OpenBillsPage() {
  // Requested in parallel with the TINs, because nothing renders before them.
  useViewsAndAlerts();
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  return (
    <div className={cx('page', styles.page)}>
      <header className={styles.header}>
        <h1>Open bills</h1>
        <div ref={setSlot} className={styles.slot} />
      </header>
      <MyTins ofUsers="Open bills are listed by a user's Tax IDs.">
        {(tins) => (
          <WithOffices tins={tins}>
            <HeaderSlot value={slot}>
              <Views tins={tins} />
            </HeaderSlot>
          </WithOffices>
        )}
      </MyTins>
    </div>
  );
}

// Another group's view looks like a view that doesn't exist.
const notFound = new Problem(404, 'NOT_FOUND', "This doesn't exist, or you don't have permission to see it.");

/** The list, filtered by the view in the address. */
function Views({ tins }: { tins: readonly string[] }) {
  const { id } = useParams({ strict: false });
  const { canWork, views, losses } = useViewsAndAlerts();
  if (views.isLoading || losses.isLoading) return <Loading />;
  const above = { tins, views: canWork ? views.data : undefined, losses: losses.data ?? [] };
  if (!id) return <BillList key="all" {...above} />;
  const view = views.data?.find((one) => one.id === id);
  if (view) return <BillList key={id} {...above} view={view} />;
  return (
    <UnavailablePage
      query={{
        error: views.error ?? notFound,
        isPending: false,
        refetch: views.refetch,
      }}
      to={paths.openBills}
    >
      All open bills
    </UnavailablePage>
  );
}

/** Content above the list, which would push the list down if it loaded later. */
function useViewsAndAlerts() {
  const { can, mirroredUser } = useSession();
  const canWork = useCanWork();
  return { canWork, views: useViews(canWork), losses: useUnassigned(can('work.lead') && !mirroredUser) };
}
