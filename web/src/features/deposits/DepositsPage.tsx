import { useEffect, useRef, useState } from 'react';
import { useSession } from '@/api/session';
import { Breadcrumbs } from '@/shared/Breadcrumbs';
import { useSearchState } from '@/shared/historyState';
import { MyTins } from '@/shared/MyTins';
import { PasteOrFile } from '@/shared/PasteOrFile';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { NotPermitted } from '@/ui/PageState';
import { ChooseColumns } from './ChooseColumns';
import { type Criteria, isComplete, read } from './criteria';
import { formatFailure, useList, useMatches, useReadList } from './queries';
import { Results } from './Results';

/** Compares what the bank shows with the office's remittances. */
export default function DepositsPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <Breadcrumbs name="Match deposits" list={{ name: 'Remittances', to: paths.remittances }} />
      <header>
        <h1>Match deposits</h1>
        <p className="page-lead">
          Paste or upload what your bank shows, and we'll match each deposit to its remittance. We don't store
          the list.
        </p>
      </header>
      {can('remittances.read') ? (
        <MyTins ofUsers="Deposits are matched by a user's Tax IDs.">{() => <Deposits />}</MyTins>
      ) : (
        <NotPermitted />
      )}
    </div>
  );
}

/** First the list, then the matches. Columns that aren't clear are asked for in between. */
function Deposits() {
  const { search, table, setTable, start, clear, searchInfo } = useSearchState<Criteria>(read, {
    pageSize: 25,
  });
  const { criteria = null, run = 0 } = search ?? {};
  const list = useList(criteria);
  const matches = useMatches(criteria, list);
  const [text, setText] = useState('');
  const [returned, setReturned] = useState(false);

  const match = (criteria: Criteria) => start({ ...criteria, asked: Date.now() });
  const enterNewList = () => {
    setText(list?.text ?? '');
    setReturned(true);
    clear();
  };
  if (!criteria || !list)
    return (
      <ListInput
        text={text}
        onText={setText}
        returned={returned}
        onRead={(read) => (isComplete(read.columns) ? match(read) : start(read))}
      />
    );
  return (
    <>
      {list.warnings.map((text) => (
        <Banner key={text} kind="warning">
          {text}
        </Banner>
      ))}
      <ChooseColumns
        criteria={criteria}
        list={list}
        arrived={run > 0 && criteria.asked === 0}
        busy={matches.isFetching}
        found={matches.data !== undefined}
        onChange={(next) => start({ ...next, asked: 0 })}
        onMatch={() => match(criteria)}
        onNewList={enterNewList}
      />
      {criteria.asked > 0 && searchInfo && (
        <Results
          criteria={criteria}
          list={list}
          run={run}
          matches={matches}
          table={table}
          onTable={setTable}
          search={searchInfo}
        />
      )}
    </>
  );
}

interface InputProps {
  text: string;
  onText: (text: string) => void;
  /** The user came back to this step, so the field takes the focus. */
  returned: boolean;
  onRead: (criteria: Criteria) => void;
}

function ListInput({ text, onText, returned, onRead }: InputProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState('');
  const pasted = useReadList();
  const file = useReadList();
  useEffect(() => {
    if (returned) field.current?.focus();
  }, [returned]);

  const submit = () => {
    if (!text.trim()) {
      setProblem('Error: Paste at least 1 line');
      field.current?.focus();
      return;
    }
    void pasted.send(new File([text], 'Pasted list.txt', { type: 'text/plain' }), text, onRead);
  };
  return (
    <PasteOrFile
      title="Your bank's list"
      text={text}
      onText={(text) => {
        onText(text);
        setProblem('');
        pasted.reset();
      }}
      field={field}
      label="Paste dates, amounts and trace or check numbers"
      hint="Copy from your bank's site or Excel, with or without headers. Addenda of CCD+ entries work too. Up to 5,000 lines."
      error={problem || (pasted.error ? formatFailure(pasted.error) : undefined)}
      file={{
        hint: 'CSV, XLSX or ACH file, up to 5,000 lines and 5 MB.',
        accept: '.csv,.xlsx,.txt,.ach,.nacha,.asc',
        error: file.error ? formatFailure(file.error) : undefined,
        sending: file.sending,
        onStop: file.stop,
        onChange: (chosen) => void file.send(chosen, '', onRead),
      }}
      submitLabel="Match"
      busy={pasted.sending !== null}
      onSubmit={submit}
    />
  );
}
