import { errorMessage } from '@/shared/errorMessage';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { formatCount, formatTin } from '@/ui/format';
import { onFirstClick } from '@/ui/onFirstClick';
import { toast } from '@/ui/Toasts';
import styles from './openbills.module.css';
import { type AssignmentLoss, useDismissAlert } from './queries';

/** Warns the group's administrators of bills that have lost their assignee. */
export function UnassignedAlert({
  losses,
  onShow,
}: {
  losses: readonly AssignmentLoss[];
  onShow: (loss: AssignmentLoss) => void;
}) {
  const { mutate, isPending, variables } = useDismissAlert();
  return losses.map((loss) => (
    <Banner key={loss.id} kind="warning">
      <p>
        {loss.name} lost access to {formatTin(loss.ftin)}.{' '}
        {loss.bills === 1 ? '1 bill is' : `${formatCount(loss.bills)} bills are`} now unassigned.
      </p>
      <p className={styles.tools}>
        <Button size="small" onClick={() => onShow(loss)}>
          Show {loss.bills === 1 ? 'bill' : 'bills'}
        </Button>
        <Button
          size="small"
          variant="quiet"
          busy={isPending && variables === loss.id}
          onClick={onFirstClick(() =>
            mutate(loss.id, {
              onError: (error) =>
                toast.error(errorMessage(error, "Error: Couldn't dismiss the alert. Try again.")),
            }),
          )}
        >
          Dismiss
        </Button>
      </p>
    </Banner>
  ));
}
