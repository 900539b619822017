import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { formatBusinessDate } from '@/ui/dates';
import { toast } from '@/ui/Toasts';
import { errorMessage } from './errorMessage';
import styles from './FailedFeeSchedules.module.css';
import { useMutation } from './useMutation';

type FailedFeeSchedule = components['schemas']['LostFeeSchedule'];

const getKey = (userName: string) => ['feeschedules', 'lost', userName];

/** Refetches the failed fee schedules. */
export function useRefetchFailed() {
  const { actingUser } = useSession();
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: getKey(actingUser.userNm) });
}

/** Failed fee schedules, each with its possible actions. Empty without any. */
export function FailedFeeSchedules() {
  const { actingUser, mirroredUser, can } = useSession();
  const { data = [] } = useQuery({
    queryKey: getKey(actingUser.userNm),
    enabled: can('feeSchedules.lost'),
    queryFn: ({ signal }) => unwrap(api.GET('/feeSchedule/lost', { signal })),
  });
  if (data.length === 0) return null;
  return (
    <Banner kind="warning">
      <ul className={styles.list}>
        {data.map((lost) => (
          <li key={lost.id}>
            <span>{describeRequest(lost)}</span>
            {!mirroredUser && <Actions lost={lost} />}
          </li>
        ))}
      </ul>
    </Banner>
  );
}

const describeRequest = ({ nationalRateCd, provLctnName, askedAt }: FailedFeeSchedule) =>
  `Couldn't create fee schedule ${nationalRateCd}${provLctnName && ` for ${provLctnName}`}, requested ${formatBusinessDate(askedAt)}.`;

function Actions({ lost: { id, nationalRateCd, provLctnName } }: { lost: FailedFeeSchedule }) {
  const refresh = useRefetchFailed();
  const params = { path: { id } };
  const retry = useMutation({
    mutationFn: () => unwrap(api.POST('/feeSchedule/lost/{id}/again', { params })),
    onSuccess: () =>
      toast.success(
        `Fee schedule ${nationalRateCd} requested. The file will appear under the bell icon when it's ready.`,
      ),
    onError: (error) => toast.error(formatFailure(error)),
    onSettled: refresh,
  });
  const dismiss = useMutation({
    mutationFn: () => unwrap(api.POST('/feeSchedule/lost/{id}/dismiss', { params })),
    onError: (error) => toast.error(formatFailure(error)),
    onSettled: refresh,
  });
  const busy = retry.isPending || dismiss.isPending;
  const description = (
    <span className="visually-hidden">
      {' '}
      {nationalRateCd}, {provLctnName}
    </span>
  );
  return (
    <span className="button-row">
      <Button size="small" busy={retry.isPending} disabled={busy} onClick={() => retry.mutate()}>
        Try again{description}
      </Button>
      <Button size="small" busy={dismiss.isPending} disabled={busy} onClick={() => dismiss.mutate()}>
        Dismiss{description}
      </Button>
    </span>
  );
}

const formatFailure = (error: unknown) =>
  errorMessage(error, "Error: Couldn't update the request. Try again.");
