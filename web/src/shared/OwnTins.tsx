import type { ReactNode } from 'react';
import { useSession } from '@/api/session';
import { Empty, Failed, Loading } from '@/ui/PageState';
import { useTinNumbers } from './tins';

interface Props {
  /** Said when the TINs could not be had. */
  failure?: string;
  /** Says that there are none, above what people of this account type can do about it. */
  noneTitle?: string;
  whatToDo: (typeCd: string) => ReactNode;
  children: (tins: readonly string[]) => ReactNode;
}

/** A screen that starts from the TINs of the acting user. */
export function OwnTins({
  failure,
  noneTitle = 'There are no Tax IDs (TINs) to search',
  whatToDo,
  children,
}: Props) {
  const { actingUser } = useSession();
  const { data, isPending, refetch } = useTinNumbers(actingUser.userNm);
  if (isPending) return <Loading />;
  if (!data) return <Failed message={failure} onRetry={() => void refetch()} />;
  if (data.length > 0) return children(data);
  return (
    <div className="card">
      <Empty title={noneTitle}>{whatToDo(actingUser.typeCd)}</Empty>
    </div>
  );
}
