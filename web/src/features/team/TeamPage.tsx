import { useSession } from '@/api/session';
import { Banner } from '@/ui/Banner';
import { NotPermitted } from '@/ui/PageState';
import { Payers } from './Payers';
import { Team } from './Team';

/** Who has which open bills, and how payers treat the office's bills. For the group's administrators. */
export default function TeamPage() {
  const { can, mirroredUser } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Team and payers</h1>
        <p className="page-lead">Your office's open bills by assignee, and how payers answered in 90 days.</p>
      </header>
      {!can('work.lead') ? (
        <NotPermitted />
      ) : (
        <>
          {mirroredUser ? (
            <Banner kind="info">You can't see an office's work on bills while mirroring.</Banner>
          ) : (
            <Team />
          )}
          <Payers />
        </>
      )}
    </div>
  );
}
