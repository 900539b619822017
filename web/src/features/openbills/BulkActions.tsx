import { AskLink } from '@/shared/askAbout';
import { FollowBills } from '@/shared/FollowBills';
import { Button } from '@/ui/Button';
import type { WorkAction } from './change';
import type { Criteria } from './criteria';
import type { OpenBill } from './queries';

interface Props {
  selected: readonly OpenBill[];
  /** The page's bills. */
  rows: readonly OpenBill[];
  listed: Criteria['marked'];
  isPending: boolean;
  onAct: (what: WorkAction) => void;
  onClear: () => void;
}

/** The actions on the selected bills. */
export function BulkActions({ selected, rows, listed, isPending, onAct, onClear }: Props) {
  return (
    <>
      <Button size="small" title="Shortcut: a" onClick={() => onAct('assign')}>
        Assign
      </Button>
      <Button size="small" onClick={() => onAct('followUp')}>
        Set follow-up
      </Button>
      <Button size="small" title="Shortcut: c" onClick={() => onAct('call')}>
        Log payer call
      </Button>
      {listed === 'open' ? (
        <>
          <Button size="small" title="Shortcut: e" busy={isPending} onClick={() => onAct('done')}>
            Mark as done
          </Button>
          <Button size="small" onClick={() => onAct('park')}>
            Snooze
          </Button>
        </>
      ) : (
        <Button size="small" title="Shortcut: e" busy={isPending} onClick={() => onAct('open')}>
          Reopen
        </Button>
      )}
      <AskLink
        bills={selected.map(({ id, billControlNumber }) => ({ id, number: billControlNumber }))}
        tins={selected.map(({ ftin }) => ftin)}
      />
      <FollowBills bills={selected.map(({ id }) => id)} label="Follow" />
      {selected.some((bill) => !rows.includes(bill)) && (
        <Button size="small" variant="quiet" onClick={onClear}>
          Clear selection
        </Button>
      )}
    </>
  );
}
