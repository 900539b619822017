import { useSession } from '@/api/session';
import { Button } from '@/ui/Button';
import { formatCount } from '@/ui/format';
import { toast } from '@/ui/Toasts';
import { refusal, withWait } from './refusal';
import { useWatch } from './watches';

const mostAtOnce = 500;

interface Props {
  /** Ids of their pages. */
  bills: readonly string[];
  label?: string;
}

/** Watches bills. Whoever mirrors watches nothing. */
export function WatchThese({ bills, label = 'Watch these' }: Props) {
  const { mirroredUser } = useSession();
  const { mutate, isPending } = useWatch();
  const pages = [...new Set(bills)];
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
                onError: (error) =>
                  toast.error(withWait('Error: Nothing was changed. Please try again.', refusal(error))),
              },
            )
      }
    >
      {label}
    </Button>
  );
}
