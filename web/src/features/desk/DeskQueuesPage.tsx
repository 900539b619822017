import { useSession } from '@/api/session';
import { NotPermitted } from '@/ui/PageState';
import { Queues } from './Queues';

/** The work queues of network staff. */
export default function DeskQueuesPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Queues</h1>
      </header>
      {can('desk.open') ? <Queues /> : <NotPermitted />}
    </div>
  );
}
