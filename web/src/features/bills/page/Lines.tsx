import { Codes } from '@/shared/Codes';
import { formatDate } from '@/ui/dates';
import { formatMoney } from '@/ui/format';
import { type ShortColumn, ShortTable } from '@/ui/table/ShortTable';
import styles from './bill.module.css';
import type { Line, Page, UnmatchedLine } from './queries';

type AnyLine = Line | UnmatchedLine;

/** The service lines, with each line's repricing and payment. */
export function Lines({ page }: { page: Page }) {
  const { bill, lines, unmatched, adjustments, remarks, takenBack, jurisdiction, kind } = page;
  const all = adjustments.length + remarks.length > 0;
  const back = takenBack.adjustments.length + takenBack.remarks.length > 0;
  return (
    <section className={`card ${styles.lines}`} aria-labelledby="lines">
      <h2 id="lines" className={styles.heading}>
        Service lines
      </h2>
      {lines.length > 0 ? (
        <ShortTable
          label="Service lines"
          columns={[
            { ...service, sum: 'Total' },
            { ...charge, sum: formatMoney(bill.billCharges) },
            ...(bill.recommendedAllowance === null ? [] : [getAllowance(bill)]),
            ...getPayerColumns(lines, jurisdiction),
            ...(bill.paidAmount === null ? [] : getPaidColumns(page)),
          ]}
          rows={lines}
          rowId={({ number }) => number}
        />
      ) : (
        <p className={styles.none}>
          {kind === 'second'
            ? "Service lines aren't available for bills from the second bill system."
            : 'No service lines on file for this bill.'}
        </p>
      )}
      {all && (
        <div className={styles.whole}>
          <h3>Bill-level adjustments</h3>
          <Codes adjustments={adjustments} remarks={remarks} jurisdiction={jurisdiction} />
        </div>
      )}
      {back && (
        <div className={styles.whole}>
          <h3>Reversal codes</h3>
          <p className={styles.small}>
            As reported by the payer. These can repeat the codes of the reversed payment.
          </p>
          <Codes {...takenBack} jurisdiction={jurisdiction} />
        </div>
      )}
      {unmatched.length > 0 && (
        <>
          <h3 className={styles.heading}>Unmatched payment lines</h3>
          <p className={styles.note}>We couldn't match these to specific service lines.</p>
          <ShortTable
            label="Unmatched payment lines"
            columns={[
              service,
              charge,
              ...getPayerColumns(unmatched, jurisdiction),
              { header: 'Paid', align: 'end', cell: ({ paid }) => formatMoney(paid) },
              {
                header: 'Check or EFT',
                cell: ({ checkNumber, paidDate }) => (
                  <>
                    {checkNumber}
                    <div className={styles.small}>{formatDate(paidDate)}</div>
                  </>
                ),
              },
            ]}
            rows={unmatched}
            rowId={(line) => unmatched.indexOf(line)}
          />
        </>
      )}
    </section>
  );
}

const service: ShortColumn<AnyLine> = {
  header: 'Service',
  cell: (line) => (
    <>
      <span className={styles.code}>{formatCode(line)}</span>
      {'description' in line && line.description && <div className={styles.small}>{line.description}</div>}
      <div className={`${styles.small} ${styles.days}`}>
        {[line.units && `× ${line.units}`, formatDates(line)].filter(Boolean).join(' · ')}
      </div>
    </>
  ),
};

const charge: ShortColumn<AnyLine> = {
  header: 'Charge',
  align: 'end',
  cell: (line) => formatMoney(line.charge),
};

const getAllowance = ({ recommendedAllowance }: Page['bill']): ShortColumn<Line> => ({
  header: 'Network allowance',
  align: 'end',
  cell: ({ allowance }) => formatMoney(allowance),
  sum: formatMoney(recommendedAllowance),
});

/** The payer's allowance and adjustment reasons, without columns that would be empty. */
const getPayerColumns = <Row extends AnyLine>(lines: readonly Row[], jurisdiction: string) => {
  const columns: ShortColumn<Row>[] = [];
  if (lines.some(({ allowed }) => allowed !== null))
    columns.push({ header: 'Payer allowed', align: 'end', cell: ({ allowed }) => formatMoney(allowed) });
  if (lines.some(({ adjustments, remarks }) => adjustments.length + remarks.length > 0))
    columns.push({
      header: 'Adjustments',
      cell: ({ adjustments, remarks }) =>
        adjustments.length + remarks.length > 0 && (
          <Codes adjustments={adjustments} remarks={remarks} jurisdiction={jurisdiction} variant="line" />
        ),
    });
  return columns;
};

/** The payment, and its difference from the allowance. */
const getPaidColumns = ({ bill, lines, difference }: Page): ShortColumn<Line>[] => [
  {
    header: 'Paid',
    align: 'end',
    cell: ({ paid, paidAs }) => (
      <>
        {formatMoney(paid)}
        {paidAs && <div className={styles.small}>paid as {paidAs}</div>}
      </>
    ),
    sum: formatMoney(bill.paidAmount),
  },
  ...(difference === null && lines.every((line) => line.difference === null)
    ? []
    : [
        {
          header: 'Difference from allowance',
          align: 'end' as const,
          cell: (line: Line) => formatMoney(line.difference),
          sum: formatMoney(difference),
        },
      ]),
];

/** 0450 / 99283-25 */
const formatCode = ({ revenue, procedure, modifiers }: AnyLine) =>
  [revenue, [procedure, ...modifiers].filter(Boolean).join('-')].filter(Boolean).join(' / ');

const formatDates = ({ beginDate, endDate }: AnyLine) =>
  [formatDate(beginDate), endDate !== beginDate && formatDate(endDate)].filter(Boolean).join(' – ');
