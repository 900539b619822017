import { errorMessage } from '@/shared/errorMessage';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatBusinessDate } from '@/ui/dates';
import { formatMoney } from '@/ui/format';
import { onFirstClick } from '@/ui/onFirstClick';
import { toast } from '@/ui/Toasts';
import { isPosted as isPostedNow, type Row, usePost } from './queries';

/** The labels of the posted status. The remittance may have changed since. */
export const postedText = { posted: 'Posted', partly: 'Partially posted', changed: 'Changed since posted' };

/**
 * The group's posted status of a remittance: one click sets it, the next removes it. If the
 * remittance has changed since, a click posts its current amount.
 */
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
  const { number, posted } = row;
  const isPosted = isPostedNow(row);
  const before = isPosted ? '' : `${formatMoney(posted?.amount)} posted `;
  const postedBy = posted && `${before}by ${posted.by} on ${formatBusinessDate(posted.at)}`;
  if (!may)
    return posted ? (
      <Chip kind={isPosted ? 'success' : 'warning'} title={postedBy}>
        {`${postedText[posted.state]}${isPosted ? '' : ':'} ${postedBy}`}
      </Chip>
    ) : null;
  return (
    <Button
      size={size}
      variant={isPosted ? 'quiet' : 'secondary'}
      aria-pressed={isPosted}
      title={postedBy}
      busy={isPending}
      onClick={onFirstClick(() =>
        post(
          { rows: [row], posted: !isPosted },
          {
            onSuccess: ([mark]) => {
              if (!isPosted && mark && !isPostedNow(mark))
                toast.error(`Remittance ${number} changed in the meantime. Check it, then post it again.`);
            },
            onError: (error) =>
              toast.error(errorMessage(error, "Error: Couldn't mark as posted. Try again.")),
          },
        ),
      )}
    >
      {isPosted ? '✓ Posted' : posted ? postedText[posted.state] : 'Mark as posted'}
      <span className="visually-hidden">
        {' '}
        {number} {postedBy}
      </span>
    </Button>
  );
}
