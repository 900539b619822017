import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, unwrap } from '@/api/client';
import { onSessionChange, useSession } from '@/api/session';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/Dialog';
import { SelectInput } from '@/ui/form/inputs';
import { toast } from '@/ui/Toasts';
import { errorMessage } from './errorMessage';
import * as paths from './paths';
import { useMutation } from './useMutation';

interface OpenedBill {
  /** The page's ID. */
  id: string;
  ftin: string;
}

// The bills that staff opened since they logged the last call.
let opened: OpenedBill[] = [];
onSessionChange(({ type }) => {
  if (type === 'ended') opened = [];
});

interface Request {
  requestKey: string;
  bills: string[];
  office?: number;
}

interface Props extends OpenedBill {
  className?: string;
}

/**
 * Logs an office's call about the bill, and about others of its TIN that were opened since the
 * last call. If several offices have the TIN, it asks which one called.
 */
export function OfficeCall(props: Props) {
  const { can } = useSession();
  return can('cases.work') ? <Shown {...props} /> : null;
}

function Shown({ id, ftin, className }: Props) {
  const [number, setNumber] = useState('');
  const [offices, setOffices] = useState<number[]>([]);
  const [request, setRequest] = useState<Request>();
  const { mutate: undo } = useMutation({
    mutationFn: (call: { number: string; entry: number; before: OpenedBill[] }) =>
      unwrap(
        api.DELETE('/desk/calls/{number}', {
          params: { path: { number: call.number }, query: { entry: call.entry } },
        }),
      ),
    onSuccess: (_, { before }) => {
      opened = [...before, ...opened.filter(({ id }) => !before.some((bill) => bill.id === id))];
      setNumber('');
    },
    onError: (error) => toast.error(errorMessage(error, "Error: Couldn't undo the call. Try again.")),
  });
  const { mutate: send, isPending } = useMutation({
    mutationFn: (body: Request) => unwrap(api.POST('/desk/calls', { body })),
    onSuccess: ({ number: logged, entry, offices: callers }) => {
      setOffices(callers);
      if (!logged) return;
      const before = opened;
      opened = [];
      setRequest(undefined);
      setNumber(logged);
      toast.success(`Call logged: ${logged}`, {
        label: 'Undo',
        run: () => undo({ number: logged, entry, before }),
      });
    },
    onError: (error) => toast.error(errorMessage(error, "Error: Couldn't log the call. Try again.")),
  });
  useEffect(() => {
    if (!opened.some((bill) => bill.id === id)) opened = [...opened, { id, ftin }];
  }, [id, ftin]);
  function log() {
    const same = opened.filter((bill) => bill.ftin === ftin && bill.id !== id);
    const bills = [id, ...same.map((bill) => bill.id)].slice(0, 50);
    // After a lost response, the same call is sent again.
    const requestKey = request?.bills.join() === bills.join() ? request.requestKey : crypto.randomUUID();
    const body = { requestKey, bills };
    setRequest(body);
    send(body);
  }
  return (
    <div className={className}>
      {number ? (
        <p>
          Call logged: <Link {...paths.toDeskCase(number)}>{number}</Link>
        </p>
      ) : (
        <Button size="small" busy={isPending} onClick={log}>
          Log call
        </Button>
      )}
      {offices.length > 0 && request && (
        <OfficeDialog
          offices={offices}
          busy={isPending}
          onSelect={(office) => send({ ...request, office })}
          onCancel={() => setOffices([])}
        />
      )}
    </div>
  );
}

interface DialogProps {
  offices: number[];
  busy: boolean;
  onSelect: (office: number) => void;
  onCancel: () => void;
}

function OfficeDialog({ offices, busy, onSelect, onCancel }: DialogProps) {
  const [office, setOffice] = useState('');
  const { data } = useQuery({
    queryKey: ['group-names', offices],
    queryFn: ({ signal }) => unwrap(api.POST('/desk/groups/names', { body: { groupIds: offices }, signal })),
  });
  return (
    <ConfirmDialog
      open
      title="Which office called?"
      confirmLabel="Log call"
      cancelLabel="Cancel"
      busy={busy}
      confirmDisabled={!office}
      onConfirm={() => onSelect(Number(office))}
      onCancel={onCancel}
    >
      <SelectInput
        label="Office"
        required
        placeholder="Select an office"
        options={(data ?? []).map(({ groupInfoId, groupName }) => ({
          value: String(groupInfoId),
          label: groupName,
        }))}
        value={office}
        onChange={({ target }) => setOffice(target.value)}
      />
    </ConfirmDialog>
  );
}
