import { useSession } from '@/api/session';
import { type Of, useWatch, useWatched } from '@/shared/watches';
import { errorMessage } from '@/shared/errorMessage';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/Toasts';

interface Props {
  /** The id of the bill's page. */
  id: string;
  /** The bill has a claim. */
  hasClaim: boolean;
}

const things: [Of, string][] = [
  ['bill', 'bill'],
  ['claim', 'claim'],
];

/** Watch this bill, or its claim; what becomes of them stands in Today. Whoever mirrors watches nothing. */
export function WatchButtons({ id, hasClaim }: Props) {
  const { mirroredUser } = useSession();
  const { data, isError } = useWatched(id, !mirroredUser);
  const { mutate, isPending, variables } = useWatch();
  if (isError || mirroredUser) return null;
  return things
    .filter(([of]) => of === 'bill' || hasClaim)
    .map(([of, thing]) => (
      <Button
        key={of}
        // Their place is kept until it is known what they say.
        style={{ visibility: data ? undefined : 'hidden' }}
        busy={isPending && variables.of === of}
        onClick={() =>
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
                toast.error(errorMessage(error, "Error: Couldn't save the change. Try again.")),
            },
          )
        }
      >
        {data?.[of] ? `Unfollow ${thing}` : `Follow ${thing}`}
      </Button>
    ));
}
