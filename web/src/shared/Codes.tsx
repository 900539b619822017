import type { components } from '@/api/schema';
import { Chip } from '@/ui/Chip';
import { formatMoney } from '@/ui/format';
import styles from './Codes.module.css';
import { ReasonChip, RemarkChip } from './ReasonChip';

interface Props {
  adjustments: readonly components['schemas']['PageAdjustment'][];
  remarks: readonly components['schemas']['PageRemark'][];
  /** Code of the state whose own texts go before those for all. */
  jurisdiction?: string;
  /** For tables: chips alone. */
  compact?: boolean;
}

/** Why a payer paid other than what was charged, each with its amount. */
export const Codes = ({ adjustments, remarks, jurisdiction, compact }: Props) => (
  <ul className={compact ? styles.codes : styles.reasons}>
    {adjustments.map(({ group, reason, amount }) => (
      <li key={`${group} ${reason} ${amount}`}>
        <ReasonChip group={group} reason={reason} jurisdiction={jurisdiction} compact={compact} />
        <span className={styles.amount}>{formatMoney(amount)}</span>
      </li>
    ))}
    {remarks.map(({ list, code }) => (
      <li key={`${list} ${code}`}>
        {list === 'HE' ? (
          <RemarkChip list="RARC" code={code} jurisdiction={jurisdiction} compact={compact} />
        ) : (
          <Chip>{code}</Chip>
        )}
      </li>
    ))}
  </ul>
);

/** Codes alone, as a bill has them: adjustments as CO-45, remarks as N130. */
export const ReasonChips = ({ codes }: { codes: readonly string[] }) => (
  <ul className={styles.codes}>
    {codes.map((code) => {
      const [group = '', reason] = code.split('-');
      return (
        <li key={code}>
          {reason ? (
            <ReasonChip group={group} reason={reason} compact />
          ) : (
            <RemarkChip list="RARC" code={code} compact />
          )}
        </li>
      );
    })}
  </ul>
);
