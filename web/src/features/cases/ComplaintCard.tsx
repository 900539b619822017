import { useState } from 'react';
import { errorMessage } from '@/shared/errorMessage';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatBusinessDate, formatDate, today } from '@/ui/dates';
import { Facts } from '@/ui/Facts';
import { TextInput } from '@/ui/form/inputs';
import { toast } from '@/ui/Toasts';
import { type CaseLetter, type CaseThread, categories, letterNames, originNames, outcomes } from './cases';
import styles from './cases.module.css';
import { useMailLetter, useReadLetter } from './queries';

/** The categories, legal days and letters of a complaint. */
export function ComplaintCard({ thread, isAtDesk = false }: { thread: CaseThread; isAtDesk?: boolean }) {
  const { complaint, state } = thread;
  if (!complaint) return null;
  // After a withdrawal, letters aren't required anymore.
  const counted = state === 'WITHDRAWN' ? '' : today();
  const isReopened = state === 'OPEN' || state === 'WAITING';
  return (
    <section className={`card ${styles.card}`} aria-labelledby="complaint">
      <h2 id="complaint">Complaint</h2>
      <Facts
        facts={[
          ['Received', `${formatDate(complaint.receivedOn)}, ${originNames[complaint.origin]}`],
          ['Complainant', complaint.complainant],
          ['Categories', complaint.categories.map((category) => categories[category]).join('; ')],
          ['State law', complaint.lawState],
          ['Acknowledge by', <Due key="ack" due={complaint.ackDue} until={complaint.ackOn ?? counted} />],
          ['Acknowledged', complaint.ackOn && formatDate(complaint.ackOn)],
          [
            'Resolve by',
            <Due key="resolve" due={complaint.resolveDue} until={complaint.resolveOn ?? counted} />,
          ],
          [
            isReopened ? 'First resolved' : 'Resolved',
            complaint.resolveOn && formatDate(complaint.resolveOn),
          ],
          ['Outcome', complaint.outcome && outcomes[complaint.outcome]],
        ]}
      />
      <h3>Letters</h3>
      <ul className={styles.letters}>
        {complaint.letters.map((letter) => (
          <Letter
            key={letter.id}
            thread={thread}
            letter={letter}
            received={
              !complaint.complainant && (letter.kind === 'ACK' ? complaint.ackOn : complaint.resolveOn)
            }
            isAtDesk={isAtDesk}
          />
        ))}
      </ul>
    </section>
  );
}

function Due({ due, until }: { due: string | null; until: string }) {
  if (!due) return 'Not set';
  return (
    <>
      {formatDate(due)} {until > due && <Chip kind="error">Late</Chip>}
    </>
  );
}

function Letter({
  thread: { number, version },
  letter,
  received,
  isAtDesk,
}: {
  thread: CaseThread;
  letter: CaseLetter;
  /** When the office first received such a letter. It needs no mail then. Without an account, each does. */
  received: string | null | false;
  isAtDesk: boolean;
}) {
  const { mutate: read, isPending: reading } = useReadLetter(isAtDesk);
  const { mutate: mail, isPending: mailing } = useMailLetter();
  const [mailedOn, setMailedOn] = useState(today());
  const [isMarking, setIsMarking] = useState(!received);
  const name = letterNames[letter.kind];
  return (
    <li>
      <div className={`button-row ${styles.made}`}>
        <Button
          busy={reading}
          onClick={() =>
            read(
              { number, letter: letter.id, name },
              {
                onError: (error) =>
                  toast.error(errorMessage(error, "Error: Couldn't load the letter. Try again.")),
              },
            )
          }
        >
          {name} (PDF)
        </Button>
        {formatBusinessDate(letter.madeAt)}
        {letter.mailedOn && `, mailed ${formatDate(letter.mailedOn)}`}
        {isAtDesk && !letter.mailedOn && !isMarking && (
          <Button variant="quiet" size="small" onClick={() => setIsMarking(true)}>
            Record mailing<span className="visually-hidden"> of {name}</span>
          </Button>
        )}
      </div>
      {isAtDesk && !letter.mailedOn && isMarking && (
        <div className={styles.mailed}>
          <TextInput
            type="date"
            label={
              <>
                Mailed on<span className="visually-hidden">, {name}</span>
              </>
            }
            value={mailedOn}
            max={today()}
            onChange={({ target }) => setMailedOn(target.value)}
          />
          <Button
            busy={mailing}
            onClick={() =>
              mail(
                { number, version, letter: letter.id, mailedOn },
                {
                  onSuccess: () => toast.success('Letter marked as mailed'),
                  onError: (error) =>
                    toast.error(errorMessage(error, "Error: Couldn't mark the letter. Try again.")),
                },
              )
            }
          >
            Mark as mailed
          </Button>
        </div>
      )}
    </li>
  );
}
