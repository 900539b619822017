import { useSession } from '@/api/session';
import { errorMessage } from '@/shared/errorMessage';
import { type FollowKind, useFollow, useFollowStatus } from '@/shared/follows';
import { Button } from '@/ui/Button';
import { onFirstClick } from '@/ui/onFirstClick';
import { toast } from '@/ui/Toasts';

interface Props {
  /** The ID of the bill's page. */
  id: string;
  /** The bill has a claim. */
  hasClaim: boolean;
}

const things: [FollowKind, string][] = [
  ['bill', 'bill'],
  ['claim', 'claim'],
];

/** Follows this bill or its claim. Updates appear in Today. Users who mirror can't follow. */
export function FollowButtons({ id, hasClaim }: Props) {
  const { mirroredUser } = useSession();
  const { data, isError } = useFollowStatus(id, !mirroredUser);
  const { mutate, isPending, variables } = useFollow();
  if (isError || mirroredUser) return null;
  return things
    .filter(([of]) => of === 'bill' || hasClaim)
    .map(([of, thing]) => (
      <Button
        key={of}
        // Reserves the space until the labels are known.
        style={{ visibility: data ? undefined : 'hidden' }}
        busy={isPending && variables.of === of}
        onClick={onFirstClick(() =>
          mutate(
            { bills: [id], of, watched: !data?.[of] },
            {
              onSuccess: () =>
                toast.success(
                  data?.[of]
                    ? `You unfollowed this ${thing}`
                    : `You're following this ${thing}. Updates appear in Today.`,
                ),
              onError: (error) =>
                toast.error(
                  errorMessage(
                    error,
                    "Error: Couldn't save the change. Try again.",
                    'Error: This bill is no longer available.',
                  ),
                ),
            },
          ),
        )}
      >
        {data?.[of] ? `Unfollow ${thing}` : `Follow ${thing}`}
      </Button>
    ));
}
