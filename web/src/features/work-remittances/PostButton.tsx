import { whyFailed } from '@/shared/whyFailed';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatInstant } from '@/ui/dates';
import { toast } from '@/ui/Toasts';
import { type Row, usePost } from './queries';

/** The group's own mark on a remittance: set by a press, removed by another. */
export function PostButton({
  row,
  may,
  size = 'small',
}: {
  row: Row;
  may: boolean;
  size?: 'small' | 'medium';
}) {
  const { mutate: post, isPending } = usePost();
  const { id, number, posted } = row;
  const postedBy = posted && `by ${posted.by} on ${formatInstant(posted.at)}`;
  if (!may) return posted ? <Chip kind="success" title={postedBy}>{`Posted ${postedBy}`}</Chip> : null;
  return (
    <Button
      size={size}
      variant={posted ? 'quiet' : 'secondary'}
      aria-pressed={posted !== undefined}
      title={postedBy}
      busy={isPending}
      onClick={({ detail }) =>
        // The second click of a double click would take the mark back at once.
        detail < 2 &&
        post(
          { ids: [id], posted: !posted },
          {
            onError: (error) =>
              toast.error(whyFailed(error, 'Error: The mark could not be set. Please try again.')),
          },
        )
      }
    >
      {posted ? '✓ Posted' : 'Mark posted'}
      <span className="visually-hidden">
        {' '}
        {number} {postedBy}
      </span>
    </Button>
  );
}
