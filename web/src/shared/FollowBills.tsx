import { useSession } from '@/api/session';
import { Button } from '@/ui/Button';
import { formatCount } from '@/ui/format';
import { toast } from '@/ui/Toasts';
import { addRetryTime, toProblem } from './apiError';
import { useFollow } from './follows';

const maxFollowed = 500;

interface Props {
  /** The IDs of their pages. */
  bills: readonly string[];
  label?: string;
}

/** Follows bills. Users who mirror can't follow. */
export function FollowBills({ bills, label = 'Follow these' }: Props) {
  const { mirroredUser } = useSession();
  const { mutate, isPending } = useFollow();
  const pages = [...new Set(bills)];
  if (mirroredUser || pages.length === 0) return null;
  return (
    <Button
      size="small"
      busy={isPending}
      onClick={() =>
        pages.length > maxFollowed
          ? toast.error(`You can follow up to ${maxFollowed} bills at a time.`)
          : mutate(
              { bills: pages, of: 'bill', watched: true },
              {
                onSuccess: ({ bills }) =>
                  toast.success(
                    bills === 1
                      ? "You're following 1 bill. Updates appear in Today."
                      : `You're following ${formatCount(bills)} bills. Updates appear in Today.`,
                  ),
                onError: (error) =>
                  toast.error(addRetryTime("Error: Couldn't follow the bills. Try again.", toProblem(error))),
              },
            )
      }
    >
      {label}
    </Button>
  );
}
