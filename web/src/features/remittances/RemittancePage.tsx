import { useParams } from '@tanstack/react-router';
import { AskLink } from '@/shared/askAbout';
import { AtDesk, BillLink, RemittanceLink } from '@/shared/BillLink';
import { Breadcrumbs } from '@/shared/Breadcrumbs';
import { Codes } from '@/shared/Codes';
import { FirstOpenedBy } from '@/shared/FirstOpenedBy';
import * as paths from '@/shared/paths';
import { RemarkChip } from '@/shared/ReasonChip';
import { UnavailablePage } from '@/shared/UnavailablePage';
import { Banner } from '@/ui/Banner';
import { Button, LinkButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatBusinessDate, formatDate } from '@/ui/dates';
import { type Fact, Facts } from '@/ui/Facts';
import { formatCount, formatMoney, formatPhone, formatTin } from '@/ui/format';
import { ShortTable } from '@/ui/table/ShortTable';
import { duplicateNames, formatMethod } from './criteria';
import { PaymentSummary } from './PaymentSummary';
import { PostButton } from './PostButton';
import {
  getDocumentUrl,
  type Page,
  type ProviderAdjustment,
  type RemittanceBill,
  useCanPost,
  useDeskRemittance,
  useRemittance,
} from './queries';
import styles from './remittances.module.css';

/** One check or EFT with its total and its bills. */
export default function RemittancePage() {
  const { id = '' } = useParams({ strict: false });
  const query = useRemittance(id);
  if (query.data) return <Shown key={id} id={id} page={query.data} />;
  return (
    <UnavailablePage title="Remittance" query={query} to={paths.remittances}>
      Search for the remittance
    </UnavailablePage>
  );
}

/** A remittance as its office sees it, read-only for staff, without posting and downloads. */
export function DeskRemittancePage() {
  const { id = '' } = useParams({ strict: false });
  const query = useDeskRemittance(id);
  if (query.data)
    return (
      <AtDesk value={true}>
        <Shown key={id} id={id} page={query.data.page} desk={query.data} />
      </AtDesk>
    );
  return (
    <UnavailablePage title="Remittance" query={query} to={paths.desk}>
      Go to the service desk
    </UnavailablePage>
  );
}

type Desk = ReturnType<typeof useDeskRemittance>['data'];

function Shown({ id, page, desk }: { id: string; page: Page; desk?: Desk }) {
  const posts = useCanPost();
  const { remittance, notes, adjustments } = page;
  return (
    <div className={`page ${styles.page}`}>
      <Breadcrumbs
        id={id}
        name={remittance.number}
        list={
          desk ? { name: 'Service desk', to: paths.desk } : { name: 'Remittances', to: paths.remittances }
        }
        toPage={desk ? paths.toDeskRemittance : paths.toRemittance}
      />
      <header className={styles.head}>
        <div>
          <h1>Remittance {remittance.number}</h1>
          <p className="page-lead">
            {[remittance.payer, formatDate(remittance.paidOn), `Tax ID ${formatTin(remittance.ftin)}`]
              .filter(Boolean)
              .join(' · ')}
          </p>
          {desk && <FirstOpenedBy seen={desk.seen} />}
        </div>
        {!desk && (
          <div className={`button-row ${styles.actions}`}>
            <PostButton row={remittance} may={posts} size="medium" />
            <AskLink remittance={{ id, number: remittance.number }} />
            <Button onClick={() => window.print()}>Print</Button>
          </div>
        )}
      </header>
      {notes.map(({ kind, text, remittance, number }) => (
        <Banner key={kind} kind={kind === 'off' || kind === 'possible' ? 'warning' : 'info'}>
          <p>{text}</p>
          {remittance && (
            <p>
              <RemittanceLink page={remittance}>View check {number}</RemittanceLink>
            </p>
          )}
        </Banner>
      ))}
      <section className="card" aria-label="Payment summary">
        <PaymentSummary page={page} />
        <p className={styles.how}>{page.comesBy}</p>
        <About page={page} />
        {!desk && <Downloads id={id} page={page} />}
      </section>
      <Bills page={page} />
      {adjustments.length > 0 && <Adjustments adjustments={adjustments} />}
    </div>
  );
}

const purposes: Record<string, string> = {
  CX: 'Claim questions',
  BL: 'Technical support',
  IC: 'Website',
};

function About({ page }: { page: Page }) {
  const { remittance, contacts, file } = page;
  const facts: Fact[] = [
    ['Method', formatMethod(remittance.method)],
    ['Payer Tax ID', page.payerTaxId],
    ['Payer ID', page.payerId],
    ['Production date', formatDate(page.producedOn)],
    ['Received by portal', formatBusinessDate(page.firstSeen)],
    ['File', file],
    ...contacts.map(({ for: use, telephone, extension, web }): [string, string] => [
      purposes[use] ?? 'Contact',
      [formatPhone(telephone), extension && `ext. ${extension}`, web].filter(Boolean).join(' '),
    ]),
  ];
  return (
    <div className={styles.facts}>
      <Facts facts={facts} inset />
    </div>
  );
}

const originalMissing: Partial<Record<Page['asSent'], string>> = {
  shared: "Original 835 not available. Other payees share the payer's file.",
  parts: 'Original 835 not available. This remittance came in several files.',
  assembled: 'Original 835 not available. This remittance predates file storage.',
  gone: 'Original 835 no longer stored. You can still download the remittance advice.',
};

function Downloads({ id, page: { asSent } }: { id: string; page: Page }) {
  return (
    <div className={styles.downloads}>
      <h2>Downloads</h2>
      <div className="button-row">
        <LinkButton href={getDocumentUrl(id, 'voucher')} target="_blank" rel="noopener noreferrer">
          Remittance advice (PDF)
        </LinkButton>
        <LinkButton href={getDocumentUrl(id, 'lines.xlsx')} download>
          Service lines (XLSX)
        </LinkButton>
        <LinkButton href={getDocumentUrl(id, 'lines.csv')} download>
          Service lines (CSV)
        </LinkButton>
        {asSent === 'offered' && (
          <LinkButton href={getDocumentUrl(id, '835')} download>
            Original 835
          </LinkButton>
        )}
      </div>
      {originalMissing[asSent] && <p className={styles.small}>{originalMissing[asSent]}</p>}
    </div>
  );
}

const parts: Record<string, string> = { reversal: 'Reversal', correction: 'Correction' };

function Bills({ page: { bills, payments } }: { page: Page }) {
  const patients = bills.some(({ patientsPart }) => patientsPart !== 0);
  const allowances = bills.some(({ allowance }) => allowance !== null);
  return (
    <section className="card" aria-labelledby="bills">
      <h2 id="bills" className={styles.heading}>
        Bills
      </h2>
      {bills.length === 0 ? (
        <p className={styles.note}>No bills on this remittance.</p>
      ) : (
        <ShortTable
          label="Bills"
          rows={bills}
          rowId={(bill) => bills.indexOf(bill)}
          columns={[
            {
              header: 'Bill',
              cell: ({ number, page, patientControlNumber, part }: RemittanceBill) => (
                <div>
                  <div className={styles.marked}>
                    {page ? <BillLink page={page}>{number}</BillLink> : 'Unknown'}
                    {part && <Chip kind={part === 'reversal' ? 'warning' : 'info'}>{parts[part]}</Chip>}
                  </div>
                  <div className={styles.small}>account {patientControlNumber}</div>
                </div>
              ),
            },
            {
              header: 'Claimant',
              cell: ({ claimant, beginServiceDate }) => (
                <div>
                  {claimant}
                  <div className={styles.small}>{formatDate(beginServiceDate)}</div>
                </div>
              ),
            },
            { header: 'Charge', align: 'end', cell: ({ charge }) => formatMoney(charge) },
            ...(allowances
              ? [
                  {
                    header: 'Network allowance',
                    align: 'end' as const,
                    cell: ({ allowance }: RemittanceBill) => formatMoney(allowance),
                  },
                ]
              : []),
            {
              header: 'Paid',
              align: 'end',
              cell: ({ paid, nature, interest, duplicate }) => (
                <div>
                  {formatMoney(paid)}
                  {duplicate && <div className={styles.small}>{duplicateNames[duplicate]}</div>}
                  {nature !== 'Payment' && <div className={styles.small}>{nature}</div>}
                  {interest !== 0 && <div className={styles.small}>interest {formatMoney(interest)}</div>}
                </div>
              ),
            },
            ...(patients
              ? [
                  {
                    header: 'Patient responsibility',
                    align: 'end' as const,
                    cell: ({ patientsPart }: RemittanceBill) => formatMoney(patientsPart),
                  },
                ]
              : []),
            {
              header: 'Reason codes',
              cell: ({ adjustments, remarks, jurisdiction }) =>
                adjustments.length + remarks.length > 0 && (
                  <Codes
                    adjustments={adjustments}
                    remarks={remarks}
                    jurisdiction={jurisdiction}
                    variant="chips"
                  />
                ),
            },
          ]}
        />
      )}
      {payments > bills.length && (
        <p className={styles.note}>
          Showing the first {formatCount(bills.length)} of {formatCount(payments)}. Download the remittance
          advice or service lines to see all.
        </p>
      )}
    </section>
  );
}

const Adjustments = ({ adjustments }: { adjustments: readonly ProviderAdjustment[] }) => (
  <section className="card" aria-labelledby="adjustments">
    <h2 id="adjustments" className={styles.heading}>
      Provider-level adjustments
    </h2>
    <ShortTable
      label="Provider-level adjustments"
      rows={adjustments}
      rowId={(one) => adjustments.indexOf(one)}
      columns={[
        {
          header: 'Reason code',
          cell: ({ reason }: ProviderAdjustment) => <RemarkChip list="PLB" code={reason} />,
        },
        {
          header: 'Reference',
          cell: ({ reference, page, number }) => (
            <div>
              {page ? <BillLink page={page}>{reference}</BillLink> : reference}
              {number && number !== reference && <div className={styles.small}>bill {number}</div>}
            </div>
          ),
        },
        { header: 'Amount', align: 'end', cell: ({ amount }) => formatMoney(amount) },
      ]}
    />
  </section>
);
