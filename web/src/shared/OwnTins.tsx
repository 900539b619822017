import { Link } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue } from 'react';
import { useSession } from '@/api/session';
import { Empty, Failed, Loading } from '@/ui/PageState';
import { useTinNumbers } from './tins';

interface Props {
  /** Said when the TINs could not be had. */
  failure?: string;
  /** Says that there are none, above what people of an account type can do about it. */
  noneTitle?: string;
  /** Tells internal staff, who have none, whose TINs the screen starts from. */
  ofUsers: string;
  children: (tins: readonly string[]) => ReactNode;
}

/** A screen that starts from the TINs of the acting user. */
export function OwnTins({
  failure,
  noneTitle = 'There are no Tax IDs (TINs) to search',
  ofUsers,
  children,
}: Props) {
  const { actingUser } = useSession();
  const { data: answered, isPending, refetch } = useTinNumbers(actingUser.userNm);
  // The screen is made in small steps.
  const data = useDeferredValue(answered);
  if (isPending || data !== answered) return <Loading />;
  if (!data) return <Failed message={failure} onRetry={() => void refetch()} />;
  if (data.length > 0) return children(data);
  return (
    <div className="card">
      <Empty title={noneTitle}>{whatToDo(actingUser.typeCd, ofUsers)}</Empty>
    </div>
  );
}

function whatToDo(typeCd: string, ofUsers: string) {
  switch (typeCd) {
    case 'IRAD':
    case 'ISAD':
      return (
        <>
          {ofUsers} Mirror a user from <Link to="/UserSearch">User Search</Link>.
        </>
      );
    case 'PRAD':
      return (
        <>
          Your group has no Tax IDs (TINs) yet. Add one under <Link to="/ManageTins">Manage TINs</Link>.
        </>
      );
    case 'PRUS':
      return "No Tax IDs (TINs) are assigned to your account. Ask your group's administrator to assign them.";
    default:
      return 'No Tax IDs (TINs) are assigned to your account. To have them added, contact support under Contact Us.';
  }
}
