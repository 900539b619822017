import { Chip } from '@/ui/Chip';

interface State {
  kind: 'neutral' | 'success' | 'info' | 'warning' | 'error';
  word: string;
  title: string;
}

const denied: State = { kind: 'error', word: 'Denied', title: 'The payer denied this bill' };
const withdrawn: State = { kind: 'neutral', word: 'Void', title: 'This bill was voided' };

/** The states of bills that the amounts alone would show as payable. */
const byOpenState: Record<string, State> = {
  denied,
  void: withdrawn,
  replaced: { kind: 'neutral', word: 'Replaced', title: 'A corrected bill replaced this one' },
};

const byStatus: Record<string, State> = {
  0: { kind: 'success', word: 'Paid', title: 'The payer processed this bill' },
  1: { kind: 'neutral', word: 'Received', title: "This bill hasn't been repriced yet" },
  2: { kind: 'info', word: 'Repriced', title: 'The network repriced this bill' },
  3: { kind: 'success', word: 'Corrected', title: 'The payer reversed a payment' },
  4: denied,
  9: withdrawn,
};

/** The fields of a response that determine a bill's state. */
interface Answer {
  state?: string;
  page?: string;
  billStatus?: string;
}

/** Returns a bill's state as a label, if the response has it, which requires the Workspace. */
export const getState = ({ state, page, billStatus = '' }: Answer): State | undefined =>
  state ? byOpenState[state] : page ? byStatus[billStatus] : undefined;

export const BillState = ({ kind, word, title }: State) => (
  <Chip kind={kind} title={title}>
    {word}
  </Chip>
);
