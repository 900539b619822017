import { createLink } from '@tanstack/react-router';
import { useId } from 'react';
import { useSession } from '@/api/session';
import { Button, LinkButton } from '@/ui/Button';
import { useInitialState } from './historyState';
import { getOwner } from './owner';
import * as paths from './paths';

/** A bill or remittance to ask the network about. */
interface AskedBill {
  /** Its page ID. */
  id: string;
  number: string;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The subject of a new question, and the session that selected it. */
    asked?: { owner: string; bills: AskedBill[]; remittance?: AskedBill };
  }
}

/** Returns the subject of the new question, which is bills or a remittance. */
export function useAsked(): { bills: AskedBill[]; remittance?: AskedBill } {
  const { asked } = useInitialState();
  const owner = getOwner(useSession());
  return asked?.owner === owner ? asked : { bills: [] };
}

const ButtonToRoute = createLink(LinkButton);

interface Props {
  bills?: AskedBill[];
  /** The Tax IDs of the bills. A question is about one. */
  tins?: readonly string[];
  remittance?: AskedBill;
  className?: string;
}

/** Labels by the number of bills, up to 2. */
const labels = ['Ask a question', 'Ask the network', 'Ask about these bills'];

/** The limit of a question. */
const maxBills = 50;

/** Opens a new question. Staff and users who mirror can't ask. */
export function AskLink({ bills = [], tins = [], remittance, className }: Props) {
  const session = useSession();
  const id = useId();
  if (!session.can('cases.own') || session.mirroredUser) return null;
  const reason =
    bills.length > maxBills
      ? `Select up to ${maxBills} bills.`
      : new Set(tins).size > 1 && 'Select bills of one Tax ID.';
  if (reason)
    return (
      <p className={className}>
        <Button size="small" disabled aria-describedby={id}>
          {labels[2]}
        </Button>{' '}
        <span id={id}>{reason}</span>
      </p>
    );
  return (
    <p className={className}>
      <ButtonToRoute
        size="small"
        to={paths.askNetwork}
        state={(state) => ({ ...state, asked: { owner: getOwner(session), bills, remittance } })}
      >
        {remittance ? 'Ask about this payment' : labels[Math.min(bills.length, 2)]}
      </ButtonToRoute>
    </p>
  );
}
