import type { components } from '@/api/schema';
import { cx } from '@/ui/cx';
import { formatMoney } from '@/ui/format';
import { Popover } from '@/ui/Popover';
import styles from './Codes.module.css';
import { BillCode, CodeSentence, chipStyle, ReasonChip, RemarkChip, remarkLists } from './ReasonChip';
import type { CodeList } from './reasons';

interface Props {
  adjustments: readonly components['schemas']['PageAdjustment'][];
  remarks: readonly components['schemas']['PageRemark'][];
  /** The code of a state. Its own texts take precedence over the general ones. */
  jurisdiction?: string;
  /**
   * text: each code with its explanation, and a button for more. For tables: line, a chip that
   * opens the details, with the explanation next to it; chips, without the explanation.
   */
  variant?: 'text' | 'line' | 'chips';
}

/** Why a payer paid less or more than charged, with amounts. */
export function Codes({ adjustments, remarks, jurisdiction, variant = 'text' }: Props) {
  const compact = variant !== 'text';
  const renderSentence = (list: CodeList, code: string) =>
    variant === 'line' && (
      <span className={styles.sentence}>
        <CodeSentence list={list} code={code} jurisdiction={jurisdiction} />
      </span>
    );
  return (
    <ul className={cx(compact ? styles.codes : styles.reasons, variant === 'line' && styles.told)}>
      {adjustments.map(({ group, reason, amount }) => (
        <li key={`${group} ${reason} ${amount}`}>
          <div className={styles.code}>
            <ReasonChip group={group} reason={reason} jurisdiction={jurisdiction} compact={compact} />
            <span className={styles.amount}>{amount === null ? 'no amount given' : formatMoney(amount)}</span>
          </div>
          {renderSentence('CARC', reason)}
        </li>
      ))}
      {remarks.map(({ list, code }) => (
        <li key={`${list} ${code}`}>
          <div className={styles.code}>
            <RemarkChip list={remarkLists[list]} code={code} jurisdiction={jurisdiction} compact={compact} />
          </div>
          {renderSentence(remarkLists[list], code)}
        </li>
      ))}
    </ul>
  );
}

/**
 * Codes alone, in a bill's format: adjustments as CO-45, remarks as N130 or RX-70. A table row
 * shows the first one and the number of others, so that rows have equal heights. It's one
 * button, because two would be too close together.
 */
export function ReasonChips({ codes, jurisdiction }: { codes: readonly string[]; jurisdiction?: string }) {
  const [first, ...others] = codes;
  if (first === undefined) return null;
  if (others.length === 0) return <BillCode code={first} jurisdiction={jurisdiction} compact />;
  return (
    <Popover
      className={chipStyle}
      label={
        <>
          {first} <span className={styles.others}>+{others.length}</span>
          <span className="visually-hidden">
            {others.length === 1 ? ' more reason code' : ' more reason codes'}
          </span>
        </>
      }
    >
      <ul className={styles.reasons}>
        {codes.map((code) => (
          <li key={code}>
            <BillCode code={code} jurisdiction={jurisdiction} />
          </li>
        ))}
      </ul>
    </Popover>
  );
}
