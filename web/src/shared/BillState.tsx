import { Chip } from '@/ui/Chip';
import { billStates } from './billStates.gen';

interface State {
  kind: 'neutral' | 'success' | 'info' | 'warning' | 'error';
  label: string;
  title: string;
}

const denied: State = { kind: 'error', label: billStates.denied, title: 'The payer denied this bill' };
const withdrawn: State = { kind: 'neutral', label: billStates.void, title: 'This bill was voided' };

/** The states of bills that the amounts alone would show as payable. */
const byOpenState: Record<string, State> = {
  denied,
  void: withdrawn,
  replaced: { kind: 'neutral', label: billStates.replaced, title: 'A corrected bill replaced this one' },
};

const byStatus: Record<string, State> = {
  0: { kind: 'success', label: 'Paid', title: 'The payer processed this bill' },
  1: { kind: 'neutral', label: 'Received', title: "This bill hasn't been repriced yet" },
  2: { kind: 'info', label: 'Repriced', title: 'The network repriced this bill' },
  3: { kind: 'success', label: 'Corrected', title: 'The payer reversed a payment' },
  4: denied,
  9: withdrawn,
};

/** The fields of a response that determine a bill's state. */
interface BillFields {
  state?: string;
  page?: string;
  billStatus?: string;
}

/** Returns a bill's state as a label, if the response has it, which requires the Workspace. */
export const getState = ({ state, page, billStatus = '' }: BillFields): State | undefined =>
  state ? byOpenState[state] : page ? byStatus[billStatus] : undefined;

export const BillState = ({ kind, label, title }: State) => (
  <Chip kind={kind} title={title}>
    {label}
  </Chip>
);
