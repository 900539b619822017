import { Link } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue } from 'react';
import { useSession } from '@/api/session';
import { Empty, Failed, Loading } from '@/ui/PageState';
import * as paths from './paths';
import { useTinNumbers } from './tins';

interface Props {
  /** Shown when the TINs couldn't load. */
  failure?: string;
  /** The heading when there are no TINs, above a hint for the account type. */
  noneTitle?: string;
  /** Explains to internal staff, who have no TINs, which TINs the screen uses. */
  ofUsers: string;
  children: (tins: readonly string[]) => ReactNode;
}

/** A screen that starts with the acting user's TINs. */
export function MyTins({
  failure,
  noneTitle = 'There are no Tax IDs (TINs) to search',
  ofUsers,
  children,
}: Props) {
  const { actingUser } = useSession();
  const { data: loaded, isPending, refetch } = useTinNumbers(actingUser.userNm);
  // Renders the screen in small steps.
  const data = useDeferredValue(loaded);
  if (isPending || data !== loaded) return <Loading />;
  if (!data) return <Failed message={failure} onRetry={() => void refetch()} />;
  if (data.length > 0) return children(data);
  return (
    <div className="card">
      <Empty title={noneTitle}>{getAdvice(actingUser.typeCd, ofUsers)}</Empty>
    </div>
  );
}

function getAdvice(typeCd: string, ofUsers: string) {
  switch (typeCd) {
    case 'IRAD':
    case 'ISAD':
      return (
        <>
          {ofUsers} Mirror a user from <Link to={paths.userSearch}>User Search</Link>.
        </>
      );
    case 'PRAD':
      return (
        <>
          Your group has no Tax IDs (TINs) yet. Add one under <Link to={paths.manageTins}>Manage TINs</Link>.
        </>
      );
    case 'PRUS':
      return "No Tax IDs (TINs) are assigned to your account. Ask your group's administrator to assign them.";
    default:
      return 'No Tax IDs (TINs) are assigned to your account. To have them added, contact support under Contact Us.';
  }
}
