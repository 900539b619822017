import { useSession } from '@/api/session';
import { NotPermitted } from '@/ui/PageState';
import { SharedTins } from './SharedTins';
import { Sharings } from './Sharings';

/** TINs that several groups have: told to those who had them first, decided by system administrators. */
export default function TinSharingPage() {
  const { can } = useSession();
  const decides = can('tins.decide');
  return (
    <div className="page">
      <header>
        <h1>TIN sharing</h1>
        <p className="page-lead">
          {decides
            ? 'TINs that a group added while others had them.'
            : 'TINs of yours that another office added, too. If one does not belong there, object: the network will look into it.'}
        </p>
      </header>
      {decides ? <Sharings /> : can('tins.sharing') ? <SharedTins /> : <NotPermitted />}
    </div>
  );
}
