import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useSession } from '@/api/session';
import { AtDesk } from '@/shared/BillLink';
import { Breadcrumbs } from '@/shared/Breadcrumbs';
import type { Bill } from '@/shared/billDocuments/calls';
import { type DocumentKind, useDocuments } from '@/shared/billDocuments/useDocuments';
import { useCanWork } from '@/shared/billWork';
import { FirstOpenedBy } from '@/shared/FirstOpenedBy';
import * as paths from '@/shared/paths';
import { usePayerCalls } from '@/shared/payerCall/queries';
import { UnavailablePage } from '@/shared/UnavailablePage';
import { Banner } from '@/ui/Banner';
import { Button, LinkButton } from '@/ui/Button';
import { formatBusinessDate, formatDate } from '@/ui/dates';
import { type Fact, Facts } from '@/ui/Facts';
import { formatMoney, formatTin } from '@/ui/format';
import { toast } from '@/ui/Toasts';
import { AnswerCard } from './AnswerCard';
import { BillHistory } from './BillHistory';
import styles from './bill.module.css';
import { Deadlines } from './Deadlines';
import { FollowButtons } from './FollowButtons';
import { Lines } from './Lines';
import { Notes, NotesButton } from './Notes';
import { type DeskPage, getCertificateUrl, type Page, useBillPage, useDeskBill } from './queries';
import { RelatedBills } from './RelatedBills';
import { SameClaimBills } from './SameClaimBills';
import { Sources } from './Sources';

// Only a failed document opens a dialog.
const DocumentDialogs = lazy(() => import('@/shared/billDocuments/DocumentDialogs'));

/** All data on one bill. */
export default function BillPage() {
  const { id = '' } = useParams({ strict: false });
  const query = useBillPage(id);
  if (query.data) return <Shown key={id} id={id} page={query.data} />;
  return (
    <UnavailablePage title="Bill" query={query} to={paths.billSearch}>
      Search for the bill
    </UnavailablePage>
  );
}

/** A bill as its office sees it, read-only for staff, without marks and following. */
export function DeskBillPage() {
  const { id = '' } = useParams({ strict: false });
  const query = useDeskBill(id);
  if (query.data)
    return (
      <AtDesk value={true}>
        <Shown key={id} id={id} page={query.data.page} desk={query.data} />
      </AtDesk>
    );
  return (
    <UnavailablePage title="Bill" query={query} to={paths.desk}>
      Go to the service desk
    </UnavailablePage>
  );
}

function Shown({ id, page, desk }: { id: string; page: Page; desk?: DeskPage }) {
  const { bill, banners } = page;
  const { can } = useSession();
  const deadlines = page.kind !== 'second' && can('deadlines.read');
  const name = bill.billControlNumber || bill.documentId;
  return (
    <div className={`page ${styles.page}`}>
      <Breadcrumbs
        id={id}
        name={name}
        list={desk ? { name: 'Service desk', to: paths.desk } : { name: 'Open bills', to: paths.openBills }}
        toPage={desk ? paths.toDeskBill : paths.toBill}
      />
      <header className={styles.head}>
        <div>
          <h1>Bill {name}</h1>
          <p className="page-lead">{formatSubtitle(bill)}</p>
          {desk && <FirstOpenedBy seen={desk.seen} />}
        </div>
        {!desk && <Actions id={id} page={page} />}
      </header>
      <AnswerCard id={id} page={page} desk={desk} />
      {banners
        // The answer names the replacement.
        .filter(({ kind }) => kind !== 'replaced')
        .map(({ kind, text }) => (
          <Banner key={kind} kind={kind === 'waiting' ? 'warning' : 'info'}>
            <p>{text}</p>
          </Banner>
        ))}
      <Head page={page} deskPage={desk && id} />
      <div className={styles.columns}>
        {!desk && <Notes id={id} page={page} />}
        <Lines page={page} />
        {deadlines && <Deadlines id={id} desk={desk !== undefined} />}
        <History id={id} page={page} desk={desk !== undefined} />
        <RelatedBills page={page} />
        <SameClaimBills page={page} />
        <Sources page={page} />
      </div>
    </div>
  );
}

/** The group's payer calls are only for the group: staff and users who mirror don't see them. */
function History({ id, page, desk }: { id: string; page: Page; desk: boolean }) {
  const enabled = useCanWork() && !desk && page.kind !== 'second';
  const { data } = usePayerCalls(id, enabled);
  return <BillHistory events={page.journey} calls={data} />;
}

const formatSubtitle = (bill: Bill) =>
  [
    [bill.patientFirstName, bill.patientMiddleName, bill.patientLastName].filter(Boolean).join(' '),
    formatDateRange(bill.beginServiceDate, bill.endServiceDate),
    bill.payerName,
  ]
    .filter(Boolean)
    .join(' · ');

const formatDateRange = (begin: string | null, end: string | null) =>
  [formatDate(begin), end !== begin && formatDate(end)].filter(Boolean).join(' – ');

function Actions({ id, page }: { id: string; page: Page }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(window.location.href);
      toast.success('Link copied. Only users with this Tax ID can open it.');
    } catch {
      toast.error("Couldn't copy the link. Copy it from the address bar.");
    }
  };
  return (
    <div className={`button-row ${styles.actions}`}>
      {page.kind !== 'second' && <FollowButtons id={id} hasClaim={page.bill.claimNumber !== ''} />}
      <NotesButton id={id} page={page} />
      <Button onClick={() => void copy()}>Copy link</Button>
      <Button onClick={() => window.print()}>Print</Button>
      {page.certificate && (
        <LinkButton href={getCertificateUrl(id)} target="_blank" rel="noopener noreferrer">
          Certificate of receipt
        </LinkButton>
      )}
    </div>
  );
}

/** Amounts first, then people and numbers, then the documents. */
function Head({ page, deskPage }: { page: Page; deskPage?: string }) {
  const { bill, difference } = page;
  const amounts = [
    ['Charge', formatMoney(bill.billCharges)],
    ['Network allowance', formatMoney(bill.recommendedAllowance)],
    ['Paid', formatMoney(bill.paidAmount)],
    ['Difference from allowance', formatMoney(difference)],
  ];
  const paid = [
    bill.paidDate && `on ${formatDate(bill.paidDate)}`,
    bill.checkNumber && `check or EFT ${bill.checkNumber}`,
  ].filter(Boolean);
  const facts: Fact[] = [
    ['Claim number', bill.claimNumber],
    ['Date of injury', formatDate(bill.dateOfInjury)],
    ['Payer', bill.payerName],
    [
      'Provider',
      [bill.physicianFirstName, bill.physicianMiddleName, bill.physicianLastName].filter(Boolean).join(' '),
    ],
    ['Facility', bill.facilityName],
    ['Tax ID (TIN)', formatTin(bill.ftin)],
    ['Document ID (DCN)', bill.documentId],
    ['Patient account number', page.patientControlNumber],
    ['Previous numbers', page.formerNumbers.join(', ')],
  ];
  return (
    <section className="card" aria-label="Bill">
      <dl className={styles.amounts}>
        {amounts.map(([label, amount]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{amount || <span className={styles.unknown}>not available</span>}</dd>
            {label === 'Paid' && amount && paid.length > 0 && (
              <dd className={styles.small}>{paid.join(', ')}</dd>
            )}
          </div>
        ))}
      </dl>
      <Facts facts={facts} inset />
      <Documents bill={bill} papers={page.papers} deskPage={deskPage} />
    </section>
  );
}

function Documents({ bill, papers, deskPage }: { bill: Bill; papers: Page['papers']; deskPage?: string }) {
  const documents = useDocuments(deskPage);
  const open = (document: DocumentKind) => void documents.open(bill, document);
  const offered: [DocumentKind, string][] = [['image', 'Bill image']];
  if (bill.mcpsBill) offered.push(['pricing-sheet', 'Pricing Sheet']);
  if (bill.eor) offered.push(['eor', 'EOR']);
  const describeOrigin = ([kind, name]: [DocumentKind, string]) => {
    const paper = papers.find((one) => one.kind === kind);
    return `${name}: ${paper ? `network document, received ${formatBusinessDate(paper.at)}` : 'generated from bill data'}.`;
  };
  return (
    <div className={styles.documents}>
      <h2>Documents</h2>
      <div className="button-row">
        {offered.map(([kind, name]) => (
          <Button key={kind} onClick={() => open(kind)}>
            {name}
          </Button>
        ))}
      </div>
      {papers.length > 0 && <p className={styles.small}>{offered.map(describeOrigin).join(' ')}</p>}
      <Suspense>
        {documents.result && (
          <DocumentDialogs
            result={documents.result}
            onClose={documents.dismiss}
            onOpen={(bill, document) => void documents.open(bill, document)}
          />
        )}
      </Suspense>
    </div>
  );
}
