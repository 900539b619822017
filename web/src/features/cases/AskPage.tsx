import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '@/api/session';
import { toProblem } from '@/shared/apiError';
import { useAsked } from '@/shared/askAbout';
import { BillLink, RemittanceLink } from '@/shared/BillLink';
import { Breadcrumbs } from '@/shared/Breadcrumbs';
import { errorMessage } from '@/shared/errorMessage';
import * as paths from '@/shared/paths';
import { useTinNumbers, useTinOptions } from '@/shared/tins';
import { useDraft } from '@/shared/useDraft';
import { Button } from '@/ui/Button';
import { formatBusinessDateTime, formatDate } from '@/ui/dates';
import { Facts } from '@/ui/Facts';
import { CheckboxInput, SelectInput, TextAreaInput } from '@/ui/form/inputs';
import { formatCount, formatPhone } from '@/ui/format';
import { NotPermitted } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { AlreadySent, getSentNumber } from './AlreadySent';
import { type ComplaintErrors, ComplaintFields, checkComplaint, noComplaint } from './ComplaintFields';
import { type CaseSummary, checkText, describeReceipt, maxText, topics } from './cases';
import styles from './cases.module.css';
import { FileField, useCaseFiles } from './FileField';
import { useAnswered, useAsk, useBillAnswer, useCasesOfBill } from './queries';
import { useErrorFocus } from './useErrorFocus';

const emptyQuestion = {
  requestKey: '',
  topic: '',
  ftin: '',
  body: '',
  isComplaint: false,
  complaint: noComplaint,
};
type TextField = 'topic' | 'ftin' | 'body';

/** A new question to the network. */
export default function AskPage() {
  const { can, mirroredUser } = useSession();
  return (
    <div className="page">
      <Breadcrumbs name="Ask a question" list={{ name: 'Questions', to: paths.cases }} />
      <header>
        <h1>Ask the network</h1>
        <p className="page-lead">
          Network staff read your question and answer here. Only users of your group with the Tax ID see it.
        </p>
      </header>
      {can('cases.own') && !mirroredUser ? <Ask /> : <NotPermitted />}
    </div>
  );
}

function Ask() {
  const { bills, remittance } = useAsked();
  const isAbout = bills.length > 0 || remittance !== undefined;
  const { actingUser } = useSession();
  const { data: tins = [] } = useTinNumbers(actingUser.userNm, !isAbout);
  const options = useTinOptions(tins);
  const { values, set: store, clear, guard } = useDraft('question', emptyQuestion);
  const { isComplaint, complaint } = values;
  const [errors, setErrors] = useState<Partial<Record<TextField, string>>>({});
  const [complaintErrors, setComplaintErrors] = useState<ComplaintErrors>({});
  const [sentAs, setSentAs] = useState('');
  const [busy, setBusy] = useState(false);
  const files = useCaseFiles(false);
  const { form, focus } = useErrorFocus();
  const noun = isComplaint ? 'complaint' : 'question';
  const { mutateAsync: ask } = useAsk();
  const navigate = useNavigate();
  const change: typeof store = (changes) => {
    if (busy) return; // it isn't sent anymore
    store(changes.body === '' ? { ...changes, requestKey: '' } : changes);
  };
  const set = (field: TextField) => (event: { target: { value: string } }) => {
    change({ [field]: event.target.value });
    setErrors({ ...errors, [field]: undefined });
  };
  async function send(previousKey = values.requestKey) {
    const body = values.body.trim();
    const wrong = {
      topic: values.topic || isComplaint ? undefined : 'Error: Select a topic',
      body: checkText(body, `Enter your ${noun}`),
    };
    const wrongComplaint = isComplaint ? checkComplaint(complaint) : {};
    setErrors(wrong);
    setComplaintErrors(wrongComplaint);
    if (Object.values({ ...wrong, ...wrongComplaint }).some(Boolean)) return focus();
    if (busy) return;
    setBusy(true);
    setSentAs('');
    if (!previousKey) files.forgetUploads();
    // After a lost response and a reload, it's sent with the same key.
    const requestKey = previousKey || crypto.randomUUID();
    store({ requestKey });
    try {
      const sent = await ask({
        requestKey,
        topic: isComplaint ? 'OTHER' : values.topic,
        complaint: isComplaint ? complaint : undefined,
        body,
        ftin: values.ftin || undefined,
        bills: bills.map(({ id }) => id),
        remittance: remittance?.id,
        files: await files.upload(),
      });
      toast.success(
        sent.complaint
          ? describeReceipt(sent.complaint)
          : `We got your question. You'll have an answer by ${formatBusinessDateTime(sent.dueAt)}. Reference: ${sent.number}.`,
      );
      clear();
      files.clear();
      void navigate({ ...paths.toCase(sent.number), replace: true });
    } catch (error) {
      // The user can lose a Tax ID while writing.
      if (!isAbout && values.ftin && toProblem(error).status === 404) {
        setErrors({ ftin: 'Error: You no longer have access to this Tax ID' });
        return focus();
      }
      setSentAs(getSentNumber(error));
      const about = remittance ? 'this payment' : bills.length === 1 ? 'this bill' : 'these bills';
      toast.error(
        errorMessage(
          error,
          `Error: Couldn't send your ${noun}. Try again.`,
          isAbout ? `Error: You no longer have access to ${about}.` : undefined,
        ),
      );
    } finally {
      setBusy(false);
    }
  }
  return (
    <>
      {bills.length > 0 && <About bills={bills} />}
      {remittance && (
        <section className={`card ${styles.card}`} aria-label="Payment">
          <Facts
            facts={[
              [
                'Payment',
                <RemittanceLink key="payment" page={remittance.id}>
                  {remittance.number}
                </RemittanceLink>,
              ],
            ]}
          />
        </section>
      )}
      <form
        ref={form}
        noValidate
        className={`card ${styles.card} ${styles.write}`}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {guard}
        {sentAs && (
          <AlreadySent
            as={paths.toCase(sentAs)}
            number={sentAs}
            label={`Send as a new ${noun}`}
            onNew={() => void send('')}
          />
        )}
        <CheckboxInput
          label="This is a complaint"
          checked={isComplaint}
          onChange={({ target }) => change({ isComplaint: target.checked })}
        />
        {isComplaint ? (
          <ComplaintFields
            values={complaint}
            errors={complaintErrors}
            hasBills={bills.length > 0}
            onChange={(changed) => {
              change({ complaint: changed });
              setComplaintErrors({});
            }}
          />
        ) : (
          <SelectInput
            label="Topic"
            required
            placeholder="Select a topic"
            options={(Object.keys(topics) as CaseSummary['topic'][]).map((value) => ({
              value,
              label: topics[value],
            }))}
            value={values.topic}
            error={errors.topic}
            onChange={set('topic')}
          />
        )}
        {!isAbout && (
          <SelectInput
            label="Tax ID"
            hint={`Without one, only you and your provider administrators see the ${noun}.`}
            placeholder="No Tax ID"
            options={options}
            value={values.ftin}
            error={errors.ftin}
            onChange={set('ftin')}
          />
        )}
        <TextAreaInput
          label={isComplaint ? 'Complaint' : 'Question'}
          required
          rows={6}
          hint={`Up to ${formatCount(maxText)} characters`}
          value={values.body}
          readOnly={busy}
          error={errors.body}
          onChange={set('body')}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            void send();
          }}
        />
        <FileField files={files} disabled={busy} />
        <div className="button-row">
          <Button type="submit" variant="primary" busy={busy}>
            Send {noun}
          </Button>
        </div>
      </form>
    </>
  );
}

/** The bills of the question. For one bill, what the portal already knows about it. */
function About({ bills }: { bills: ReturnType<typeof useAsked>['bills'] }) {
  const only = bills.length === 1 ? bills[0] : undefined;
  const { data: cases = [] } = useCasesOfBill(only?.id ?? '', only !== undefined);
  const { data: page } = useBillAnswer(only?.id ?? '', only !== undefined);
  const { mutate: count } = useAnswered();
  const navigate = useNavigate();
  return (
    <section className={`card ${styles.card}`} aria-label="Bills">
      <Facts
        facts={[
          [
            only ? 'Bill' : 'Bills',
            bills.map(({ id, number }, i) => (
              <span key={id}>
                {i > 0 && ', '}
                <BillLink page={id}>{number}</BillLink>
              </span>
            )),
          ],
          ['Status', page?.answer.text],
          ['Next step', page?.answer.nextStep],
          [
            page?.answer.dueBy === 'payer' ? 'Payer deadline' : 'Your deadline',
            page?.answer.due && formatDate(page.answer.due),
          ],
          ['Payer phone', page?.contact?.phone && formatPhone(page.contact.phone)],
          [
            'Already asked',
            cases.length > 0 &&
              cases.map(({ number }, i) => (
                <span key={number}>
                  {i > 0 && ', '}
                  <Link {...paths.toCase(number)}>{number}</Link>
                </span>
              )),
          ],
        ]}
      />
      {only && page && (
        <div className="button-row">
          <Button
            onClick={() => {
              count();
              void navigate({ ...paths.toBill(only.id), replace: true });
            }}
          >
            That answers it
          </Button>
        </div>
      )}
    </section>
  );
}
