import { useParams } from '@tanstack/react-router';
import { useSession } from '@/api/session';
import { AtDesk } from '@/shared/BillLink';
import { Breadcrumbs } from '@/shared/Breadcrumbs';
import { errorMessage } from '@/shared/errorMessage';
import * as paths from '@/shared/paths';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatBusinessDateTime } from '@/ui/dates';
import { Failed, Loading, NotPermitted } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { AssignTo } from './AssignTo';
import { type CaseThread, deskStates } from './cases';
import { CaseFacts } from './QuestionPage';
import { useDeskCase, useOwn, useWrite } from './queries';
import { Thread } from './Thread';
import { WriteForm } from './WriteForm';

/** A question of an office, for network staff. */
export default function DeskQuestionPage() {
  const { number } = useParams({ strict: false }) as { number: string };
  const { can } = useSession();
  return (
    <AtDesk value={true}>
      <div className="page">
        <Breadcrumbs name={number} list={{ name: 'Questions', to: paths.deskCases }} />
        {can('cases.desk') ? <Question number={number} /> : <NotPermitted />}
      </div>
    </AtDesk>
  );
}

function Question({ number }: { number: string }) {
  const { data, error, refetch } = useDeskCase(number);
  const { can } = useSession();
  if (!data)
    return error ? (
      <Failed
        message={errorMessage(error, "Error: Couldn't load the question. Try again.")}
        onRetry={() => void refetch()}
      />
    ) : (
      <Loading />
    );
  const { state, dueAt } = data;
  return (
    <>
      <header>
        <h1>
          Question {data.number} <Chip kind={deskStates[state].kind}>{deskStates[state].label}</Chip>
        </h1>
        {dueAt && <p className="page-lead">Answer promised by {formatBusinessDateTime(dueAt)}.</p>}
      </header>
      <CaseFacts thread={data} />
      <Thread thread={data} />
      {can('cases.work') && (state === 'OPEN' || state === 'WAITING') && <Actions thread={data} />}
    </>
  );
}

function Actions({ thread: { number, version, state, owner } }: { thread: CaseThread }) {
  const { can } = useSession();
  const { mutateAsync: answer } = useWrite('answer');
  const { mutateAsync: ask } = useWrite('ask');
  const { mutate: take, isPending: taking } = useOwn('take');
  const { mutate: release, isPending: releasing } = useOwn('release');
  const seen = { number, version };
  const onError = (error: unknown) =>
    toast.error(errorMessage(error, "Error: Couldn't change the question. Try again."));
  return (
    <section className="card" aria-label="Your answer">
      <div className="button-row">
        <Button
          busy={taking}
          onClick={() => take(seen, { onError, onSuccess: () => toast.success('Question taken') })}
        >
          Take
        </Button>
        {owner && (
          <Button
            busy={releasing}
            onClick={() => release(seen, { onError, onSuccess: () => toast.success('Question released') })}
          >
            Release
          </Button>
        )}
        {can('cases.lead') && <AssignTo seen={seen} />}
      </div>
      <WriteForm
        label="Answer"
        submit="Send answer"
        empty="Enter the answer"
        send={(body) => answer({ ...seen, body })}
        failed="Error: Couldn't send it. Your text is still here. Try again."
        sent="Answer sent"
        second={
          state === 'OPEN'
            ? {
                submit: 'Ask the office instead',
                send: (body) => ask({ ...seen, body }),
                sent: 'The office was asked',
              }
            : undefined
        }
      />
    </section>
  );
}
