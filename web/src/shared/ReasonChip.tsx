import { type ReactNode, useId, useState } from 'react';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatDate } from '@/ui/dates';
import { Popover } from '@/ui/Popover';
import styles from './ReasonChip.module.css';
import { type CodeList, type Reason, sentenceOf, useReasons } from './reasons';

export const unexplained = "We don't have an explanation for this code yet.";

/** The look of a chip that is a button. */
export const chip = styles.compact;

interface Look {
  /** Code of the state whose own text goes before the one for all. */
  jurisdiction?: string;
  /** For tables: the chip alone, at which the rest is shown on a click. */
  compact?: boolean;
}

/** Why an amount was adjusted, as CO-45: the group tells who bears it, the reason why. */
export const ReasonChip = ({
  group,
  reason,
  ...look
}: Look & {
  /** Code of the adjustment's group: CO, PR, OA, PI. */
  group: string;
  /** Code of its reason. */
  reason: string;
}) => <CodeChip label={`${group}-${reason}`} list="CARC" code={reason} group={group} {...look} />;

/** A code of a list that has no groups: a remark, a claim's status, an adjustment of the whole payment. */
export const RemarkChip = ({ list, code, ...look }: Look & { list: CodeList; code: string }) => (
  <CodeChip label={list === 'RX' ? `RX-${code}` : code} list={list} code={code} {...look} />
);

/** By the lists of remarks as payers name them. */
export const remarkLists = { HE: 'RARC', RX: 'RX' } as const;

/** A code as a bill has it: of an adjustment CO-45, of a remark N130, of a pharmacy's claim RX-70. */
export function CodeOf({ code, ...look }: Look & { code: string }) {
  const [group = '', reason] = code.split('-');
  if (!reason) return <RemarkChip list="RARC" code={code} {...look} />;
  if (group === 'RX') return <RemarkChip list="RX" code={reason} {...look} />;
  return <ReasonChip group={group} reason={reason} {...look} />;
}

/** What a code says, alone; nothing while it is not known, or where there is no Workspace. */
export function CodeSentence({
  list,
  code,
  jurisdiction,
}: Pick<Look, 'jurisdiction'> & { list: CodeList; code: string }) {
  const { data: reasons } = useReasons();
  return reasons && sentence(reasons.of(list, code, jurisdiction));
}

interface Props extends Look {
  label: string;
  list: CodeList;
  code: string;
  group?: string;
}

function CodeChip({ label, list, code, group, jurisdiction, compact }: Props) {
  const { data: reasons } = useReasons();
  if (!reasons) return <Chip>{label}</Chip>;
  const reason = reasons.of(list, code, jurisdiction);
  const bearer = group === undefined ? undefined : reasons.of('CAGC', group, jurisdiction);
  if (compact)
    return (
      <Popover label={label} className={chip}>
        <p className={styles.sentence}>{sentence(reason)}</p>
        <More reason={reason} bearer={bearer} />
      </Popover>
    );
  return <ReasonText label={<Chip>{label}</Chip>} name={label} reason={reason} bearer={bearer} />;
}

/** A code's sentence beside its label, and behind a button what else there is. */
export function ReasonText({
  label,
  name,
  reason,
  bearer,
}: {
  label: ReactNode;
  /** The label as text, for those who hear the button's name alone. */
  name: string;
  reason: Reason | undefined;
  /** The group's text: who bears it. */
  bearer?: Reason;
}) {
  const [open, setOpen] = useState(false);
  const panel = useId();
  return (
    <div>
      <p>
        {label} {sentence(reason)}{' '}
        {(reason || bearer) && (
          <Button
            variant="link"
            size="small"
            aria-expanded={open}
            aria-controls={panel}
            onClick={() => setOpen(!open)}
          >
            What can I do?<span className="visually-hidden"> About {name}</span>
          </Button>
        )}
      </p>
      <div id={panel} hidden={!open}>
        {open && <More reason={reason} bearer={bearer} />}
      </div>
    </div>
  );
}

const sentence = (reason: Reason | undefined) => (reason ? sentenceOf(reason) : unexplained);

/** Who bears it first, then more of the reason, and what to do about it. */
function More({ reason, bearer }: { reason: Reason | undefined; bearer?: Reason }) {
  return (
    <div className={styles.more}>
      {bearer && (
        <p>
          {sentenceOf(bearer)} {bearer.plain}
        </p>
      )}
      {reason?.plain && <p>{reason.plain}</p>}
      {reason?.advice && <p>{reason.advice}</p>}
      {reason?.title && reason.official && (
        <p className={styles.official}>Official text: {reason.official}</p>
      )}
      {reason?.status === 'ENDED' && <p className={styles.official}>{endedOf(reason)}</p>}
    </div>
  );
}

/** Of a code that payers no longer use, and older bills carry. */
const endedOf = ({ ended }: Reason) =>
  ended ? `This code has been inactive since ${formatDate(ended)}.` : 'This code is inactive.';
