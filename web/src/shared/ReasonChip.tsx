import { type ReactNode, useId, useState } from 'react';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatDate } from '@/ui/dates';
import { Popover } from '@/ui/Popover';
import styles from './ReasonChip.module.css';
import { type CodeList, getExplanation, type Reason, useReasons } from './reasons';

export const unexplainedText = "We don't have an explanation for this code yet.";

/** The style of a chip that's a button. */
export const chipStyle = styles.compact;

interface ChipOptions {
  /** The code of a state. Its own text takes precedence over the general one. */
  jurisdiction?: string;
  /** For tables: only the chip, which opens the details on click. */
  compact?: boolean;
}

/**
 * The reason for an adjustment, such as CO-45: the group says who is responsible, the reason
 * code says why.
 */
export const ReasonChip = ({
  group,
  reason,
  ...look
}: ChipOptions & {
  /** The adjustment group code: CO, PR, OA, PI. */
  group: string;
  /** The reason code. */
  reason: string;
}) => <CodeChip label={`${group}-${reason}`} list="CARC" code={reason} group={group} {...look} />;

/** A code from a list without groups: a remark, a claim status, a provider-level adjustment. */
export const RemarkChip = ({ list, code, ...look }: ChipOptions & { list: CodeList; code: string }) => (
  <CodeChip label={list === 'RX' ? `RX-${code}` : code} list={list} code={code} {...look} />
);

/** Remark lists by the qualifiers that payers use. */
export const remarkLists = { HE: 'RARC', RX: 'RX' } as const;

/** A code in a bill's format: adjustment CO-45, remark N130, pharmacy RX-70. */
export function BillCode({ code, ...look }: ChipOptions & { code: string }) {
  const [group = '', reason] = code.split('-');
  if (!reason) return <RemarkChip list="RARC" code={code} {...look} />;
  if (group === 'RX') return <RemarkChip list="RX" code={reason} {...look} />;
  return <ReasonChip group={group} reason={reason} {...look} />;
}

/** Only a code's explanation. Empty until it's loaded, or without a Workspace. */
export function CodeSentence({
  list,
  code,
  jurisdiction,
}: Pick<ChipOptions, 'jurisdiction'> & { list: CodeList; code: string }) {
  const { data: reasons } = useReasons();
  return reasons && getSentence(reasons.find(list, code, jurisdiction));
}

interface Props extends ChipOptions {
  label: string;
  list: CodeList;
  code: string;
  group?: string;
}

function CodeChip({ label, list, code, group, jurisdiction, compact }: Props) {
  const { data: reasons } = useReasons();
  if (!reasons) return <Chip>{label}</Chip>;
  const reason = reasons.find(list, code, jurisdiction);
  const bearer = group === undefined ? undefined : reasons.find('CAGC', group, jurisdiction);
  if (compact)
    return (
      <Popover label={label} className={chipStyle}>
        <p className={styles.sentence}>{getSentence(reason)}</p>
        <Details reason={reason} bearer={bearer} />
      </Popover>
    );
  return <ReasonText label={<Chip>{label}</Chip>} name={label} reason={reason} bearer={bearer} />;
}

/** A code's explanation next to its label, and a button for more. */
export function ReasonText({
  label,
  name,
  reason,
  bearer,
}: {
  label: ReactNode;
  /** The label as text, for screen readers that read only the button's name. */
  name: string;
  reason: Reason | undefined;
  /** The group's text, which names the responsible party. */
  bearer?: Reason;
}) {
  const [open, setOpen] = useState(false);
  const panel = useId();
  return (
    <div>
      <p>
        {label} {getSentence(reason)}{' '}
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
        {open && <Details reason={reason} bearer={bearer} />}
      </div>
    </div>
  );
}

const getSentence = (reason: Reason | undefined) => (reason ? getExplanation(reason) : unexplainedText);

/** First the responsible party, then the full reason and the next steps. */
function Details({ reason, bearer }: { reason: Reason | undefined; bearer?: Reason }) {
  return (
    <div className={styles.more}>
      {bearer && (
        <p>
          {getExplanation(bearer)} {bearer.plain}
        </p>
      )}
      {reason?.plain && <p>{reason.plain}</p>}
      {reason?.advice && <p>{reason.advice}</p>}
      {reason?.title && reason.official && (
        <p className={styles.official}>Official text: {reason.official}</p>
      )}
      {reason?.status === 'ENDED' && <p className={styles.official}>{formatEnded(reason)}</p>}
    </div>
  );
}

/** For codes that payers no longer use, but older bills have. */
const formatEnded = ({ ended }: Reason) =>
  ended ? `This code has been inactive since ${formatDate(ended)}.` : 'This code is inactive.';
