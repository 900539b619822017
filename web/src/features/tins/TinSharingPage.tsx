import { useSession } from '@/api/session';
import { NotPermitted } from '@/ui/PageState';
import { SharedTins } from './SharedTins';
import { Sharings } from './Sharings';

/**
 * TINs that several groups share. The earlier groups are notified, and system administrators
 * decide.
 */
export default function TinSharingPage() {
  const { can } = useSession();
  const decides = can('tins.decide');
  return (
    <div className="page">
      <header>
        <h1>TIN sharing</h1>
        <p className="page-lead">
          {decides
            ? 'TINs that a group added while another group had them.'
            : "Your TINs that another office also added. If one doesn't belong there, object and the network will review it."}
        </p>
      </header>
      {decides ? <Sharings /> : can('tins.sharing') ? <SharedTins /> : <NotPermitted />}
    </div>
  );
}
