import { useSession } from '@/api/session';
import { useWatch } from '@/shared/watches';
import { Button } from '@/ui/Button';
import { formatCount } from '@/ui/format';
import { toast } from '@/ui/Toasts';
import { type Found, failureOf } from './queries';

const mostAtOnce = 500;

/** Watches the bills that were found. Whoever mirrors watches nothing. */
export function WatchThese({ bills }: { bills: readonly Found[] }) {
  const { mirroredUser } = useSession();
  const { mutate, isPending } = useWatch();
  const pages = [...new Set(bills.map(({ id }) => id))];
  if (mirroredUser || pages.length === 0) return null;
  return (
    <Button
      size="small"
      busy={isPending}
      onClick={() =>
        pages.length > mostAtOnce
          ? toast.error(`At most ${mostAtOnce} bills can be watched at once.`)
          : mutate(
              { bills: pages, of: 'bill', watched: true },
              {
                onSuccess: ({ bills }) =>
                  toast.success(
                    bills === 1
                      ? 'You watch 1 bill. What becomes of it stands in Today.'
                      : `You watch ${formatCount(bills)} bills. What becomes of them stands in Today.`,
                  ),
                onError: (error) => toast.error(failureOf(error, 'Nothing was changed.')),
              },
            )
      }
    >
      Watch these
    </Button>
  );
}
